import { expect, test } from "vitest";
import { check, onlyProblem, planned, shell, workflow } from "./check.ts";

function declaring(input: string): string {
  return workflow(shell("a"), `inputs:\n  x: { description: d, ${input} }\n`);
}

test("an input has a pattern, bounds and a description of its elements", () => {
  expect(planned(declaring("type: string, pattern: '[a-z]+'")).definition.inputs.get("x")).toMatchObject({
    pattern: "[a-z]+",
  });
  expect(planned(declaring("type: int, minimum: 1, maximum: 5")).definition.inputs.get("x")).toMatchObject({
    minimum: 1,
    maximum: 5,
  });
  expect(
    planned(declaring("type: list, items: { type: str, enum: [a, b], pattern: '[ab]' }")).definition.inputs.get("x"),
  ).toMatchObject({ items: { type: "string", enum: ["a", "b"], pattern: "[ab]" } });
});

test.each([
  ["type: string, pattern: '[a-z]+', default: A", "no-match", "The default of input 'x' can't be the text 'A'."],
  ["type: string, pattern: '[a-z]+', enum: [a, B]", "no-match", "'enum' of input 'x' can't be the text 'B'."],
  ["type: int, minimum: 1, default: 0", "out-of-range", "The default of input 'x' can't be the number 0."],
  ["type: number, maximum: 1, enum: [0.5, 1.5]", "out-of-range", "'enum' of input 'x' can't be the number 1.5."],
  [
    "type: array, items: { type: int }, default: [1, two]",
    "wrong-type",
    "Element 2 of the default of input 'x': expected a whole number, got the text 'two'.",
  ],
  [
    "type: array, items: { type: int, minimum: 1, default: 2 }",
    "unknown-key",
    "the items of input 'x' has no key 'default'.",
  ],
  ["type: array, items: { enum: [a] }", "missing-key", "the items of input 'x' has no 'type'."],
  ["type: int, minimum: 3, maximum: 2", "empty-range", "'maximum' of input 'x' is less than its minimum, 3"],
  ["type: int, minimum: low", "wrong-type", "'minimum' of input 'x' must be a number"],
  [
    "type: int, pattern: '[0-9]+'",
    "limit-of-other-type",
    "'pattern' of input 'x' is for a text, and its type is integer.",
  ],
  ["type: string, minimum: 1", "limit-of-other-type", "'minimum' of input 'x' is for a whole number or a number"],
  ["type: string, items: { type: int }", "limit-of-other-type", "'items' of input 'x' is for a list"],
  ["type: string, pattern: '(a'", "invalid-pattern", "'pattern' of input 'x': '(a' is not a valid pattern"],
  ["type: string, pattern: '(?=a)'", "invalid-pattern", "Patterns are RE2's: no lookahead"],
  ["type: string, secret: true, pattern: a", "secret-in-file", "input 'x' is secret and can't have 'pattern'."],
])("%s is refused", (input, code, says) => {
  expect(onlyProblem(declaring(input))).toMatchObject({ code, message: expect.stringContaining(says) });
});

const child = `name: child
description: d
inputs:
  port: { type: int, description: d, minimum: 1, maximum: 65535 }
  tag: { type: string, description: d, pattern: "v[0-9]+" }
  parts: { type: array, description: d, items: { type: string, enum: [a, b] }, default: [] }
blocks: [{ id: x, type: Shell, inputs: { command: ls } }]
`;

test("what a call writes out is held to the limits of the child, all of it at once", () => {
  const call = `{ id: a, type: ExecuteWorkflow, inputs: { workflow: child, inputs: { port: 0, tag: w, parts: [a, c] } } }`;
  const { problems } = check(workflow(`  - ${call}\n`), { child });
  expect(problems.map(({ code, marked }) => [code, marked])).toEqual([
    ["out-of-range", "0"],
    ["no-match", "w"],
    ["not-in-enum", "[a, c]"],
  ]);
});

test("the type of items alone is told how it is written", () => {
  expect(check(declaring("type: array, items: string")).problems).toMatchObject([
    { code: "wrong-type", fix: "Write `items: { type: string }`." },
  ]);
});
