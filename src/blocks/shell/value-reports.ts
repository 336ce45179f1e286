import type { AcceptedValues } from "./accepted-values.ts";
import { type CommandProblem, type Refusal, refuse } from "./command-problem.ts";
import { findInterpreter, isShell } from "./interpreters.ts";
import type { HeldValues } from "./lift-words.ts";
import type { Piece, PlacedSlot, Word } from "./shell-syntax.ts";

/** What is found of values in a script: problems, and which of them decide what runs. */
export class ValueReports {
  readonly problems: Map<string, CommandProblem> = new Map();
  readonly chosen: Set<string> = new Set();
  private readonly text: string;
  private readonly held: HeldValues;
  private readonly accepted: AcceptedValues;

  constructor(text: string, held: HeldValues, accepted: AcceptedValues) {
    this.text = text;
    this.held = held;
    this.accepted = accepted;
  }

  /** Gives whether there is a problem. `text` is what is evaluated as a whole. */
  add(slots: readonly PlacedSlot[], refusal: Refusal, text: readonly Piece[] = []): boolean {
    let isReported = false;
    for (const slot of slots) {
      // A part of a value that is a plain name has no subscript.
      if (slot.narrow && refusal.code === "value-as-name") continue;
      // What is warned of here is a value that a program may run, or that chooses what it runs.
      if (refusal.level === "warning") this.note(slot);
      if (this.accepted.accepts(slot, refusal, text)) continue;
      isReported = true;
      const key = `${slot.start} ${refusal.level ?? "error"}`;
      if (this.problems.has(key)) continue;
      this.problems.set(key, { ...refuse(refusal, this.text, slot), value: (slot.held ?? slot).value });
    }
    return isReported;
  }

  /** Notes that the value decides what runs. */
  note(slot: PlacedSlot): void {
    this.chosen.add(this.held.referenceOf(slot));
  }
}

/** The program among these names that reads its program from its standard input, as far as it is known. */
export function languageOf(names: readonly string[]): string {
  const found = names.find((name) => isShell(name) || findInterpreter(name) !== undefined || name === "ssh");
  return found ?? (names.some((name) => name === "." || name === "source") ? "bash" : "");
}

/** The pieces of words that are evaluated together, with blanks between the words. */
export function joinedPieces(words: readonly Word[]): readonly Piece[] {
  return words.flatMap(({ parsed }, index): readonly Piece[] =>
    index === 0 ? parsed.pieces : [{ kind: "text", text: " " }, ...parsed.pieces],
  );
}
