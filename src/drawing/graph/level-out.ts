import type { Item, Neighbour } from "./order-rows.ts";

const betweenBoxes = 12;
const betweenEdges = 8;
const rounds = 16;
const mostShift = 10;

/** Gives every item of columns, whose order is decided, a height: as near to what it is joined with as those beside it let it. */
export function* levelOut(columns: readonly (readonly Item[])[]): Generator<void> {
  for (const column of columns) place(column, () => 0);
  for (let round = 0; round < rounds; round++) {
    const isForward = round % 2 === 0;
    // At first each side for itself, so that what is far away is heard of; then both.
    const isSettling = round >= rounds / 2;
    for (const column of isForward ? columns : [...columns].reverse()) {
      place(column, ({ before, after, y }) => {
        const joined = isSettling ? [...before, ...after] : isForward ? before : after;
        return joined.length === 0 ? y : meanHeight(joined);
      });
      yield;
    }
  }
  for (const column of columns) straighten(column, ({ before }) => before);
  for (const column of [...columns].reverse()) straighten(column, ({ after }) => after);
}

function meanHeight(neighbours: readonly Neighbour[]): number {
  let [sum, weights] = [0, 0];
  for (const { item, weight } of neighbours) {
    sum += item.y * weight;
    weights += weight;
  }
  return sum / weights;
}

interface Pool {
  sum: number;
  count: number;
  readonly first: number;
}

/**
 * Puts the items of a column as near as possible to where they want to stand, in their order and with room between them. Those that would
 * come too close are pooled and stand together around the mean of what they want: no other way has smaller squares of what is missed.
 */
function place(column: readonly Item[], wanted: (item: Item) => number): void {
  const offsets = offsetsOf(column);
  const pools: Pool[] = [];
  for (const [index, item] of column.entries()) {
    let pool: Pool = { sum: wanted(item) - (offsets[index] ?? 0), count: 1, first: index };
    for (let above = pools.at(-1); above !== undefined && meanOf(above) >= meanOf(pool); above = pools.at(-1)) {
      pools.pop();
      pool = { sum: above.sum + pool.sum, count: above.count + pool.count, first: above.first };
    }
    pools.push(pool);
  }
  for (const [index, pool] of pools.entries()) {
    const end = pools[index + 1]?.first ?? column.length;
    for (let at = pool.first; at < end; at++) (column[at] as Item).y = meanOf(pool) + (offsets[at] ?? 0);
  }
}

function meanOf({ sum, count }: Pool): number {
  return sum / count;
}

/** How far below the first each stands where all stand as close as they may. */
function offsetsOf(column: readonly Item[]): readonly number[] {
  const offsets: number[] = [];
  for (const [index, item] of column.entries()) {
    const above = column[index - 1];
    offsets.push(above === undefined ? 0 : (offsets[index - 1] ?? 0) + distance(above, item));
  }
  return offsets;
}

function distance(above: Item, below: Item): number {
  const gap = above.box === undefined && below.box === undefined ? betweenEdges : betweenBoxes;
  return (above.height + below.height) / 2 + gap;
}

/** A line that is nearly straight becomes so, where its item can move without bending another straight line. */
function straighten(column: readonly Item[], sideOf: (item: Item) => readonly Neighbour[]): void {
  for (const [index, item] of column.entries()) {
    if (isStraight(item)) continue;
    const [nearest] = sideOf(item)
      .map((neighbour) => neighbour.item.y)
      .filter((y) => Math.abs(y - item.y) <= mostShift)
      .sort((one, other) => Math.abs(one - item.y) - Math.abs(other - item.y));
    if (nearest !== undefined) move(column, index, nearest);
  }
}

function isStraight({ before, after, y }: Item): boolean {
  return [...before, ...after].some(({ item }) => item.y === y);
}

/** Moves an item, and those beside it as far as they are in its way; nothing where one of those should stay. */
function move(column: readonly Item[], index: number, y: number): void {
  const moved = new Map<number, number>([[index, y]]);
  const step = y > (column[index]?.y ?? y) ? 1 : -1;
  for (let at = index + step; ; at += step) {
    const [item, last] = [column[at], column[at - step]];
    if (item === undefined || last === undefined) break;
    const room = step > 0 ? distance(last, item) : distance(item, last);
    const least = (moved.get(at - step) ?? last.y) + step * room;
    if ((item.y - least) * step >= 0) break;
    if (isStraight(item)) return;
    moved.set(at, least);
  }
  for (const [at, to] of moved) (column[at] as Item).y = to;
}
