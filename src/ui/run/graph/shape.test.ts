import { expect, test } from "vitest";
import type { BlockCard, PageEdge } from "../../../views/page/page-records.ts";
import { keyOfShape, shapeOf } from "./shape.ts";
import { fitText, textWidth } from "./text-width.ts";
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
  expect(shapeOf([running], [went], false)).toEqual(shapeOf([block], [edge], false));
  expect(keyOfShape([running], [went])).toBe(keyOfShape([block], [edge]));
  expect(keyOfShape([block], [])).not.toBe(keyOfShape([block], [edge]));
});

test("a block is 76 to 176 wide, and higher where it holds cells", () => {
  const [short, long, plan] = [
    shapeOf([{ ...block, name: "a", holds: "none" }], [], false),
    shapeOf([{ ...block, name: "a-name-that-is-much-too-long-to-be-shown" }], [], false),
    shapeOf([block], [], true),
  ].map(({ boxes: [box] }) => box);
  expect(short?.width).toBeGreaterThanOrEqual(76);
  expect(long?.width).toBe(176);
  expect([short?.height, long?.height, plan?.height]).toEqual([40, 60, 40]);
});

test("a text that does not fit ends with dots, and then fits", () => {
  expect(fitText("plan", 100, 13)).toBe("plan");
  const cut = fitText("a-name-that-is-much-too-long", 100, 13);
  expect(cut).toMatch(/^a-name.*…$/u);
  expect(textWidth(cut, 13)).toBeLessThanOrEqual(101);
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
