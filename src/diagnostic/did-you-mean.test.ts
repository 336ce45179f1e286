import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestName, suggestName } from "./did-you-mean.ts";

test.each([
  ["biuld", ["test", "build"], "build"],
  ["dependsOn", ["depends_on", "description"], "depends_on"],
  ["working-dir", ["working_dir"], "working_dir"],
  ["suceeded", ["failed", "succeeded"], "succeeded"],
  ["a", ["b", "c"], undefined],
  ["q", ["Q"], "Q"],
  ["wholly_other", ["build"], undefined],
  ["x".repeat(101), ["x".repeat(100)], undefined],
])("the name meant by %s among %j is %s", (name, known, meant) => {
  expect(nearestName(name, known)).toBe(meant);
});

test("of several near names the nearest is taken", () => {
  expect(nearestName("stdot", ["stdin", "stderr", "stdout"])).toBe("stdout");
});

test("a long list does not change which name is meant", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abcde_"), minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 30 }), (name, known) => {
      const nearest = nearestName(name, known);
      if (nearest === undefined) for (const one of known) expect(nearestName(name, [one])).toBeUndefined();
      else expect(nearestName(name, [nearest])).toBe(nearest);
    }),
    { seed: 7, numRuns: 300 },
  );
});

test("with nothing to choose from it says so", () => {
  expect(suggestName("x", [], "block")).toBe("There is no block to choose from.");
});
