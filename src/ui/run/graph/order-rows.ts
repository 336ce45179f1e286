import type { EdgeLabel, GraphLabel, NodeLabel, RankerFunction } from "@dagrejs/dagre";
import type { ShapeBox, ShapeEdge } from "./shape.ts";

export type Dagre = typeof import("@dagrejs/dagre");

/** How high everything stands: the middle of every box, and where an edge passes the columns between its ends. */
export interface Rows {
  readonly middles: ReadonlyMap<string, number>;
  /** From the first column after `from` to the last before `to`. */
  passages(edge: ShapeEdge): readonly number[];
}

const betweenBoxes = 12;
const betweenEdges = 12;

/** Dagre finds the order within columns that has few crossings, and heights that keep edges straight; which column is decided already. */
export function orderRows(
  { Graph, layout }: Dagre,
  boxes: readonly ShapeBox[],
  edges: readonly ShapeEdge[],
  columns: ReadonlyMap<string, number>,
): Rows {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>();
  graph.setGraph({
    rankdir: "LR",
    nodesep: betweenBoxes,
    edgesep: betweenEdges,
    ranksep: 40,
    // It takes a function, but its types do not say so.
    ranker: rankBy(columns) as never,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const { from, to } of edges) {
    const isNext = (columns.get(to) ?? 0) - (columns.get(from) ?? 0) === 1;
    graph.setEdge(from, to, { weight: isNext ? 8 : 1 });
  }
  layout(graph);
  const middles = new Map(boxes.map(({ id }) => [id, Math.round(graph.node(id).y ?? 0)]));
  return {
    middles: straighten(boxes, edges, columns, middles),
    passages({ from, to }) {
      const points = graph.edge(from, to).points ?? [];
      // Its ends, and one point for each rank between: every second of those is in a column.
      return points.slice(1, -1).flatMap(({ y }, index) => (index % 2 === 1 ? [Math.round(y)] : []));
    },
  };
}

/** Left alone, dagre pushes blocks as late as it can. Ranks are counted twice: it keeps room for labels on edges between them. */
function rankBy(columns: ReadonlyMap<string, number>): RankerFunction {
  return (graph) => {
    for (const id of graph.nodes()) {
      const column = columns.get(id);
      graph.node(id).rank = column === undefined ? -1 : column * 2;
    }
  };
}

const mostShift = 8;

/** An edge that is nearly straight becomes so, where its box has room to move. */
function straighten(
  boxes: readonly ShapeBox[],
  edges: readonly ShapeEdge[],
  columns: ReadonlyMap<string, number>,
  middles: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const straight = new Map(middles);
  const columnOf = (id: string): number => columns.get(id) ?? 0;
  const inOrder = [...boxes].sort((one, other) => columnOf(one.id) - columnOf(other.id));
  const hasRoom = (box: ShapeBox, middle: number): boolean =>
    inOrder.every(
      (other) =>
        other.id === box.id ||
        columnOf(other.id) !== columnOf(box.id) ||
        Math.abs((straight.get(other.id) ?? 0) - middle) >= (other.height + box.height) / 2 + betweenBoxes - 2,
    );
  for (const box of inOrder) {
    const own = straight.get(box.id) ?? 0;
    const nearest = edges
      .filter(({ to }) => to === box.id)
      .map(({ from }) => straight.get(from) ?? 0)
      .filter((middle) => middle !== own && Math.abs(middle - own) <= mostShift)
      .sort((one, other) => Math.abs(one - own) - Math.abs(other - own))[0];
    if (nearest !== undefined && hasRoom(box, nearest)) straight.set(box.id, nearest);
  }
  return straight;
}
