import type { Span } from "../../expression/ast.ts";
import { type Proof, provePart } from "../../expression/proof.ts";
import { defined } from "../../util/defined.ts";
import {
  expansionMark,
  fedMark,
  type Held,
  type ParsedWord,
  type Piece,
  type PlacedSlot,
  type ReadPiece,
  valueMark,
  type Word,
} from "./shell-syntax.ts";
import { resultOf, type ValueFlow } from "./value-flow.ts";

/** Writes what holds a value as if the value itself stood there, so that every check of values sees it. */
export class HeldValues {
  private readonly text: string;
  private readonly flow: ValueFlow;

  constructor(text: string, flow: ValueFlow) {
    this.text = text;
    this.flow = flow;
  }

  lift(parsed: ParsedWord): Word {
    const slots: PlacedSlot[] = [];
    let text = "";
    for (const piece of parsed.pieces) {
      const slot = this.slotIn(piece);
      if (slot !== undefined) slots.push(slot);
      const known = piece.kind === "read" && slot === undefined ? this.flow.onlyTextOf(piece.holder) : undefined;
      if (piece.kind === "text") text += piece.text;
      else if (known !== undefined && !/\s/.test(known)) text += known;
      else if (slot === undefined) text += expansionMark;
      else text += piece.kind === "output" ? fedMark : valueMark;
    }
    const [only, ...others] = parsed.pieces;
    const list = only?.kind === "read" && only.list && others.length === 0 ? only.holder : undefined;
    const { start, end, quoted } = parsed;
    const elements = parsed.elements?.map((element) => this.lift(element));
    const known = parsed.pieces.every((piece) => this.isKnown(piece));
    return { start, end, quoted, text, slots, elements, list, known, parsed };
  }

  private isKnown(piece: Piece): boolean {
    return piece.kind === "text" || (piece.kind === "read" && this.flow.holdsTextOnly(piece.holder));
  }

  /** The value that a piece is or holds. */
  slotIn(piece: Piece): PlacedSlot | undefined {
    if (piece.kind === "value") return piece.slot;
    if (piece.kind === "read")
      return this.heldBy(piece, this.flow.originOf(piece.holder), this.flow.proofAt(piece.holder));
    if (piece.kind === "output") return this.printed(piece, this.flow.originOf(resultOf(piece.group)), piece.split);
    return undefined;
  }

  /** The value that bash comes to when it calculates with the piece. */
  evaluatedIn(piece: Piece): PlacedSlot | undefined {
    if (piece.kind === "read") {
      const { holder } = piece;
      const origin = this.flow.evaluatedOriginOf(holder);
      // What bash comes to by a name that the variable holds is not what is known of the variable.
      const proof = origin === this.flow.originOf(holder) ? this.flow.proofAt(holder) : undefined;
      return this.heldBy(piece, origin, proof);
    }
    if (piece.kind === "output")
      return this.printed(piece, this.flow.evaluatedOriginOf(resultOf(piece.group)), piece.split);
    return this.slotIn(piece);
  }

  /** The value that bash comes to when it calculates with the names in a text, which stands at the range. */
  namedIn(text: string, { start, end }: Span): PlacedSlot | undefined {
    const origin = this.flow.namedOrigin(text);
    if (origin === undefined) return undefined;
    return held(text, this.referenceOf(origin), { start, end }, false, indexOfValue(origin));
  }

  private heldBy(read: ReadPiece, origin: PlacedSlot | undefined, whole: Proof | undefined): PlacedSlot | undefined {
    if (origin === undefined) return undefined;
    // All elements together are more than one value, the author's own among them.
    const isPart = read.altered || read.list || (this.flow.splitsAnywhere && read.split);
    const proof = isPart ? provePart(whole) : whole;
    // What is known of a value is not what is known of what holds it.
    if (isInside(origin, read) && this.flow.proofOfSlot(origin) === undefined) return origin;
    const written = read.shown ?? this.text.slice(read.start, read.end);
    const name = /^[A-Za-z_]\w*$/.test(read.holder) ? read.holder : written;
    const slot = {
      ...held(name, this.referenceOf(origin), read, read.split, indexOfValue(origin)),
      narrow: origin.narrow === true,
      ...defined({ proof }),
    };
    return read.shown === undefined ? slot : { ...slot, held: { ...slot.held, shown: read.shown } };
  }

  private printed(range: Span, origin: PlacedSlot | undefined, split: boolean): PlacedSlot | undefined {
    if (origin === undefined) return undefined;
    if (isInside(origin, range) && this.flow.proofOfSlot(origin) === undefined) return origin;
    const written = this.text.slice(range.start, range.end);
    return held(written, this.referenceOf(origin), range, split, indexOfValue(origin));
  }

  referenceOf(origin: PlacedSlot): string {
    return origin.held?.reference ?? this.text.slice(origin.start, origin.end);
  }
}

function held(
  name: string,
  reference: string,
  { start, end }: Span,
  split: boolean,
  value: number | undefined,
): PlacedSlot & { readonly held: Held } {
  return { start, end, value: -1, context: "double-quoted", held: { name, reference, split, ...defined({ value }) } };
}

/** The index of the value that an origin is or holds. */
function indexOfValue(origin: PlacedSlot): number | undefined {
  return origin.held === undefined ? origin.value : origin.held.value;
}

function isInside(inner: PlacedSlot, { start, end }: Span): boolean {
  return inner.held === undefined && inner.start >= start && inner.end <= end;
}
