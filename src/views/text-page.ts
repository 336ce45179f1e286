/** Which part of a text is wanted. */
export interface TextQuery {
  /** How many characters of the text to pass over. */
  readonly offset?: number | undefined;
  /** The last lines only: so many. */
  readonly tail?: number | undefined;
  /** How many characters the part may have. */
  readonly limit: number;
  /** Only the lines that hold this text or, where none does, those that match it as a pattern (RE2). */
  readonly grep?: string | undefined;
}

/** A piece of a text. A heading says who wrote what comes after it: whoever finds a line of that wants to know. */
export interface TextPiece {
  readonly text: string;
  readonly isHeading?: boolean;
}

/** A text that is waited for in parts, each of which is gone through before the next is asked for. */
export type TextParts = AsyncGenerator<Iterable<TextPiece>, void>;

/** A part of a text, with how much there is in all. */
export interface TextPage {
  readonly text: string;
  readonly lines: number;
  readonly bytes: number;
  /** Numbers of the first and the last line in the part, from 1 on; absent when it is empty. */
  readonly shown?: readonly [first: number, last: number];
  readonly matches?: Matches;
  /** Where the next part begins; absent when there is nothing after this one. */
  readonly next?: number;
}

export interface Matches {
  readonly total: number;
  /** How many of them the part holds. */
  readonly shown: number;
  /** They match the text as a pattern, because no line holds the text itself. */
  readonly isPattern: boolean;
}

/** Takes a text piece by piece. */
export interface Collector {
  add(piece: TextPiece): void;
  end(): TextPage;
}

/** Counts what goes by of a text. */
export class Tally {
  characters = 0;
  bytes = 0;
  /** How many lines have ended. */
  breaks = 0;
  #isInLine = false;

  add(text: string): void {
    if (text === "") return;
    this.characters += text.length;
    this.bytes += Buffer.byteLength(text);
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.breaks += 1;
    this.#isInLine = !text.endsWith("\n");
  }

  get lines(): number {
    return this.breaks + (this.#isInLine ? 1 : 0);
  }
}

/** Where a part of at most so many characters ends: after a line, if one ends in it. */
export function endOfPart(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  const afterLine = text.lastIndexOf("\n", limit - 1) + 1;
  if (afterLine > 0) return afterLine;
  return Math.max(1, isInsidePair(text, limit) ? limit - 1 : limit);
}

/** Where the end of a text begins that has at most so many characters and lines: with a line, if one begins in it. */
export function beginOfEnd(text: string, limit: number, mostLines?: number): number {
  const lines = mostLines === undefined ? 0 : beginOfLast(text, mostLines);
  const start = text.length - limit;
  if (start <= lines) return lines;
  const line = text.indexOf("\n", start - 1) + 1;
  if (line > 0 && line < text.length) return line;
  return isInsidePair(text, start) ? start + 1 : start;
}

function beginOfLast(text: string, lines: number): number {
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let count = 0; count < lines && at >= 0; count += 1) at = at === 0 ? -1 : text.lastIndexOf("\n", at - 1);
  return at + 1;
}

function isInsidePair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}
