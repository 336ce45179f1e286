import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createCatalog } from "../../src/block/catalog.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { testFileSchema } from "../../src/testing/test-schema.ts";

const validate: ValidateFunction = new Ajv2020({ strict: false }).compile(testFileSchema(createCatalog(blockTypes)));

function problemsOf(text: string): string[] {
  return validate(parse(text))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const examples = [...readFileSync("docs/testing.md", "utf8").matchAll(/```yaml\n# (\S+\.test\.yaml)\n(.*?)```/gs)];

test.each(examples.map(([, name = "", text = ""]) => [name, text]))("%s of the guide fits it", (_, text) => {
  expect(problemsOf(text)).toEqual([]);
});

describe("an editor marks", () => {
  test.each([
    ["a key that does not exist", "cases: [{ name: a, input: {} }]"],
    ["a case without a name", "cases: [{ inputs: {} }]"],
    ["a status that there is not", "cases: [{ name: a, expect: { status: ok } }]"],
    ["a word that blocks can't be", "cases: [{ name: a, expect: { blocks: { b: skiped } } }]"],
    ["a file that is a map", "cases: [{ name: a, expect: { files: { b: { c: 1 } } } }]"],
    ["calls that are no lists", "cases: [{ name: a, expect: { commands: { b: [c] } } }]"],
    [
      "a stand-in with an unknown block type",
      "cases: [{ name: a, workflows: { b: { blocks: [{ id: c, type: Shel }] } } }]",
    ],
    ["a mock with an unknown key", "cases: [{ name: a, mocks: { b: { output: {} } } }]"],
    ["no cases", "workflow: a"],
  ])("%s", (_, text) => {
    expect(problemsOf(text)).not.toEqual([]);
  });
});
