import { diffLines, type LineEdit } from "./line-diff.ts";
import { linesOf } from "./unified-diff.ts";

/**
 * What two people have made of the same text, in one text, line by line. Nothing when both have changed the same lines, or lines next
 * to each other, in different ways: nobody can tell then what they would have wanted.
 */
export function mergeTexts(base: string, ours: string, theirs: string): string | undefined {
  const lines = linesOf(base);
  const [our, their] = [ours, theirs].map((text) => new Side(lines, linesOf(text))) as [Side, Side];
  const merged: string[] = [];
  let reached = 0;
  for (const { start, end } of changedRanges([...our.edits, ...their.edits])) {
    for (; reached < start; reached++) merged.push(lines[reached] as string);
    const isOurs = our.changes(start, end);
    const isTheirs = their.changes(start, end);
    const [mine, other] = [our.between(start, end), their.between(start, end)];
    if (isOurs && isTheirs && mine.join("") !== other.join("")) return undefined;
    for (const line of isOurs ? mine : other) merged.push(line);
    reached = end;
  }
  for (; reached < lines.length; reached++) merged.push(lines[reached] as string);
  return merged.join("");
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Lines of the base that somebody has changed; what touches is one range. */
function changedRanges(edits: readonly LineEdit[]): readonly Range[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { oldStart, oldEnd } of edits.toSorted((one, other) => one.oldStart - other.oldStart)) {
    const last = ranges.at(-1);
    if (last === undefined || oldStart > last.end) ranges.push({ start: oldStart, end: oldEnd });
    else last.end = Math.max(last.end, oldEnd);
  }
  return ranges;
}

/** One of the two texts, read by the lines of the base. Ranges are asked for in order, and none ends within an edit. */
class Side {
  readonly edits: readonly LineEdit[];
  readonly #lines: readonly string[];
  #next = 0;
  /** How many lines more than the base it has up to there. */
  #more = 0;

  constructor(base: readonly string[], lines: readonly string[]) {
    this.edits = diffLines(base, lines).edits;
    this.#lines = lines;
  }

  changes(start: number, end: number): boolean {
    const edit = this.edits[this.#next];
    return edit !== undefined && edit.oldStart >= start && edit.oldEnd <= end;
  }

  between(start: number, end: number): readonly string[] {
    const from = start + this.#more;
    for (let edit = this.edits[this.#next]; edit !== undefined && edit.oldEnd <= end; edit = this.edits[this.#next]) {
      this.#more += edit.newEnd - edit.newStart - (edit.oldEnd - edit.oldStart);
      this.#next++;
    }
    return this.#lines.slice(from, end + this.#more);
  }
}
