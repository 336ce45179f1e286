import type { Proof } from "../../expression/proof.ts";
import type { Refusal, Taken } from "./command-problem.ts";
import { isBuildVariable } from "./evaluated-variables.ts";
import { nameOfFile } from "./file-holders.ts";
import type { HeldValues } from "./lift-words.ts";
import { isWordBetween } from "./pasted-words.ts";
import { expansionMark, fedMark, type Piece, type PlacedSlot, valueMark, type Word } from "./shell-syntax.ts";
import { endsInString, mayRunStrings } from "./string-literals.ts";
import type { ProofOfSlot, ValueFlow } from "./value-flow.ts";

/** Whether a shell text has no problem when these stand in it as values; they are found by how they are written. */
export type CheckText = (source: string, proofs: ReadonlyMap<string, Proof>) => boolean;

/** Decides where a value of which something is known may stand although any text may not. */
export class AcceptedValues {
  private readonly flow: ValueFlow;
  private readonly held: HeldValues;
  private readonly proofOfSlot: ProofOfSlot;
  private readonly checkText: CheckText;

  constructor(flow: ValueFlow, held: HeldValues, checkText: CheckText) {
    this.flow = flow;
    this.held = held;
    this.proofOfSlot = flow.proofOfSlot;
    this.checkText = checkText;
  }

  proofOf(slot: PlacedSlot): Proof | undefined {
    return slot.held === undefined && slot.proof === undefined ? this.proofOfSlot(slot) : slot.proof;
  }

  /** `text` is all that is evaluated together with the slot. */
  accepts(slot: PlacedSlot, { takes }: Refusal, text: readonly Piece[] = []): boolean {
    const proof = this.proofOf(slot);
    if (proof === undefined || takes === undefined) return false;
    if (takes === "shell") return this.acceptsShellText(text, slot);
    if (typeof takes === "object") return this.acceptsProgramText(takes.program, text, slot, proof);
    return this.acceptsAlone(takes, proof, text);
  }

  private acceptsAlone(takes: Exclude<Taken, "shell" | object>, proof: Proof, text: readonly Piece[]): boolean {
    if (takes === "number") return this.flow.isCalculable(proof);
    if (proof.kind === "part") return false;
    const first = text.find((piece) => piece.kind !== "text" || piece.text !== "");
    // `-${inputs.v}` is an option whatever the value is.
    const beginsWord = first !== undefined && first.kind !== "text";
    switch (takes) {
      case "plain":
        return true;
      case "argument":
        return beginsWord && !proof.dash;
      case "setting":
        return beginsWord && !proof.dash && !proof.equals;
      case "file":
        return !this.writesValues() && (isFixed(proof) || !(beginsWord || proof.slash));
      case "fixed":
        return isFixed(proof);
      case "format":
        return !proof.percent;
    }
  }

  /** Whether the script writes any text to a file, which may be the one that the value names. */
  private writesValues(): boolean {
    return [...this.flow.heldValues()].some(
      ([holder, origin]) => nameOfFile(holder) !== undefined && this.proofOf(origin) === undefined,
    );
  }

  /** A text that a shell parses: a plain word in it is one of its words, so that the text is looked at as a script. */
  private acceptsShellText(pieces: readonly Piece[], slot: PlacedSlot): boolean {
    const proofs = new Map<string, Proof>();
    let source = "";
    let isFound = false;
    for (const [index, piece] of pieces.entries()) {
      if (piece.kind === "text") {
        source += piece.text;
        continue;
      }
      const found = this.held.slotIn(piece);
      if (found === undefined) {
        source += "${_computed}";
        continue;
      }
      isFound ||= isSamePlace(found, slot);
      const proof = this.proofOf(found);
      if (proof === undefined || proof.kind === "part") return false;
      const next = pieces[index + 1];
      if (!isWordBetween(source, next?.kind === "text" ? next.text : "", proof)) return false;
      const name = `\${inputs.value_${proofs.size}}`;
      proofs.set(name, proof);
      source += name;
    }
    // A word can be the one that ends a here-document.
    return isFound && !/<<(?!<)/.test(source) && this.checkText(source, proofs);
  }

  private acceptsProgramText(program: string, pieces: readonly Piece[], slot: PlacedSlot, proof: Proof): boolean {
    if (proof.kind === "part") return false;
    if (proof.kind === "integer" || proof.kind === "number" || proof.kind === "boolean") return true;
    const at = pieces.findIndex((piece) => {
      const found = this.held.slotIn(piece);
      return found !== undefined && isSamePlace(found, slot);
    });
    const texts = pieces.map((piece) => (piece.kind === "text" ? piece.text : "x"));
    const before = texts.slice(0, at);
    if (at === -1) return false;
    if (/^g?make$/.test(program)) return isMakeVariable(before.join(""));
    return !mayRunStrings(texts.join("")) && endsInString(program, before.join(""));
  }

  /** All texts that a word can be, where its one value is one of some that are written out. */
  textsOf({ slots, text, parsed, list }: Word): readonly string[] | undefined {
    const [slot, ...others] = slots;
    const proof = slot === undefined || others.length > 0 || list !== undefined ? undefined : this.proofOf(slot);
    const [before = "", after, ...rest] = text.split(valueMark);
    if (proof?.texts === undefined || after === undefined || rest.length > 0) return undefined;
    if (parsed.glob || hasOtherParts(before + after) || /[{}]/.test(before + after)) return undefined;
    return proof.texts.map((one) => before + one + after);
  }

  /**
   * The beginning of a command's name, where it is the author's own and a value that only ends it can't make one of these of it: of
   * `python${inputs.version}`, also through a variable.
   */
  beginningOf({ slots, text, list }: Word, names: Iterable<string>): string | undefined {
    const [first] = slots;
    const held = text === valueMark && first !== undefined ? this.proofOf(first)?.around : undefined;
    const head = held?.before ?? text.slice(0, text.indexOf(valueMark));
    const proofs = held === undefined ? slots.map((slot) => this.proofOf(slot)) : [held.proof];
    if (!/^[\w.+-]+$/.test(head) || list !== undefined || hasOtherParts(text) || /[={}/]/.test(text)) return undefined;
    const isHarmless = proofs.every(
      (proof) => proof !== undefined && proof.kind !== "part" && !proof.equals && !proof.slash,
    );
    const isNumber = proofs.every((proof) => proof?.letters === false);
    const isClear = ![...names].some(
      (name) => name.startsWith(head) && name !== head && (!isNumber || /^[\d.]+$/.test(name.slice(head.length))),
    );
    return isHarmless && isClear ? head : undefined;
  }
}

/** Whether something in the text is computed that is no value. */
function hasOtherParts(text: string): boolean {
  return text.includes(fedMark) || text.includes(expansionMark);
}

function isFixed(proof: Proof): boolean {
  return proof.texts !== undefined || proof.kind === "integer" || proof.kind === "number";
}

/** `VERSION=` of make: a plain text in it is one of the words of a recipe. */
function isMakeVariable(before: string): boolean {
  const name = /^([A-Za-z_]\w*)[:?+!]*=/.exec(before)?.[1];
  return name !== undefined && !isBuildVariable(name) && !/SHELL|MAKE/.test(name);
}

function isSamePlace(one: PlacedSlot, other: PlacedSlot): boolean {
  return one === other || (one.start === other.start && one.end === other.end);
}
