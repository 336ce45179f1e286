import { keyOfEdge } from "./columns.ts";
import { type Point, type ShapeEdge, shortBy } from "./drawn-graph.ts";

/**
 * Edges at right angles. Each crosses the gaps between columns one by one: level where it can, else by a trunk, an upright line in the gap
 * that it shares with edges of the same beginning or the same end. Trunks that would touch stand beside each other, so that no edge seems
 * to lead where it does not.
 */
export interface Crossing {
  readonly edge: ShapeEdge;
  /** The column of its beginning. */
  readonly column: number;
  /** How high it stands in each column, from its beginning to its end. */
  readonly heights: readonly number[];
}

export interface Trunks {
  /** How many stand beside each other in a gap. */
  lanes(gap: number): number;
  /** Which of them an edge goes by; undefined where it is level. */
  laneOf(edge: ShapeEdge, gap: number): number | undefined;
}

interface Leg {
  readonly edge: ShapeEdge;
  readonly left: string;
  readonly right: string;
  readonly from: number;
  readonly to: number;
}

const trunkRoom = 6;

export function findTrunks(crossings: readonly Crossing[]): Trunks {
  const gaps = new Map<number, Leg[]>();
  for (const { edge, column, heights } of crossings) {
    for (const [index, from] of heights.slice(0, -1).entries()) {
      const to = heights[index + 1] ?? from;
      const leg = { edge, left: `${edge.from}\t${from}`, right: `${edge.to}\t${to}`, from, to };
      const gap = column + index;
      gaps.set(gap, [...(gaps.get(gap) ?? []), leg]);
    }
  }
  const lanes = new Map<string, number>();
  const counts = new Map<number, number>();
  for (const [gap, legs] of gaps) counts.set(gap, placeTrunks(gap, legs, lanes));
  return {
    lanes: (gap) => counts.get(gap) ?? 0,
    laneOf: ({ from, to }, gap) => lanes.get(`${gap}\t${keyOfEdge(from, to)}`),
  };
}

function placeTrunks(gap: number, legs: readonly Leg[], lanes: Map<string, number>): number {
  const bent = legs.filter(({ from, to }) => from !== to);
  const begin = countBy(bent, ({ left }) => left);
  const end = countBy(bent, ({ right }) => right);
  const trunks = new Map<string, Leg[]>();
  for (const leg of bent) {
    const joins = (end.get(leg.right) ?? 0) > Math.max(1, (begin.get(leg.left) ?? 0) - 1);
    const key = joins ? `1${leg.right}` : `0${leg.left}`;
    trunks.set(key, [...(trunks.get(key) ?? []), leg]);
  }
  const taken: { top: number; bottom: number }[][] = [];
  // Those that part stand left of those that join: they cross less.
  for (const [, trunk] of [...trunks].sort(([one], [other]) => Number(one[0]) - Number(other[0]))) {
    const heights = trunk.flatMap(({ from, to }) => [from, to]);
    const [top, bottom] = [Math.min(...heights) - trunkRoom, Math.max(...heights) + trunkRoom];
    let lane = taken.findIndex((others) => others.every((other) => other.bottom < top || other.top > bottom));
    if (lane === -1) lane = taken.push([]) - 1;
    taken[lane]?.push({ top, bottom });
    for (const { edge } of trunk) lanes.set(`${gap}\t${keyOfEdge(edge.from, edge.to)}`, lane);
  }
  return taken.length;
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

const radius = 8;

/** A line through points, with round corners; it ends a little before the last. */
export function pathThrough(points: readonly Point[]): string {
  const parts: string[] = [];
  for (const [index, { x, y }] of points.entries()) {
    const before = points[index - 1];
    const after = points[index + 1];
    if (before === undefined) parts.push(`M${x} ${y}`);
    else if (after === undefined) parts.push(`L${x - shortBy} ${y}`);
    else {
      const bend = Math.min(radius, lengthOf(before, { x, y }) / 2, lengthOf({ x, y }, after) / 2);
      const start = towards({ x, y }, before, bend);
      const end = towards({ x, y }, after, bend);
      parts.push(`L${start.x} ${start.y}Q${x} ${y} ${end.x} ${end.y}`);
    }
  }
  return parts.join("");
}

function lengthOf(one: Point, other: Point): number {
  return Math.abs(one.x - other.x) + Math.abs(one.y - other.y);
}

function towards(from: Point, to: Point, distance: number): Point {
  const length = lengthOf(from, to) || 1;
  return { x: from.x + ((to.x - from.x) * distance) / length, y: from.y + ((to.y - from.y) * distance) / length };
}
