import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findBroken } from "./promise-reporter.ts";
import { promises } from "./promises.ts";

const tests = ["src", "test"]
  .flatMap((root) => readdirSync(root, { recursive: true, encoding: "utf8" }).map((file) => `${root}/${file}`))
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

describe.each(Object.entries(promises))("%s", (document, promised) => {
  const text = readFileSync(document, "utf8").replaceAll(/\s+/g, " ");

  test.each(promised)("promises: $words", ({ words, keptBy }) => {
    expect(text.includes(words), `${document} still says so`).toBe(true);
    expect(tests.includes(`"${keptBy}`), `there is a test called ${keptBy}`).toBe(true);
  });
});

test("a promise counts as kept only if its test ran and passed", () => {
  const all = Object.values(promises).flat();
  const [first, second] = all.map(({ keptBy }) => keptBy);
  const ended = (state: (name: string) => string): Parameters<typeof findBroken>[0] => {
    const tests = all.map(({ keptBy }) => ({ name: keptBy, result: () => ({ state: state(keptBy) }) }));
    return [{ children: { allTests: () => tests } }] as unknown as Parameters<typeof findBroken>[0];
  };
  expect(findBroken(ended(() => "passed"))).toEqual([]);
  expect(findBroken([])).toHaveLength(all.length);
  for (const [keptBy, state] of [
    [first, "skipped"],
    [second, "failed"],
  ]) {
    const broken = findBroken(ended((name) => (name === keptBy ? String(state) : "passed")));
    expect(broken.length).toBeGreaterThan(0);
    for (const line of broken) expect(line).toContain(`"${keptBy}"`);
  }
});
