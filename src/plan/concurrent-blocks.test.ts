import fc from "fast-check";
import { expect, test } from "vitest";
import { bitsOf, ConcurrentBlocks } from "./concurrent-blocks.ts";

/** Blocks that wait for some of those before them. */
const graphs = fc
  .integer({ min: 1, max: 70 })
  .chain((count) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, index) =>
        fc.uniqueArray(fc.nat({ max: Math.max(0, index - 1) }), { maxLength: index === 0 ? 0 : 3 }),
      ),
    ),
  )
  .map((all) => all.map((own) => own.map((on) => ({ on }))));

function waits(edges: readonly (readonly { readonly on: number }[])[], of: number, target: number): boolean {
  return (edges[of] ?? []).some(({ on }) => on === target || waits(edges, on, target));
}

test("two blocks can run at the same time when neither waits for the other", () => {
  fc.assert(
    fc.property(graphs, fc.nat(), fc.infiniteStream(fc.boolean()), (edges, seed, coins) => {
      const index = seed % edges.length;
      const some = [...edges.keys()].filter(() => coins.next().value);
      const blocks = new ConcurrentBlocks(edges, [...edges.keys()]);
      const expected = some.find(
        (other) => other !== index && !waits(edges, index, other) && !waits(edges, other, index),
      );
      expect(blocks.first(index, bitsOf(some, edges.length))).toBe(expected);
      for (const other of edges.keys()) expect(blocks.isAfter(index, other)).toBe(waits(edges, index, other));
    }),
    { numRuns: 60 },
  );
});
