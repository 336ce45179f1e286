/** What is left of two texts without the whole lines they share at their beginnings and ends, but for a few around the rest. */
export interface DifferingPart {
  readonly before: string;
  readonly after: string;
  /** Lines that were left out at the beginning. */
  readonly linesAhead: number;
}

export function differingPart(before: string, after: string, linesAround: number): DifferingPart {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++;
  // What is the same at the end must not be counted at the beginning too.
  let sameAtEnd = 0;
  while (
    sameAtEnd < shorter - same &&
    before.charCodeAt(before.length - 1 - sameAtEnd) === after.charCodeAt(after.length - 1 - sameAtEnd)
  ) {
    sameAtEnd++;
  }
  const start = lineBefore(before, same, linesAround);
  const end = lineAfter(before, before.length - sameAtEnd, linesAround);
  return {
    before: before.slice(start, end),
    after: after.slice(start, after.length - (before.length - end)),
    linesAhead: countLines(before.slice(0, start)),
  };
}

/** Where the line begins that lies this many lines before the one that an offset is in. */
function lineBefore(text: string, offset: number, lines: number): number {
  let start = offset;
  for (let line = 0; line <= lines && start > 0; line++) {
    start = start < 2 && line > 0 ? 0 : text.lastIndexOf("\n", start - (line === 0 ? 1 : 2)) + 1;
  }
  return start;
}

/** Where this many lines end after the one that an offset is in. */
function lineAfter(text: string, offset: number, lines: number): number {
  let end = offset;
  for (let line = 0; line <= lines && end < text.length; line++) {
    const newline = text.indexOf("\n", end);
    end = newline === -1 ? text.length : newline + 1;
  }
  return end;
}

/** A last one without an end is a line too. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return text === "" || text.endsWith("\n") ? count : count + 1;
}
