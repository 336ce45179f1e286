import { expect, test } from "vitest";
import type { BlockCard, PageEdge } from "../../../views/page/page-records.ts";
import { keyOfShape, shapeOf } from "./shape.ts";
import { walk } from "./walk.ts";

const block: BlockCard = {
  ...{ address: "build", name: "build", type: "Shell", standing: "to_come", wave: 0, started_at: null, duration_ms: 0 },
  ...{ attempt: 0, holds: "loop", spans: [] },
};
const edge: PageEdge = { from: "build", to: "test", kind: "required", decided: "open" };

test("blocks keep their place while they run: what changes then changes neither the shape nor its key", () => {
  const inside = { ended: 3, total: 24, counts: { failed: 1 }, strip: "ddf" };
  const running: BlockCard = {
    ...block,
    ...{
      standing: "running",
      running_since: "2026-01-31T14:00:00.000Z",
      attempt: 2,
      message: "a long message",
      inside,
    },
  };
  const went: PageEdge = { ...edge, decided: "went", is_critical: true };
  expect(shapeOf([running], [went])).toEqual(shapeOf([block], [edge]));
  expect(keyOfShape([running], [went])).toBe(keyOfShape([block], [edge]));
  expect(keyOfShape([block], [])).not.toBe(keyOfShape([block], [edge]));
});

test("arrow keys lead along edges and columns, and nowhere where there is nothing", () => {
  const box = (id: string, column: number, y: number) => ({ id, column, x: column * 100, y, width: 80, height: 40 });
  const boxes = [box("plan", 0, 50), box("low", 1, 100), box("build", 1, 40), box("test", 2, 60)];
  const edges = [
    { ...edge, from: "plan", to: "build" },
    { ...edge, from: "plan", to: "low" },
    { ...edge, from: "build", to: "test" },
  ];
  expect(walk(boxes, edges, "plan", "ArrowRight")).toBe("build");
  expect(walk(boxes, edges, "build", "ArrowDown")).toBe("low");
  expect(walk(boxes, edges, "low", "ArrowUp")).toBe("build");
  expect(walk(boxes, edges, "test", "ArrowLeft")).toBe("build");
  expect(walk(boxes, edges, "test", "ArrowRight")).toBeUndefined();
  expect(walk(boxes, edges, "plan", "Enter")).toBeUndefined();
});
