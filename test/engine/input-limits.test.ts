import { expect, test } from "vitest";
import { loadWorkflow } from "../../src/definition/load-workflow.ts";
import type { WorkflowDefinition } from "../../src/definition/workflow-definition.ts";
import { bindInputs } from "../../src/engine/bind-inputs.ts";
import { startMetadata } from "../../src/engine/start-metadata.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import { catalog } from "../definition/check.ts";

function declaring(inputs: object): WorkflowDefinition {
  const blocks = [{ id: "a", type: "Shell", inputs: { command: "ls" } }];
  const text = JSON.stringify({ name: "limits", description: "d", inputs, blocks });
  return loadWorkflow({ name: "limits.yaml", text }, catalog).definition as WorkflowDefinition;
}

/** What is said of the inputs that were given, with what to do. */
function problemsOf(inputs: object, given: ValueMap): readonly string[] {
  const bound = bindInputs(declaring(inputs), given, startMetadata("limits", "r", "t"));
  return bound.ok ? [] : bound.error.map(({ code, message, fix }) => `${code}: ${message} ${fix ?? ""}`.trim());
}

test("a pattern matches the whole text, with an engine that never takes long", () => {
  const inputs = { x: { type: "string", pattern: "a|b+" } };
  expect(problemsOf(inputs, { x: "bb" })).toEqual([]);
  for (const x of ["ab", "ba", "b\n", "xb", "bb;"]) {
    expect(problemsOf(inputs, { x })).toEqual([
      expect.stringMatching(/^no-match: .* Give it a text that matches 'a\|b\+' as a whole\.$/),
    ]);
  }
  const slow = { x: { type: "string", pattern: "(a+)+" } };
  expect(problemsOf(slow, { x: `${"a".repeat(5_000)}!` })).toEqual([expect.stringContaining("no-match")]);
  expect(problemsOf(slow, { x: "a".repeat(9_000_000) })).toEqual([expect.stringContaining("too long")]);
  expect(problemsOf({ x: { type: "string", pattern: "(?m)^a$" } }, { x: "b\na" })).toHaveLength(1);
  expect(problemsOf({ x: { type: "string", pattern: "\\d+" } }, { x: "y" })).toEqual([
    expect.stringContaining("'\\d+'"),
  ]);
});

test("of elements that don't fit the first three are told", () => {
  const inputs = { x: { type: "array", items: { type: "string", pattern: "[a-z]+" } } };
  expect(problemsOf(inputs, { x: ["a", "b"] })).toEqual([]);
  expect(problemsOf(inputs, { x: ["A", "b", 3, "", "D"] })).toEqual([
    "no-match: Element 1 of input 'x' can't be the text 'A'. Give it a text that matches '[a-z]+' as a whole.",
    "wrong-type: Element 3 of input 'x': expected a text, got the number 3.",
    "no-match: Element 4 of input 'x' can't be an empty text. Give it a text that matches '[a-z]+' as a whole.",
  ]);
  expect(problemsOf({ x: { type: "array", items: { type: "number", minimum: 0 } } }, { x: [1, -1] })).toEqual([
    "out-of-range: Element 2 of input 'x' can't be the number -1. Give it a number of 0 or more.",
  ]);
});

test("every input that does not fit is told at once, and nothing runs", () => {
  const inputs = {
    n: { type: "integer", minimum: 1 },
    max: { type: "number", maximum: 2 },
    tag: { type: "string", pattern: "v[0-9]+" },
    env: { type: "string", enum: ["staging", "production"] },
    made: { type: "string", pattern: "run-[0-9]+", default: "${metadata.run_id}" },
    open: { type: "integer", minimum: 1, required: false },
  };
  expect(problemsOf(inputs, { n: 0, max: 2.5, tag: "1", env: "stagin", open: null })).toEqual([
    "out-of-range: Input 'n' can't be the number 0. Give it a number of 1 or more.",
    "out-of-range: Input 'max' can't be the number 2.5. Give it a number of 2 or less.",
    "no-match: Input 'tag' can't be the text '1'. Give it a text that matches 'v[0-9]+' as a whole.",
    "not-in-enum: Input 'env' can't be the text 'stagin'. Did you mean 'staging'?",
    "no-match: Input 'made' can't be the text 'r'. Give it a text that matches 'run-[0-9]+' as a whole.",
  ]);
});
