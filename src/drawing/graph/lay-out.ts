import { atOnce } from "../at-once.ts";
import { columnsOf, keyOfEdge, soundEdges } from "./columns.ts";
import type { DrawnGraph, Placed, Point, Shape, ShapeBox, ShapeEdge } from "./drawn-graph.ts";
import { orderRows, type Rows } from "./order-rows.ts";
import { type Crossing, findTrunks, type Trunks } from "./route-edges.ts";

export interface Layout extends Pick<DrawnGraph, "width" | "height" | "finallyArea"> {
  /** Column by column, from top to bottom; those of `finally` last. */
  readonly boxes: readonly InColumn[];
  /** By `keyOfEdge`: from the right side of a box to the left side of another. */
  readonly routes: ReadonlyMap<string, readonly Point[]>;
}

export interface InColumn extends Placed {
  readonly column: number;
}

const gapWidth = 26;
const lanePitch = 8;
const mostLanesRoom = 64;
const margin = 2;

export function layOut(shape: Shape): Layout {
  return atOnce(layOutInSlices(shape));
}

/** The same, with rests: a graph of a thousand edges takes a while. */
export function* layOutInSlices(shape: Shape): Generator<void, Layout> {
  const main = yield* layOutPart({
    boxes: shape.boxes.filter(({ isFinally }) => !isFinally),
    edges: shape.edges,
  });
  const last = shape.boxes.filter(({ isFinally }) => isFinally);
  if (last.length === 0) return main;
  const isLoose =
    soundEdges(
      last.map(({ id }) => id),
      shape.edges,
    ).length === 0;
  return withFinally(main, isLoose ? besideEachOther(last) : yield* layOutPart({ boxes: last, edges: shape.edges }));
}

const mostInRow = 4;
const mostInColumn = 8;

/** Boxes that nothing joins, in rows. */
function besideEachOther(boxes: readonly ShapeBox[]): Layout {
  const width = Math.max(...boxes.map((box) => box.width));
  const height = Math.max(...boxes.map((box) => box.height));
  const columns = Math.min(boxes.length, Math.max(mostInRow, Math.ceil(Math.sqrt(boxes.length / 2))));
  const placed = boxes.map(({ id, height: own }, index): InColumn => {
    const column = index % columns;
    return { id, column, x: column * (width + 8), y: Math.floor(index / columns) * (height + 8), width, height: own };
  });
  return {
    width: columns * (width + 8) - 8,
    height: Math.ceil(boxes.length / columns) * (height + 8) - 8,
    boxes: placed,
    routes: new Map(),
  };
}

function* layOutPart(shape: Shape): Generator<void, Layout> {
  const ids = shape.boxes.map(({ id }) => id);
  const edges = soundEdges(ids, shape.edges);
  // As one column they would be far higher than wide.
  if (edges.length === 0 && ids.length > mostInColumn) return besideEachOther(shape.boxes);
  const columns = columnsOf(ids, edges);
  const boxes = alignColumns(shape.boxes, columns);
  const rows = boxes.length === 0 ? noRows : yield* orderRows(boxes, edges, columns);
  const crossings = yield* crossColumns(boxes, edges, columns, rows);
  const trunks = findTrunks(crossings);
  const { lefts, widths, width } = placeColumns(boxes, columns, trunks);
  const placed = boxes
    .map((box): InColumn => {
      const column = columns.get(box.id) ?? 0;
      const y = (rows.middles.get(box.id) ?? 0) - box.height / 2;
      return { id: box.id, column, x: lefts[column] ?? 0, y, width: box.width, height: box.height };
    })
    .sort((one, other) => one.column - other.column || one.y - other.y);
  const routes = new Map<string, readonly Point[]>();
  for (const crossing of crossings) {
    const { from, to } = crossing.edge;
    routes.set(keyOfEdge(from, to), trace(crossing, trunks, lefts, widths));
  }
  return fromTheTop(placed, routes, width);
}

const noRows: Rows = { middles: new Map(), passages: () => [] };

/** All boxes of a column have the width of its widest. */
function alignColumns(boxes: readonly ShapeBox[], columns: ReadonlyMap<string, number>): readonly ShapeBox[] {
  const widths: number[] = [];
  for (const { id, width } of boxes) {
    const column = columns.get(id) ?? 0;
    widths[column] = Math.max(widths[column] ?? 0, width);
  }
  return boxes.map((box) => ({ ...box, width: widths[columns.get(box.id) ?? 0] ?? box.width }));
}

/** An edge that passes columns stays as high as one of its ends where no box is in its way, else it goes where room was kept for it. */
function* crossColumns(
  boxes: readonly ShapeBox[],
  edges: readonly ShapeEdge[],
  columns: ReadonlyMap<string, number>,
  rows: Rows,
): Generator<void, readonly Crossing[]> {
  const inColumns = new Map<number, { id: string; from: string; to: string; top: number; bottom: number }[]>();
  const take = (column: number, id: string, { from, to }: ShapeEdge, middle: number, half: number): void => {
    const taken = { id, from, to, top: middle - half, bottom: middle + half };
    inColumns.set(column, [...(inColumns.get(column) ?? []), taken]);
  };
  for (const { id, height } of boxes) {
    take(columns.get(id) ?? 0, id, { from: id, to: id }, rows.middles.get(id) ?? 0, height / 2);
  }
  // Edges with an end in common may lie on each other: they are one bundle.
  const isFree = (edge: ShapeEdge, column: number, height: number): boolean =>
    (inColumns.get(column) ?? []).every(
      (other) =>
        height < other.top - 5 ||
        height > other.bottom + 5 ||
        (other.id === "" && (other.from === edge.from || other.to === edge.to) && height === other.top),
    );
  const crossings: Crossing[] = [];
  for (const edge of edges) {
    const column = columns.get(edge.from) ?? 0;
    const between = Array.from({ length: (columns.get(edge.to) ?? 0) - column - 1 }, (_, index) => column + 1 + index);
    const start = rows.middles.get(edge.from) ?? 0;
    const end = rows.middles.get(edge.to) ?? 0;
    const passages = rows.passages(edge);
    const level = [start, end, ...passages].find((height) => between.every((passed) => isFree(edge, passed, height)));
    const heights = between.map((_, index) => level ?? passages[index] ?? start);
    for (const [index, passed] of between.entries()) take(passed, "", edge, heights[index] ?? 0, 0);
    crossings.push({ edge, column, heights: [start, ...heights, end] });
    yield;
  }
  return crossings;
}

function placeColumns(boxes: readonly ShapeBox[], columns: ReadonlyMap<string, number>, trunks: Trunks): Columns {
  const widths: number[] = [];
  for (const { id, width } of boxes) widths[columns.get(id) ?? 0] = width;
  const lefts: number[] = [];
  let x = margin;
  for (const [column, width] of widths.entries()) {
    lefts.push(x);
    x += width + gapWidth + laneOffset(trunks.lanes(column) - 1, trunks.lanes(column));
  }
  const last = widths.length - 1;
  return { lefts, widths, width: (lefts[last] ?? 0) + (widths[last] ?? 0) + margin };
}

interface Columns {
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
  readonly width: number;
}

function laneOffset(lane: number, lanes: number): number {
  return Math.max(0, lane) * Math.min(lanePitch, mostLanesRoom / Math.max(1, lanes));
}

function trace(
  { edge, column, heights }: Crossing,
  trunks: Trunks,
  lefts: readonly number[],
  widths: readonly number[],
): readonly Point[] {
  const rightOf = (passed: number): number => (lefts[passed] ?? 0) + (widths[passed] ?? 0);
  const points: Point[] = [{ x: rightOf(column), y: heights[0] ?? 0 }];
  for (const [index, y] of heights.slice(0, -1).entries()) {
    const gap = column + index;
    const lane = trunks.laneOf(edge, gap);
    if (lane === undefined) continue;
    const x = rightOf(gap) + gapWidth / 2 + laneOffset(lane, trunks.lanes(gap));
    points.push({ x, y }, { x, y: heights[index + 1] ?? y });
  }
  points.push({ x: lefts[column + heights.length - 1] ?? 0, y: heights.at(-1) ?? 0 });
  return points;
}

function fromTheTop(boxes: readonly InColumn[], routes: ReadonlyMap<string, readonly Point[]>, width: number): Layout {
  const all = [...routes.values()].flat().map(({ y }) => y);
  const top = Math.min(...boxes.map(({ y }) => y), ...all) - margin;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height), ...all) + margin;
  if (boxes.length === 0) return { width: 0, height: 0, boxes, routes };
  return { ...moved({ width, height: bottom - top, boxes, routes }, 0, -top), width, height: bottom - top };
}

function moved(layout: Layout, right: number, down: number): Layout {
  const routes = new Map<string, readonly Point[]>();
  for (const [key, points] of layout.routes) {
    routes.set(
      key,
      points.map(({ x, y }) => ({ x: x + right, y: y + down })),
    );
  }
  return { ...layout, boxes: layout.boxes.map((box) => ({ ...box, x: box.x + right, y: box.y + down })), routes };
}

const areaPadding = 12;
const captionRoom = 8;

/** Bottom right, as high as what stands above it lets it. */
function withFinally(main: Layout, last: Layout): Layout {
  const width = last.width + 2 * areaPadding;
  const height = last.height + 2 * areaPadding + captionRoom;
  const x = Math.max(0, main.width - width);
  const isAbove = (left: number, right: number): boolean => right > x - 6 && left < x + width + 6;
  const bottoms = main.boxes.filter((box) => isAbove(box.x, box.x + box.width)).map((box) => box.y + box.height);
  for (const points of main.routes.values()) {
    for (const [index, point] of points.entries()) {
      const next = points[index + 1] ?? point;
      if (isAbove(point.x, next.x)) bottoms.push(Math.max(point.y, next.y));
    }
  }
  const lowest = main.height - height;
  const y = Math.max(lowest, ...bottoms.map((bottom) => bottom + areaPadding * 2));
  const area = { x, y: Math.max(0, y), width, height };
  const inside = moved(last, x + areaPadding, area.y + areaPadding + captionRoom);
  return {
    width: Math.max(main.width, width),
    height: Math.max(main.height, area.y + height + margin),
    boxes: [...main.boxes, ...inside.boxes],
    routes: new Map([...main.routes, ...inside.routes]),
    finallyArea: area,
  };
}
