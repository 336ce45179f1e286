import { useRef } from "preact/hooks";
import type { BlockCard, PageEdge } from "../../../views/page/page-records.ts";
import { type Layout, layOut } from "./lay-out.ts";
import { keyOfShape, type Shape, shapeOf } from "./shape.ts";

/** The latest few: stepping out of a block shows the graph around it at once. */
const kept = new Map<string, Layout>();
const mostKept = 12;

/** Made once for each shape, by the sizes that blocks have when it is first seen: nothing moves while a run goes on. */
export function useLayout(blocks: readonly BlockCard[], edges: readonly PageEdge[], isPlan: boolean): Layout {
  const given = useRef<{ blocks: unknown; edges: unknown; key: string } | undefined>(undefined);
  if (given.current?.blocks !== blocks || given.current.edges !== edges) {
    given.current = { blocks, edges, key: `${isPlan ? "plan" : "run"}\n${keyOfShape(blocks, edges)}` };
  }
  return layoutOf(given.current.key, () => shapeOf(blocks, edges, isPlan));
}

export function layoutOf(key: string, shape: () => Shape): Layout {
  const before = kept.get(key);
  if (before !== undefined) return before;
  const layout = layOut(shape());
  kept.set(key, layout);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return layout;
}
