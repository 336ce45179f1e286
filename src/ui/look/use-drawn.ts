import { useEffect, useRef, useState } from "preact/hooks";
import type { Drawings } from "../../drawing/drawings.ts";
import type { DrawnGraph } from "../../drawing/graph/drawn-graph.ts";
import { useApp } from "../app-context.ts";

/** The latest few: stepping out of a block shows the graph around it at once. */
const kept = new Map<string, unknown>();
const mostKept = 12;

export const emptyGraph: DrawnGraph = { width: 0, height: 0, boxes: [], routes: [] };

/** What the server has made of something to be drawn, asked for once for each key. What was drawn last stays until the next is there. */
export function useDrawn<What extends keyof Drawings>(
  what: What,
  key: string,
  given: () => Drawings[What]["given"],
): Drawings[What]["drawn"] | undefined {
  const { source, isConnected } = useApp();
  const [, redraw] = useState({});
  const last = useRef<Drawings[What]["drawn"]>(undefined);
  const name = `${what} ${key}`;
  useEffect(() => {
    if (kept.has(name)) return;
    source.draw(what, given()).then(
      (drawn) => {
        kept.set(name, drawn);
        if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? "");
        redraw({});
      },
      // The page says itself that it is not connected, and asks again when it is.
      () => undefined,
    );
  }, [source, name, isConnected]);
  last.current = (kept.get(name) as Drawings[What]["drawn"] | undefined) ?? last.current;
  return last.current;
}
