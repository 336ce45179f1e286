import { expect, test } from "vitest";
import { parseExpression } from "./parse-expression.ts";
import { parseTemplate } from "./parse-template.ts";
import { references } from "./references.ts";

function found(source: string): string[] {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return references(parsed.value).map(({ root, keys, complete, start, end }) => {
    const marks = `${complete ? "" : " cut"}`;
    return `${[root, ...keys].join("/")}${marks} @ ${source.slice(start, end)}`;
  });
}

test.each([
  ["1", []],
  ["inputs.a", ["inputs/a @ inputs.a"]],
  ["${inputs.a} == blocks.b.outputs[0]", ["inputs/a @ inputs.a", "blocks/b/outputs/0 @ blocks.b.outputs[0]"]],
  ["'x ${inputs.a} ${blocks.b.failed}'", ["inputs/a @ inputs.a", "blocks/b/failed @ blocks.b.failed"]],
  [
    "blocks.a.blocks[each.key].outputs.x",
    ["blocks/a/blocks cut @ blocks.a.blocks[each.key].outputs.x", "each/key @ each.key"],
  ],
  ["[not inputs.a, -inputs.b]", ["inputs/a @ inputs.a", "inputs/b @ inputs.b"]],
  ["inputs.a if inputs.b else inputs.c", ["inputs/a @ inputs.a", "inputs/b @ inputs.b", "inputs/c @ inputs.c"]],
  ["default(inputs.a, inputs.b)", ["inputs/a @ inputs.a", "inputs/b @ inputs.b"]],
  ["default(lower('${inputs.a}'), len(inputs.b))", ["inputs/a @ inputs.a", "inputs/b @ inputs.b"]],
  ["lower(inputs.a) in keys(inputs)", ["inputs/a @ inputs.a", "inputs @ inputs"]],
])("%s", (source, expected) => {
  expect(found(source)).toEqual(expected);
});

test("those of a template are all found, and an escaped one is none", () => {
  const template = parseTemplate("${inputs.a} $${inputs.b} ${secrets.C}");
  if (!template.ok) throw new Error("must parse");
  expect(references(template.value).map(({ root, keys }) => [root, ...keys])).toEqual([
    ["inputs", "a"],
    ["secrets", "C"],
  ]);
});
