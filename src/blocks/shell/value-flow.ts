import { isSameProof, joinProofs, type Proof, proveAround, provePart } from "../../expression/proof.ts";
import { type Around, alone, aroundOf, identifier, isInput, keepsProofs } from "./proof-ways.ts";
import { expansionMark, isTextScope, markedText, type Piece, type PlacedSlot } from "./shell-syntax.ts";

/** What a command reads from its standard input. */
export function inputOf(id: number): string {
  return `<${id}`;
}

/** What a command writes, as the next one in a pipe gets it. */
export function outputOf(id: number): string {
  return `>${id}`;
}

/** The same as a substitution gets it: also what a program prints that was fetched by an argument of its. */
export function resultOf(id: number): string {
  return `=${id}`;
}

/** What a group prints by `declare -p`: quoted, so that to evaluate it once is harmless, and to keep it is not. */
export function declaredBy(group: number): string {
  return `declared ${group}`;
}

/** The texts that an alias stands for. */
export function aliasOf(name: string): string {
  return `alias ${name}`;
}

/** How what the one holds becomes what the other holds. */
export type Way =
  | "whole"
  /** Only a part of it, so that its texts are not those of the other. */
  | "part"
  /** As a whole, or one of the words that the shell splits it into. */
  | "words"
  /** A part that bash can calculate with: a name or a number. */
  | "narrow";

interface Edge {
  readonly to: string;
  readonly way: Way;
  /** The texts around what is passed on; null where the rest is not written out, or where it is passed on in part. */
  readonly around: Around | null;
}

/** What is known of the value in a slot. */
export type ProofOfSlot = (slot: PlacedSlot) => Proof | undefined;

/** What is to be done for each variable whose name a holder holds. */
interface NameRule {
  readonly holder: string;
  readonly apply: (name: string) => void;
  readonly done: Set<string>;
  /** Whether it is for texts as they are, not for the names of variables. */
  readonly takesTexts?: boolean;
}

const mostTexts = 40;
const mostWords = 24;
/** A program may be that long; in what bash calculates with, nobody looks for names in more than the shorter one. */
const longestText = 10_000;
const longestNumber = 200;

/**
 * Which variables, streams and files can hold a value, and which can hold the name of a variable. Neither the order of commands
 * nor conditions are looked at: what ever holds a value holds it everywhere.
 */
export class ValueFlow {
  private readonly edges = new Map<string, Edge[]>();
  private readonly origins = new Map<string, PlacedSlot>();
  /** What holds of every value that the holder can hold; it has an origin. */
  private readonly proofs = new Map<string, Proof | undefined>();
  readonly proofOfSlot: ProofOfSlot;
  /** Whether the script says where words end, so that a word may come apart. */
  splitsAnywhere = false;
  private readonly texts = new Map<string, Set<string>>();
  private readonly variables = new Set<string>();
  private readonly computed = new Set<string>();
  private readonly rules: NameRule[] = [];
  private readonly evaluated = new Map<string, PlacedSlot | undefined>();
  /** What the shell splits texts at: white space, which printf may be given as `\\n`, and what IFS is given. */
  private separators = /\s|\\n/;
  private pending: string[] = [];
  private settled = false;

  constructor(proofOfSlot: ProofOfSlot = () => undefined) {
    this.proofOfSlot = proofOfSlot;
  }

  /** What the pieces give can reach the holder; `way` is for what is all that reaches it. */
  pour(pieces: readonly Piece[], holder: string, way: Way = "whole", isAppended = false): void {
    const parts = pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
    const whole = parts.length === 1 || way === "narrow" ? way : "part";
    if (parts.some((piece) => piece.kind === "text")) this.addText(holder, markedText(parts));
    if (parts.some((piece) => piece.kind !== "text")) this.computed.add(holder);
    for (const [index, piece] of parts.entries()) {
      const isWhole = !isAppended && !(piece.kind === "read" && (piece.altered || (piece.list && way !== "words")));
      const around = isWhole ? aroundOf(parts, index) : null;
      if (piece.kind === "value") this.pourValue(piece.slot, holder, way, around);
      else if (piece.kind === "read")
        this.connectRead(piece.holder, holder, piece.split ? whole : unsplit(whole), around);
      else if (piece.kind === "output") {
        this.connect(resultOf(piece.group), holder, piece.split ? whole : unsplit(whole));
        this.connect(declaredBy(piece.group), holder, "part");
      }
    }
  }

  private pourValue(slot: PlacedSlot, holder: string, way: Way, around: Around | null): void {
    const known = around === null ? undefined : this.proofOfSlot(slot);
    const origin = way === "narrow" ? { ...slot, narrow: true } : slot;
    this.reach(holder, origin, around === null ? undefined : this.proveInside(known, around, holder));
    // A value that is one of some texts may be a name, or the text of a program.
    for (const text of known?.texts ?? []) this.addText(holder, `${around?.before}${text}${around?.after}`);
  }

  /** Whether nothing reaches the holder but texts that the author has written. */
  holdsTextOnly(holder: string): boolean {
    return this.texts.has(holder) && !this.computed.has(holder);
  }

  /** The one text that the holder can hold. */
  onlyTextOf(holder: string): string | undefined {
    const texts = this.texts.get(holder);
    if (texts?.size !== 1 || !this.holdsTextOnly(holder)) return undefined;
    const [text = ""] = texts;
    return text.includes(expansionMark) ? undefined : text;
  }

  connect(from: string, to: string, way: Way = "whole", around: Around | null = alone): void {
    this.computed.add(to);
    this.noteVariable(from);
    this.noteVariable(to);
    const edge = { to, way, around };
    const edges = this.edges.get(from);
    if (edges === undefined) this.edges.set(from, [edge]);
    else edges.push(edge);
    this.pass(from, edge);
  }

  /** A positional parameter may also be one of those whose number is not known. */
  connectRead(holder: string, to: string, way: Way = "whole", around: Around | null = alone): void {
    this.connect(holder, to, way, around);
    const any = anyParameter(holder);
    if (any !== undefined) this.connect(any, to, way, around);
  }

  /** Lets the shell split texts at these characters, too. */
  splitAt(characters: string): void {
    const marks = [...characters].filter((character) => /[^\s\w]/.test(character));
    if (marks.length > 0)
      this.separators = new RegExp(`${this.separators.source}|[${marks.map((mark) => `\\${mark}`).join("")}]`);
  }

  /** Notes that the script names a variable, which may be one whose name is computed elsewhere. */
  mention(name: string): void {
    this.noteVariable(name);
  }

  /** For each variable whose name the pieces can give. */
  forEachName(pieces: readonly Piece[], apply: (name: string) => void): void {
    const holder = `name ${this.rules.length}`;
    this.pour(pieces, holder);
    this.forEachNameIn(holder, apply);
    const [read, ...others] = pieces.filter((piece) => piece.kind !== "text");
    if (read?.kind !== "read" || others.length > 0 || pieces.length === 1) return;
    // `"PS$n"`: with one part computed, the whole names are known from its texts.
    this.forEachTextIn(read.holder, (text) => {
      const name = pieces.map((piece) => (piece.kind === "text" ? piece.text : text)).join("");
      if (identifier.test(name)) apply(name);
    });
  }

  forEachNameIn(holder: string, apply: (name: string) => void): void {
    this.rules.push({ holder, apply, done: new Set() });
    this.settled = false;
  }

  /** For each text that the holder can hold and that is known as a whole. */
  forEachTextIn(holder: string, apply: (text: string) => void): void {
    this.rules.push({ holder, apply, done: new Set(), takesTexts: true });
    this.settled = false;
  }

  reach(holder: string, origin: PlacedSlot, proof?: Proof): void {
    this.noteVariable(holder);
    const known = this.origins.get(holder);
    const before = this.proofs.get(holder);
    const after = known === undefined ? proof : joinProofs(before, proof);
    const isWorse = known !== undefined && !isSameProof(before, after);
    if (known !== undefined && !isWorse && (!known.narrow || origin.narrow)) return;
    // Of several values the one is shown that could be anything.
    if (known === undefined || (known.narrow && !origin.narrow) || (isWorse && proof === undefined && !origin.narrow))
      this.origins.set(holder, origin);
    this.proofs.set(holder, after);
    // What a value can be is looked at like any text of the author's.
    for (const text of after?.texts ?? []) this.addText(holder, text);
    this.pending.push(holder);
  }

  /** What holds of every value that the holder can hold. */
  proofAt(holder: string): Proof | undefined {
    this.settle();
    const any = anyParameter(holder);
    const isReached = this.origins.has(holder);
    const own = this.proofs.get(holder);
    if (any === undefined || !this.origins.has(any)) return own;
    return isReached ? joinProofs(own, this.proofs.get(any)) : this.proofs.get(any);
  }

  /** Whether bash finds nothing to run when it calculates with a value of which this holds. */
  isCalculable(proof: Proof | undefined): boolean {
    if (proof === undefined || proof.kind === "number") return false;
    if (!proof.letters) return true;
    return proof.texts?.every((text) => this.namedOrigin(text) === undefined) ?? false;
  }

  private proveInside(proof: Proof | undefined, { before, after }: Around, holder: string): Proof | undefined {
    if (proof === undefined || !keepsProofs(holder)) return undefined;
    return before === "" && after === "" ? proof : proveAround(before, proof, after);
  }

  /** What holds of a value behind an edge: only the script's own variables, and what `read` is given, keep it as it is. */
  private proofBehind(from: string, { to, way, around }: Edge): Proof | undefined {
    const proof = this.proofs.get(from);
    if (proof === undefined || way === "narrow" || !keepsProofs(from)) return undefined;
    if (isInput(from) && !isInput(to)) return keepsProofs(to) ? provePart(proof) : undefined;
    if (around === null || (way === "words" && this.splitsAnywhere))
      return keepsProofs(to) ? provePart(proof) : undefined;
    return this.proveInside(proof, around, to);
  }

  /** A value that the holder can hold. */
  originOf(holder: string): PlacedSlot | undefined {
    this.settle();
    const any = anyParameter(holder);
    return this.origins.get(holder) ?? (any === undefined ? undefined : this.origins.get(any));
  }

  /** Every holder of a value. */
  heldValues(): Iterable<readonly [holder: string, origin: PlacedSlot]> {
    this.settle();
    return this.origins;
  }

  /** A value that bash comes to when it calculates with what the holder holds: names in there are looked up in turn. */
  evaluatedOriginOf(holder: string): PlacedSlot | undefined {
    const own = this.originOf(holder);
    if (own !== undefined && !own.narrow && !this.isEvaluatedSafely(holder)) return own;
    if (this.evaluated.has(holder)) return this.evaluated.get(holder);
    this.evaluated.set(holder, undefined);
    for (const text of this.textsOf(holder)) {
      const origin = text.length > longestNumber ? undefined : this.namedOrigin(text);
      if (origin === undefined) continue;
      this.evaluated.set(holder, origin);
      return origin;
    }
    return undefined;
  }

  private isEvaluatedSafely(holder: string): boolean {
    // A text that names its own holder leads back here.
    if (this.evaluated.has(holder)) return true;
    const proof = this.proofAt(holder);
    if (proof === undefined || proof.kind === "number") return false;
    return !proof.letters || proof.texts !== undefined;
  }

  /** A value that bash comes to when it calculates with a text. */
  namedOrigin(text: string): PlacedSlot | undefined {
    for (const [token] of text.matchAll(names)) {
      for (const name of this.variablesLike(token)) {
        const origin = this.evaluatedOriginOf(name);
        if (origin !== undefined) return origin;
      }
    }
    return undefined;
  }

  /** The texts that a holder can hold, as far as they are known; computed parts are marks. */
  textsOf(holder: string): readonly string[] {
    this.settle();
    const any = anyParameter(holder);
    return [...(this.texts.get(holder) ?? []), ...((any === undefined ? undefined : this.texts.get(any)) ?? [])];
  }

  private variablesLike(token: string): Iterable<string> {
    if (identifier.test(token)) return [token];
    // A name that is computed as a whole says nothing.
    if (!/\w/.test(token)) return [];
    const like = new RegExp(`^${token.replaceAll(expansionMark, "\\w*")}$`);
    return [...this.variables].filter((name) => like.test(name));
  }

  private addText(holder: string, text: string): void {
    if (text.length > longestText) return;
    this.noteVariable(holder);
    let texts = this.texts.get(holder);
    if (texts === undefined) {
      texts = new Set();
      this.texts.set(holder, texts);
    }
    if (texts.has(text) || texts.size >= mostTexts) return;
    texts.add(text);
    this.pending.push(holder);
  }

  private noteVariable(holder: string): void {
    this.settled = false;
    if (identifier.test(holder)) this.variables.add(holder);
  }

  private pass(from: string, edge: Edge): void {
    const { to, way } = edge;
    const origin = this.origins.get(from);
    if (origin !== undefined)
      this.reach(to, way === "narrow" ? { ...origin, narrow: true } : origin, this.proofBehind(from, edge));
    if (way === "part" || way === "narrow") return;
    for (const text of this.texts.get(from) ?? []) {
      this.addText(to, text);
      if (way === "words" && this.separators.test(text))
        for (const word of text.split(this.separators, mostWords)) if (word !== "") this.addText(to, word);
    }
  }

  private settle(): void {
    if (this.settled) return;
    this.evaluated.clear();
    do {
      this.settled = true;
      while (this.pending.length > 0) {
        const changed = this.pending;
        this.pending = [];
        for (const holder of new Set(changed)) for (const edge of this.edges.get(holder) ?? []) this.pass(holder, edge);
      }
      for (const rule of this.rules) this.applyRule(rule);
    } while (this.pending.length > 0);
    this.settled = true;
  }

  private applyRule({ holder, apply, done, takesTexts }: NameRule): void {
    for (const text of this.texts.get(holder) ?? []) {
      if (takesTexts) {
        if (!done.has(text) && !text.includes(expansionMark)) {
          done.add(text);
          apply(text);
        }
        continue;
      }
      // Without quotes around it, a variable may hold several names.
      for (const word of text.split(/\s+/, mostWords)) {
        for (const name of this.variablesLike(firstName.exec(word)?.[0] ?? "")) {
          if (done.has(name)) continue;
          done.add(name);
          apply(name);
        }
      }
    }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the mark of what is computed.
const firstName = /^[A-Za-z_\u0002][\w\u0002]*/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the mark of what is computed.
const names = /(?<![\w#\u0002])[A-Za-z_\u0002][\w\u0002]*/g;

function unsplit(way: Way): Way {
  return way === "words" ? "whole" : way;
}

function anyParameter(holder: string): string | undefined {
  const [, scope, number] = /^(.*):(\d+|@)$/s.exec(holder) ?? [];
  // Only the text of `bash -c` may have its first argument there.
  if (scope === undefined || (number === "0" && !isTextScope(scope))) return undefined;
  return `${scope}:any`;
}
