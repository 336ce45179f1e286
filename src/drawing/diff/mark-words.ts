import type { MarkedPart } from "./diff-row.ts";

export interface MarkedPair {
  readonly before: readonly MarkedPart[];
  readonly after: readonly MarkedPart[];
}

/** Of longer lines only the ends that are the same are told apart from the rest. */
const mostWords = 200;
const longestLine = 2000;

/** Marks the words in which two lines differ. Where hardly anything is the same, marks would say nothing: the lines stay whole. */
export function markWords(before: string, after: string): MarkedPair {
  const whole = { before: [{ text: before }], after: [{ text: after }] };
  if (before.length > longestLine || after.length > longestLine) return whole;
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const oldMiddle = old.slice(start, old.length - end);
  const newMiddle = now.slice(start, now.length - end);
  const [oldKept, newKept] = commonWords(oldMiddle, newMiddle);
  const isKept = (kept: ReadonlySet<number>, index: number, length: number): boolean =>
    index < start || index >= length - end || kept.has(index - start);
  const oldParts = joinParts(old, (index) => isKept(oldKept, index, old.length));
  const newParts = joinParts(now, (index) => isKept(newKept, index, now.length));
  return isWorthMarking(oldParts, newParts) ? { before: oldParts, after: newParts } : whole;
}

/** Words, numbers with what belongs to them (`2.4.0-rc.1`), stretches of blanks, and every other sign alone. */
function wordsOf(line: string): string[] {
  return line.match(/\p{N}[\p{L}\p{N}_]*(?:[.-][\p{L}\p{N}_]+)+|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** Indices of a longest sequence of words that both have. */
function commonWords(old: readonly string[], now: readonly string[]): [Set<number>, Set<number>] {
  const kept: [Set<number>, Set<number>] = [new Set(), new Set()];
  if (old.length === 0 || now.length === 0 || old.length > mostWords || now.length > mostWords) return kept;
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < old.length && column < now.length; ) {
    if (old[row] === now[column]) {
      kept[0].add(row++);
      kept[1].add(column++);
    } else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return kept;
}

/** Neighbours of one kind are one part; a single sign or blank between two marked words is marked with them. */
function joinParts(words: readonly string[], isSame: (index: number) => boolean): MarkedPart[] {
  const marks = words.map((_, index) => !isSame(index));
  const parts: { text: string; isMarked?: true }[] = [];
  words.forEach((text, index) => {
    const isMarked =
      marks[index] || (!/[\p{L}\p{N}_]/u.test(text) && marks[index - 1] === true && marks[index + 1] === true);
    const last = parts.at(-1);
    if (last !== undefined && (last.isMarked === true) === isMarked) last.text += text;
    else parts.push(isMarked ? { text, isMarked } : { text });
  });
  return parts;
}

function isWorthMarking(before: readonly MarkedPart[], after: readonly MarkedPart[]): boolean {
  const length = (parts: readonly MarkedPart[], isSame: boolean): number =>
    parts.reduce((sum, { text, isMarked }) => sum + (isSame && isMarked ? 0 : text.replace(/\s/g, "").length), 0);
  const longest = Math.max(length(before, false), length(after, false));
  return Math.max(length(before, true), length(after, true)) * 3 >= longest;
}
