import { describe, expect, test } from "vitest";
import type { Expression } from "./ast.ts";
import { inferType, type StaticType, typeProblems } from "./infer-type.ts";
import { parseExpression } from "./parse-expression.ts";
import type { StaticPath } from "./references.ts";

const types: Readonly<Record<string, StaticType>> = { n: "number", s: "string", b: "boolean", l: "list", m: "map" };
const typeOf = (path: StaticPath): StaticType => (path.complete ? (types[String(path.keys[0])] ?? "any") : "any");

function parse(source: string): Expression {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

test.each([
  ["1", "number"],
  ["null", "null"],
  ["'a ${inputs.x}'", "string"],
  ["[1]", "list"],
  ["inputs.n", "number"],
  ["inputs.x", "any"],
  ["inputs.x == 1", "boolean"],
  ["not inputs.x", "boolean"],
  ["inputs.x and inputs.y", "boolean"],
  ["-inputs.x", "number"],
  ["inputs.x * 2", "number"],
  ["inputs.x + 'a'", "string"],
  ["inputs.l + inputs.x", "list"],
  ["inputs.x + inputs.y", "any"],
  ["1 if inputs.b else 2", "number"],
  ["1 if inputs.b else 'a'", "any"],
  ["len(inputs.x)", "number"],
  ["split(inputs.s)", "list"],
  ["first(inputs.l)", "any"],
  ["default(inputs.n, 0)", "number"],
  ["default(inputs.n, 'a')", "any"],
  ["default(null, 'a')", "string"],
])("%s is %s", (source, expected) => {
  expect(inferType(parse(source), typeOf)).toBe(expected);
});

describe("what can only fail is an error before the run", () => {
  test.each([
    ["inputs.n > '5'", "> can't compare a number with text."],
    ["inputs.b < 1", "here is true or false"],
    ["inputs.b + 1", "+ joins"],
    ["inputs.b * 2", "* wants a number, but this is true or false."],
    ["inputs.s - 1", "- wants a number, but this is text."],
    ["inputs.s + 1", "here are text and a number"],
    ["inputs.n and true", "'and' wants true or false, but this is a number."],
    ["true or inputs.s", "'or' wants"],
    ["not inputs.l", "'not' wants"],
    ["1 if inputs.n else 2", "'if' wants"],
    ["-inputs.s", "- wants"],
    ["1 in inputs.n", "Something can be in"],
    ["1 in inputs.s", "Only text can be part of a text"],
    ["lower(inputs.n)", "lower(): 'text' must be text, but is a number."],
    ["[len(inputs.n)]", "len(): 'value'"],
  ])("%s", (source, expected) => {
    const problems = typeProblems(parse(source), typeOf);
    expect(problems).toMatchObject([
      { level: "error", code: "wrong-type", message: expect.stringContaining(expected) },
    ]);
  });

  test.each([
    "1 < inputs.x < 'a'",
    "inputs.x > 'a'",
    "inputs.x and inputs.y",
    "inputs.x + 1",
    "lower(inputs.x)",
    "inputs.n == 'a'",
    "inputs.s in inputs.m",
  ])("%s may work and is left alone", (source) => {
    expect(typeProblems(parse(source), typeOf)).toEqual([]);
  });
});

test.each(["inputs.b == 'true'", "'False' != inputs.b", "(inputs.n > 1) == 'true'"])("%s gets a warning", (source) => {
  const problems = typeProblems(parse(source), typeOf);
  expect(problems).toMatchObject([{ level: "warning", code: "boolean-compared-with-text", fix: expect.any(String) }]);
});

test.each(["inputs.s == 'true'", "inputs.x == 'true'", "inputs.b == true", "inputs.b == 'yes'"])(
  "%s gets none",
  (source) => {
    expect(typeProblems(parse(source), typeOf)).toEqual([]);
  },
);
