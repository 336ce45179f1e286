import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Item } from "./arrange-lines.ts";
import { offsetsOf, windowOf } from "./window-items.ts";

const heights = { section: 34, run: 36 };
const items = fc.array(
  fc
    .boolean()
    .map((isRun): Item => (isRun ? { kind: "run", key: "r" } : { kind: "section", key: "s", name: "", count: "" })),
  { maxLength: 400 },
);

describe("the lines in sight", () => {
  it("are all there, with few more, wherever the reader has scrolled to", () => {
    fc.assert(
      fc.property(
        items,
        fc.integer({ min: -500, max: 20_000 }),
        fc.integer({ min: 0, max: 900 }),
        (list, top, height) => {
          const offsets = offsetsOf(list, heights);
          const [from, to] = windowOf(offsets, top, top + height);
          const seen = list
            .map((_, index) => index)
            .filter((index) => {
              const [begin = 0, end = 0] = offsets.slice(index, index + 2);
              return end > top && begin < top + height;
            });
          for (const index of seen) expect(index >= from && index < to).toBe(true);
          expect(to - from).toBeLessThanOrEqual(height / 34 + 20);
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThanOrEqual(list.length);
        },
      ),
    );
  });
});
