/** A text that diagnostics can point into. Offsets are UTF-16 positions in `text`; lines and columns count from 1. */
export interface Source {
  /** What the reader knows the text as: a path, or a name such as `<inline>`. */
  readonly name: string;
  readonly text: string;
  /** The file that it was read from; absolute. */
  readonly file?: string;
  /** It was sent as a text: its name stands for no file. */
  readonly isInline?: true;
  /** Which files it can name by a path; without it, none. */
  readonly reach?: Reach;
}

export interface Reach {
  /** The directory from which its paths lead; absolute. */
  readonly base: string;
  /** The directory that they must stay in; absolute. */
  readonly root: string;
  /** A person named the file, and with it what lies beside and below it: nothing above, and no trust is asked for. */
  readonly isGiven?: true;
}

export interface Range {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

const lineStartsOf = new WeakMap<Source, readonly number[]>();

function lineStarts(source: Source): readonly number[] {
  let starts = lineStartsOf.get(source);
  if (starts === undefined) {
    const found = [0];
    for (let at = source.text.indexOf("\n"); at !== -1; at = source.text.indexOf("\n", at + 1)) found.push(at + 1);
    starts = found;
    lineStartsOf.set(source, starts);
  }
  return starts;
}

export function positionAt(source: Source, offset: number): Position {
  const starts = lineStarts(source);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] as number) + 1 };
}

/** Where a line starts; past the end is the end. */
export function lineStart(source: Source, line: number): number {
  return lineStarts(source)[line - 1] ?? source.text.length;
}

/** The text of a line without its line break; empty past the end. */
export function lineText(source: Source, line: number): string {
  const starts = lineStarts(source);
  const start = starts[line - 1];
  if (start === undefined) return "";
  const next = starts[line];
  return source.text.slice(start, next === undefined ? undefined : next - 1).replace(/\r$/, "");
}

export function lineCount(source: Source): number {
  return lineStarts(source).length;
}
