/**
 * Which lines of a text are removed and which are added to get another one: the fewest possible, as long as they are not too many
 * to be looked for. Beyond that everything between the first and the last difference is removed and added.
 */
export interface LineDiff {
  /** Ranges of differing lines, in order, never next to each other; ends are exclusive. */
  readonly edits: readonly LineEdit[];
  readonly removed: number;
  readonly added: number;
}

export interface LineEdit {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** The search remembers the square of it. */
const mostDifferences = 2_000;
const mostSteps = 100_000_000;

export function diffLines(before: readonly string[], after: readonly string[]): LineDiff {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  const numbers = new Map<string, number>();
  const old = numberLines(before.slice(start, before.length - same), numbers);
  const now = numberLines(after.slice(start, after.length - same), numbers);
  const kept = findKeptLines(old, now);
  const edits = kept === undefined ? [wholeOf(old, now)] : [...editsBetween(kept, old.length, now.length)];
  return {
    edits: edits.map((edit) => shift(edit, start)),
    removed: edits.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0),
    added: edits.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0),
  };
}

/** Equal lines have equal numbers, which are compared faster. */
function numberLines(lines: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(lines, (line) => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  });
}

/** A line that stays, by its place in either text. */
type KeptLine = readonly [number, number];

/**
 * Myers's greedy search. After round d, `reach[k]` is how many lines of the old text the best way with d differences has covered
 * on diagonal k, where it has covered k lines fewer of the new text.
 */
function findKeptLines(old: Int32Array, now: Int32Array): KeptLine[] | undefined {
  const size = old.length + now.length;
  const most = Math.min(size, mostDifferences, Math.ceil(mostSteps / Math.max(1, size)));
  const origin = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const rounds: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    // What the round before has reached, for the way back.
    rounds.push(reach.slice(origin - d - 1, origin + d + 2));
    for (let k = -d; k <= d; k += 2) {
      let x = comesFromAbove(reach, origin + k, k, d) ? at(reach, origin + k + 1) : at(reach, origin + k - 1) + 1;
      while (x < old.length && x - k < now.length && old[x] === now[x - k]) x++;
      reach[origin + k] = x;
      if (x >= old.length && x - k >= now.length) return walkBack(rounds, old.length, now.length);
    }
  }
  return undefined;
}

function comesFromAbove(reach: Int32Array, index: number, k: number, d: number): boolean {
  return k === -d || (k !== d && at(reach, index - 1) < at(reach, index + 1));
}

function walkBack(rounds: readonly Int32Array[], oldLength: number, newLength: number): KeptLine[] {
  const kept: KeptLine[] = [];
  let [x, y] = [oldLength, newLength];
  for (let d = rounds.length - 1; d >= 0; d--) {
    const reach = rounds[d] as Int32Array;
    const index = d + 1 + (x - y);
    const fromAbove = comesFromAbove(reach, index, x - y, d);
    const previousX = d === 0 ? 0 : at(reach, fromAbove ? index + 1 : index - 1);
    const previousY = d === 0 ? 0 : previousX - (x - y) - (fromAbove ? 1 : -1);
    while (x > previousX && y > previousY) kept.push([--x, --y]);
    [x, y] = [previousX, previousY];
  }
  return kept.reverse();
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] as number;
}

function* editsBetween(kept: readonly KeptLine[], oldLength: number, newLength: number): Generator<LineEdit> {
  let [oldStart, newStart] = [0, 0];
  for (const [oldEnd, newEnd] of [...kept, [oldLength, newLength] as const]) {
    if (oldEnd > oldStart || newEnd > newStart) yield { oldStart, oldEnd, newStart, newEnd };
    [oldStart, newStart] = [oldEnd + 1, newEnd + 1];
  }
}

function wholeOf(old: Int32Array, now: Int32Array): LineEdit {
  return { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: now.length };
}

function shift({ oldStart, oldEnd, newStart, newEnd }: LineEdit, by: number): LineEdit {
  return { oldStart: oldStart + by, oldEnd: oldEnd + by, newStart: newStart + by, newEnd: newEnd + by };
}
