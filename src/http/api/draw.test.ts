import { expect, test } from "vitest";
import { atOnce } from "../../drawing/at-once.ts";
import { drawInSlices } from "../../drawing/graph/draw-graph.ts";
import type { PageContext } from "../page-context.ts";
import type { Asked, Route } from "../route.ts";
import { drawDiffRoute, drawGraphRoute } from "./draw.ts";

async function ask(route: Route, body: object): Promise<{ readonly status: number; readonly record: unknown }> {
  const response = await route.answer({ query: {}, body } as Asked<unknown, unknown>, {} as PageContext);
  return { status: response.status, record: await response.json() };
}

const box = (id: string): object => ({ id, width: 100, height: 40, isFinally: false });

test("a graph is laid out for whoever draws it: boxes with their places, and the path of each edge", async () => {
  const shape = { boxes: [box("a"), box("b")], edges: [{ from: "a", to: "b" }] };
  const { record } = await ask(drawGraphRoute, shape);
  expect(record).toMatchObject({
    boxes: [
      { id: "a", x: 2, y: 2 },
      { id: "b", x: 128, y: 2 },
    ],
    routes: [{ from: "a", to: "b", start: { x: 102, y: 22 }, end: { x: 128, y: 22 }, path: "M102 22L121 22" }],
  });
});

test("laying out a graph rests often: others are served meanwhile", () => {
  const boxes = Array.from({ length: 300 }, (_, at) => ({ id: `b${at}`, width: 100, height: 40, isFinally: false }));
  const edges = boxes.slice(1).map(({ id }, at) => ({ from: `b${Math.floor(at / 3)}`, to: id }));
  let rests = 0;
  const work = drawInSlices({ boxes, edges });
  while (work.next().done !== true) rests++;
  expect(rests).toBeGreaterThan(edges.length);
  expect(atOnce(drawInSlices({ boxes, edges })).routes).toHaveLength(edges.length);
});

test("a graph that is too large is refused", async () => {
  const boxes = Array.from({ length: 2001 }, (_, at) => box(`b${at}`));
  expect(await ask(drawGraphRoute, { boxes, edges: [] })).toMatchObject({ status: 400 });
});

test("a diff is taken apart, with the words marked that differ", async () => {
  const { record } = await ask(drawDiffRoute, { text: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one two\n+one three\n" });
  expect(record).toEqual({
    rows: [
      { kind: "hunk", range: "@@ −1,1 +1,1 @@", text: "" },
      { kind: "removed", before: 1, parts: [{ text: "one " }, { text: "two", isMarked: true }] },
      { kind: "added", after: 1, parts: [{ text: "one " }, { text: "three", isMarked: true }] },
    ],
  });
});
