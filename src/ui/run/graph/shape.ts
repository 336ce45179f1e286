import type { Shape } from "../../../drawing/graph/drawn-graph.ts";
import type { BlockCard, PageEdge } from "../../../views/page/page-records.ts";
import { nameEdge } from "../apply-change.ts";

const noSize = { width: 0, height: 0 };

export function shapeOf(blocks: readonly BlockCard[], edges: readonly PageEdge[]): Shape {
  return {
    boxes: blocks.map(({ address, size = noSize, is_finally }) => ({
      id: address,
      ...size,
      isFinally: is_finally === true,
    })),
    edges: edges.map(({ from, to }) => ({ from, to })),
  };
}

/** Names and edges: blocks that only change how they stand keep their layout. */
export function keyOfShape(blocks: readonly BlockCard[], edges: readonly PageEdge[]): string {
  return `${blocks.map(({ address }) => address).join("\n")}\n\n${edges.map(nameEdge).join("\n")}`;
}
