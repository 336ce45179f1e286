import { describe, expect, test } from "vitest";
import { readYaml } from "../../src/definition/read-yaml.ts";
import { collectDiagnostics } from "../../src/diagnostic/collect-diagnostics.ts";
import type { Value } from "../../src/expression/value.ts";
import { compare, type Mismatch } from "../../src/testing/compare.ts";
import { loadExpectation } from "../../src/testing/load-expectation.ts";

function check(expected: Value, found: Value | undefined): readonly Mismatch[] {
  const yaml = readYaml({ name: "test.yaml", text: JSON.stringify(expected) });
  if (!yaml.ok) throw new Error(yaml.error[0]?.message);
  const { value, diagnostics } = collectDiagnostics((report) => loadExpectation(yaml.value, report));
  if (value === undefined || diagnostics.length > 0) throw new Error(diagnostics[0]?.message);
  return compare(value, found, "it");
}

describe("fits", () => {
  test.each<[Value, Value | undefined]>([
    ["text", "text"],
    [null, null],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: { b: [1] } }, { a: { b: [1], c: 2 }, d: 3 }],
    [[{ a: 1 }], [{ a: 1, b: 2 }]],
    [{ contains: "b" }, "abc"],
    [{ contains: "b" }, ["a", "b"]],
    [{ contains: { a: 1 } }, [{ a: 1, b: 2 }]],
    [{ contains: { matches: "^b" } }, ["ab", "ba"]],
    [{ matches: "^a.c$" }, "abc"],
    [{ json: { a: [1] } }, '{"a": [1], "b": 2}'],
    [{ json: { a: { contains: 2 } } }, '{"a": [1, 2]}'],
    [{ any: true }, false],
    [{ not: "a" }, "b"],
    [{ not: { contains: "a" } }, "b"],
    [{ not: { any: true } }, undefined],
    [{ not: { any: true } }, null],
    [
      { contains: "a", other: 1 },
      { contains: "a", other: 1 },
    ],
    [{}, { a: 1 }],
  ])("%j: %j", (expected, found) => {
    expect(check(expected, found)).toEqual([]);
  });
});

describe("does not fit", () => {
  test.each<[Value, Value | undefined, Mismatch]>([
    ["1", 1, { at: "it", expected: "1", found: 1 }],
    ["a", undefined, { at: "it", expected: "a" }],
    [{ a: 1 }, [], { at: "it", expected: { a: 1 }, found: [] }],
    [{ a: { b: 1 } }, { a: { b: 2 } }, { at: "it.a.b", expected: 1, found: 2 }],
    [{ "a b": 1 }, {}, { at: 'it["a b"]', expected: 1 }],
    [[1, 2], [1], { at: "it", expected: [1, 2], found: [1] }],
    [[1, 2], [1, 3], { at: "it[1]", expected: 2, found: 3 }],
    [{ contains: "x" }, "abc", { at: "it", expected: { contains: "x" }, found: "abc" }],
    [{ contains: "x" }, ["xy"], { at: "it", expected: { contains: "x" }, found: ["xy"] }],
    [{ contains: "1" }, 1, { at: "it", expected: { contains: "1" }, found: 1 }],
    [{ matches: "^b" }, "abc", { at: "it", expected: { matches: "^b" }, found: "abc" }],
    [{ json: 1 }, "no json", { at: "it", expected: { json: 1 }, found: "no json" }],
    [{ json: { a: 1 } }, '{"a": 2}', { at: "it.a", expected: 1, found: 2 }],
    [{ any: true }, null, { at: "it", expected: { any: true }, found: null }],
    [{ any: true }, undefined, { at: "it", expected: { any: true } }],
    [{ not: { a: 1 } }, { a: 1, b: 2 }, { at: "it", expected: { not: { a: 1 } }, found: { a: 1, b: 2 } }],
    // A misspelt name would pass otherwise.
    [{ not: "a" }, undefined, { at: "it", expected: { not: "a" } }],
  ])("%j: %j", (expected, found, mismatch) => {
    expect(check(expected, found)).toEqual([mismatch]);
  });
});
