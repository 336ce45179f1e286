/** A line of a value written as JSON; `end` where it opens something: the index of the line that closes it. */
export interface JsonLine {
  readonly text: string;
  readonly end?: number;
}

/** A value as lines that can be folded; nothing where the text is no object or list. */
export function jsonLinesOf(text: string): readonly JsonLine[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const texts = JSON.stringify(value, undefined, 2).split("\n");
  const ends = new Map<number, number>();
  const open: number[] = [];
  texts.forEach((line, index) => {
    const last = line.at(-1);
    // A text of JSON never ends a line with one of these: it ends with its quote.
    if (/^\s*[\]}],?$/.test(line)) {
      const start = open.pop();
      if (start !== undefined) ends.set(start, index);
    } else if (last === "{" || last === "[") open.push(index);
  });
  return texts.map((line, index) => {
    const end = ends.get(index);
    return end === undefined ? { text: line } : { text: line, end };
  });
}

/** Indices of the lines that are seen: those inside of what is folded are not. */
export function unfoldedLines(lines: readonly JsonLine[], folded: ReadonlySet<number>): number[] {
  const seen: number[] = [];
  for (let index = 0; index < lines.length; index++) {
    seen.push(index);
    const end = lines[index]?.end;
    // The line that closes it is shown behind the one that opens it.
    if (end !== undefined && folded.has(index)) index = end;
  }
  return seen;
}
