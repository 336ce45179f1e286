import { atOnce } from "../at-once.ts";
import { keyOfEdge } from "./columns.ts";
import type { DrawnGraph, Shape } from "./drawn-graph.ts";
import { layOutInSlices } from "./lay-out.ts";
import { pathThrough } from "./route-edges.ts";

/** Lays a graph out, and leads its edges. */
export function drawGraph(shape: Shape): DrawnGraph {
  return atOnce(drawInSlices(shape));
}

/** The same, with rests. */
export function* drawInSlices(shape: Shape): Generator<void, DrawnGraph> {
  const { routes, ...layout } = yield* layOutInSlices(shape);
  return {
    ...layout,
    routes: shape.edges.flatMap(({ from, to }) => {
      const points = routes.get(keyOfEdge(from, to));
      const [start, end] = [points?.[0], points?.at(-1)];
      if (points === undefined || start === undefined || end === undefined) return [];
      return [{ from, to, start, end, path: pathThrough(points) }];
    }),
  };
}
