import * as z from "zod";
import { parseInSlices } from "../../drawing/diff/parse-diff.ts";
import { drawInSlices } from "../../drawing/graph/draw-graph.ts";
import { ok } from "../../util/result.ts";
import { inSlices } from "../../util/time-slice.ts";
import { defineRoute, type Route } from "../route.ts";

/** A level of more blocks is drawn as groups. */
const mostBoxes = 2_000;
const mostEdges = 10_000;
const mostPixels = 10_000;

export const drawGraphRoute: Route = defineRoute({
  method: "POST",
  path: "/drawings/graph",
  summary: "Lays out a graph: says where each of its boxes stands, and the path of each of its edges, as SVG has them.",
  effect: "reads",
  body: () =>
    z.strictObject({
      boxes: z
        .array(
          z.strictObject({
            id: z.string(),
            width: z.number().min(0).max(mostPixels),
            height: z.number().min(0).max(mostPixels),
            isFinally: z.boolean().describe("It stands in an area of its own, below the others"),
          }),
        )
        .max(mostBoxes),
      edges: z.array(z.strictObject({ from: z.string(), to: z.string() })).max(mostEdges),
    }),
  gives: () => z.looseObject({ width: z.number(), height: z.number(), boxes: z.array(z.looseObject({})) }),
  answer: async ({ body }) => ok(await inSlices(drawInSlices(body))),
});

export const drawDiffRoute: Route = defineRoute({
  method: "POST",
  path: "/drawings/diff",
  summary:
    "Takes a unified diff apart: its lines with their numbers on both sides, and the words in which they differ.",
  effect: "reads",
  body: () => z.strictObject({ text: z.string() }),
  gives: () => z.looseObject({ rows: z.array(z.looseObject({ kind: z.string() })) }),
  answer: async ({ body: { text } }) => ok({ rows: await inSlices(parseInSlices(text)) }),
});
