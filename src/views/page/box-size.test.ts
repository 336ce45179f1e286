import { expect, test } from "vitest";
import { sizeOf } from "./box-size.ts";

test("a block is 76 to 176 wide, and higher where it holds cells", () => {
  const block = { name: "build", type: "Shell", holds: "loop" } as const;
  const [short, long, plan, stack] = [
    sizeOf({ ...block, name: "a", holds: "none" }, false),
    sizeOf({ ...block, name: "a-name-that-is-much-too-long-to-be-shown" }, false),
    sizeOf(block, true),
    sizeOf({ ...block, holds: "workflow" }, true),
  ];
  expect(short.width).toBeGreaterThanOrEqual(76);
  expect(long.width).toBe(176);
  expect([short.height, long.height, plan.height, stack.height]).toEqual([40, 60, 40, 46]);
});
