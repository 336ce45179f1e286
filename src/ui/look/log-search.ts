import type { LogRow } from "./log-lines.ts";

/** What is looked for: a text as it stands, in capitals or not. */
export function patternOf(text: string): RegExp | undefined {
  return text === "" ? undefined : new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

/** Lines of a log that match. Only what is new is looked at when the log has grown. */
export class LogSearch {
  /** Indices of lines, ascending. */
  readonly found: number[] = [];
  private readonly matches: (row: LogRow) => boolean;
  private seen: readonly LogRow[] = [];
  private looked = 0;
  private last: LogRow | undefined;

  constructor(matches: (row: LogRow) => boolean) {
    this.matches = matches;
  }

  look(rows: readonly LogRow[]): readonly number[] {
    // Lines that have been taken out at the front, or sent again, have other numbers than before.
    if (rows !== this.seen || rows.length < this.looked || rows[this.looked - 1] !== this.last) {
      this.found.length = 0;
      this.looked = 0;
    }
    for (; this.looked < rows.length; this.looked++) {
      const row = rows[this.looked];
      if (row !== undefined && this.matches(row)) this.found.push(this.looked);
    }
    this.seen = rows;
    this.last = rows[this.looked - 1];
    return this.found;
  }
}

/** The next line that was found, round the ends. */
export function stepFound(found: readonly number[], from: number | undefined, step: 1 | -1): number | undefined {
  if (from === undefined) return step === 1 ? found[0] : found.at(-1);
  if (step === 1) return found.find((line) => line > from) ?? found[0];
  return found.findLast((line) => line < from) ?? found.at(-1);
}

/** A stretch of a line that looks the same. */
export interface MarkedSpan {
  readonly text: string;
  readonly class: string;
  readonly isHit: boolean;
}

/** Cuts a line where its look changes, and where what is looked for begins and ends. */
export function markHits(text: string, styles: LogRow["styles"], pattern: RegExp | undefined): MarkedSpan[] {
  const cuts =
    pattern === undefined
      ? []
      : [...text.matchAll(pattern)].flatMap(({ index, 0: hit }) => [index, index + hit.length]);
  const marked: MarkedSpan[] = [];
  let at = 0;
  let passed = 0;
  let end = 0;
  for (const [length, classes] of styles ?? [[text.length, ""] as const]) {
    end = Math.min(text.length, end + length);
    while (at < end) {
      while ((cuts[passed] ?? Number.POSITIVE_INFINITY) <= at) passed++;
      const next = Math.min(end, cuts[passed] ?? end);
      marked.push({ text: text.slice(at, next), class: classes, isHit: passed % 2 === 1 });
      at = next;
    }
  }
  return marked;
}
