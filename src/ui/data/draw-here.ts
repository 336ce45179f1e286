import { parseDiff } from "../../drawing/diff/parse-diff.ts";
import type { Drawings } from "../../drawing/drawings.ts";
import { drawGraph } from "../../drawing/graph/draw-graph.ts";
import type { Source } from "./source.ts";

const drawers: { readonly [What in keyof Drawings]: (given: Drawings[What]["given"]) => Drawings[What]["drawn"] } = {
  graph: drawGraph,
  diff: ({ text }) => ({ rows: parseDiff(text) }),
};

/** What a server works out for the page that it serves, for pages without one. */
export const drawHere: Source["draw"] = async (what, given) => drawers[what](given);
