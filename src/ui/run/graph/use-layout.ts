import { useEffect, useRef, useState } from "preact/hooks";
import type { BlockCard, PageEdge } from "../../../views/page/page-records.ts";
import { type Layout, layOut } from "./lay-out.ts";
import type { Dagre } from "./order-rows.ts";
import { keyOfShape, type Shape, shapeOf } from "./shape.ts";

let loaded: Dagre | undefined;
/** The latest few: stepping out of a block shows the graph around it at once. */
const kept = new Map<string, Layout>();
const mostKept = 12;

/** Dagre, once it is there; a text where it could not be loaded. */
export function useDagre(): Dagre | string | undefined {
  const [dagre, setDagre] = useState<Dagre | string | undefined>(loaded);
  useEffect(() => {
    if (loaded !== undefined) return;
    import("@dagrejs/dagre").then(
      (module) => {
        loaded = module;
        setDagre(module);
      },
      () => setDagre("The graph could not be loaded: the server does not answer. Load the page again."),
    );
  }, []);
  return dagre;
}

/** Made once for each shape, by the sizes that blocks have when it is first seen: nothing moves while a run goes on. */
export function useLayout(
  blocks: readonly BlockCard[],
  edges: readonly PageEdge[],
  isPlan: boolean,
): Layout | string | undefined {
  const dagre = useDagre();
  const given = useRef<{ blocks: unknown; edges: unknown; key: string } | undefined>(undefined);
  if (given.current?.blocks !== blocks || given.current.edges !== edges) {
    given.current = { blocks, edges, key: `${isPlan ? "plan" : "run"}\n${keyOfShape(blocks, edges)}` };
  }
  if (dagre === undefined || typeof dagre === "string") return dagre;
  return layoutOf(dagre, given.current.key, () => shapeOf(blocks, edges, isPlan));
}

export function layoutOf(dagre: Dagre, key: string, shape: () => Shape): Layout {
  const before = kept.get(key);
  if (before !== undefined) return before;
  const layout = layOut(dagre, shape());
  kept.set(key, layout);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return layout;
}
