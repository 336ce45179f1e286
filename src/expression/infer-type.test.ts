import { describe, expect, test } from "vitest";
import type { Expression } from "./ast.ts";
import { inferType, type StaticType, typeProblems } from "./infer-type.ts";
import { parseExpression } from "./parse-expression.ts";
import type { Reference } from "./references.ts";

const types: Readonly<Record<string, StaticType>> = { n: "number", s: "string", b: "boolean", l: "list", m: "map" };
const typeOf = (path: Reference): StaticType => (path.complete ? (types[String(path.keys[0])] ?? "any") : "any");

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
    "inputs.s in inputs.m",
  ])("%s may work and is left alone", (source) => {
    expect(typeProblems(parse(source), typeOf)).toEqual([]);
  });
});

const never: readonly [source: string, says: string, fix: string][] = [
  [
    "inputs.b == 'true'",
    "True or false is never equal to the text 'true', so this is always false.",
    "without the quotes",
  ],
  ["'False' != inputs.b", "so this is always true.", "Write false without the quotes, or use inputs.b alone."],
  ["(inputs.n > 1) == 'true'", "always false", "or use ... alone."],
  ["inputs.b == 'yes'", "always false", "Use inputs.b alone, or compare it with true or false."],
  ["inputs.n == '3'", "A number is never equal to the text '3', so this is always false.", "Drop the quotes: 3."],
  ["inputs.n == 'a'", "A number is never equal to the text 'a'", "Compare it with a number"],
  ["inputs.s == 0", "Text is never equal to the number 0", "Quote it: '0'. Or convert the text: int(inputs.s)."],
  ["0.5 == inputs.s", "Text is never equal to the number 0.5", "float(inputs.s)"],
  ["inputs.s != true", "this is always true", "Quote it: 'true'. Or convert the text: bool(inputs.s)."],
  ["'${inputs.n}' == 3", "Text is never equal to the number 3", "Quote it: '3'."],
  ["inputs.l == 'a'", "A list is never equal to the text 'a'", "Use in: x in inputs.l."],
  ["inputs.n in ['1', 2]", "the text '1', so this item never matches.", "Drop the quotes: 1."],
  ["inputs.s not in [1]", "the number 1, so this item never matches.", "Quote it: '1'."],
];

test.each(never)("a comparison that can only come out one way gets a warning: %s", (source, says, fix) => {
  expect(typeProblems(parse(source), typeOf)).toMatchObject([
    {
      level: "warning",
      code: "never-equal",
      message: expect.stringContaining(says),
      fix: expect.stringContaining(fix),
    },
  ]);
});

test.each([
  "inputs.s == 'true'",
  "inputs.x == 'true'",
  "inputs.b == true",
  "inputs.n == 3",
  "inputs.n != null",
  "null == inputs.s",
  "inputs.s in ['a', inputs.x]",
  "default(inputs.n, 'a') == 'a'",
])("a comparison that may come out either way gets none: %s", (source) => {
  expect(typeProblems(parse(source), typeOf)).toEqual([]);
});
