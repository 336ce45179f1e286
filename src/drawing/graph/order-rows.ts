import { keyOfEdge } from "./columns.ts";
import type { ShapeBox, ShapeEdge } from "./drawn-graph.ts";
import { levelOut } from "./level-out.ts";

/** How high everything stands: the middle of every box, and where an edge passes the columns between its ends. */
export interface Rows {
  readonly middles: ReadonlyMap<string, number>;
  /** From the first column after `from` to the last before `to`. */
  passages(edge: ShapeEdge): readonly number[];
}

/** A box in its column, or the place at which an edge passes one. */
export interface Item {
  readonly box: ShapeBox | undefined;
  readonly height: number;
  readonly before: Neighbour[];
  readonly after: Neighbour[];
  /** Its place in the column, from the top. */
  place: number;
  /** Its middle. */
  y: number;
}

/** What is joined with an item, in the next column, and how much it counts that the line between them is straight. */
export interface Neighbour {
  readonly item: Item;
  readonly weight: number;
}

/** What goes past boxes should do so in one line, and boxes beside each other should stand so. */
const weights = [4, 2, 8] as const;
const sweeps = 12;

/** Finds an order within columns that has few crossings, and heights that keep edges straight. Which column is decided already. */
export function* orderRows(
  boxes: readonly ShapeBox[],
  edges: readonly ShapeEdge[],
  columnOf: ReadonlyMap<string, number>,
): Generator<void, Rows> {
  const columns = Array.from({ length: Math.max(0, ...columnOf.values()) + 1 }, (): Item[] => []);
  const items = new Map<string, Item>();
  const add = (column: number, box: ShapeBox | undefined): Item => {
    const own = columns[column] as Item[];
    const item: Item = { box, height: box?.height ?? 0, before: [], after: [], place: own.length, y: 0 };
    own.push(item);
    return item;
  };
  for (const box of boxes) items.set(box.id, add(columnOf.get(box.id) ?? 0, box));
  const passing = new Map<string, readonly Item[]>();
  for (const { from, to } of edges) {
    const [first, last] = [items.get(from), items.get(to)];
    if (first === undefined || last === undefined) continue;
    const between: Item[] = [];
    for (let at = (columnOf.get(from) ?? 0) + 1; at < (columnOf.get(to) ?? 0); at++) between.push(add(at, undefined));
    passing.set(keyOfEdge(from, to), between);
    const all = [first, ...between, last];
    for (const [index, item] of all.slice(1).entries()) join(all[index] as Item, item);
  }
  yield* untangle(columns);
  yield* levelOut(columns);
  return {
    middles: new Map([...items].map(([id, { y }]) => [id, Math.round(y)])),
    passages: ({ from, to }) => (passing.get(keyOfEdge(from, to)) ?? []).map(({ y }) => Math.round(y)),
  };
}

function join(one: Item, other: Item): void {
  const passes = Number(one.box === undefined) + Number(other.box === undefined);
  const weight = weights[passes] ?? 1;
  one.after.push({ item: other, weight });
  other.before.push({ item: one, weight });
}

/** Each column in turn is put into the order of what it is joined with, to the right and back, and the best of all orders is kept. */
function* untangle(columns: readonly Item[][]): Generator<void> {
  let best = columns.map((column) => [...column]);
  let fewest = countCrossings(columns);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const isForward = sweep % 2 === 0;
    for (const column of isForward ? columns : [...columns].reverse()) {
      sortBy(column, (item) => middlePlace(isForward ? item.before : item.after));
      yield;
    }
    const crossings = countCrossings(columns);
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = columns.map((column) => [...column]);
  }
  for (const [index, column] of best.entries()) {
    (columns[index] as Item[]).splice(0, column.length, ...column);
    for (const [place, item] of column.entries()) item.place = place;
  }
}

/** What is joined with nothing stays between those that it stood between. */
function sortBy(column: Item[], wanted: (item: Item) => number | undefined): void {
  const places = new Map(column.map((item) => [item, wanted(item) ?? item.place]));
  column.sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0) || one.place - other.place);
  for (const [place, item] of column.entries()) item.place = place;
}

function middlePlace(neighbours: readonly Neighbour[]): number | undefined {
  if (neighbours.length === 0) return undefined;
  return neighbours.reduce((sum, { item }) => sum + item.place, 0) / neighbours.length;
}

function countCrossings(columns: readonly (readonly Item[])[]): number {
  let crossings = 0;
  for (const column of columns) {
    // Of lines whose left ends come one after the other, those cross whose right ends do not.
    const ends: number[] = [];
    for (const { after } of column) {
      const own = after.map(({ item }) => item.place).sort((one, other) => one - other);
      for (const end of own) crossings += ends.length - upTo(ends, end);
      for (const end of own) ends.splice(upTo(ends, end), 0, end);
    }
  }
  return crossings;
}

/** How many of sorted numbers are no larger. */
function upTo(sorted: readonly number[], number: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}
