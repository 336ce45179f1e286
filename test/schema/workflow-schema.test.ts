import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createCatalog } from "../../src/block/catalog.ts";
import { onInterruptedChoices } from "../../src/block/define-block.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { blockTypeSchema, workflowSchema } from "../../src/library/json-schema.ts";

// Editors validate with what the file says and know nothing of Frond, so a validator that knows nothing of it is used here.
const validate: ValidateFunction = new Ajv2020({ strict: false }).compile(workflowSchema(createCatalog(blockTypes)));

function problemsOf(text: string): string[] {
  return validate(parse(text))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function block(lines: string): string {
  return `name: a\ndescription: b\nblocks:\n  - id: x\n${lines.replaceAll(/^/gm, "    ")}`;
}

const files = [
  ...readdirSync("examples").map((name) => `examples/${name}`),
  "workflows/examples/hello-world.yaml",
  ...readdirSync("test/founding").map((name) => `test/founding/${name}`),
  // These show an input that was dropped and block types that there are not, which editors are to mark.
].filter((file) => /(?<!\/continue-on-error|\/block-types)\.yaml$/.test(file));

test.each(files)("%s fits the schema that editors use", (file) => {
  expect(problemsOf(readFileSync(file, "utf8"))).toEqual([]);
});

describe("an editor marks", () => {
  test.each([
    ["a key that does not exist", block("type: Shell\ndependson: [y]\ninputs: { command: ls }")],
    ["an input that the block type has not", block("type: Shell\ninputs: { comand: ls }")],
    ["an input of the wrong type", block("type: Shell\ninputs: { command: ls, strict: 5 }")],
    ["a block type that does not exist", block("type: Shel")],
    ["an alias's inputs too", block("type: Workflow\ninputs: { workflow: x, input: {} }")],
    ["a choice that does not exist", block("type: Shell\non_interrupted: retry\ninputs: { command: ls }")],
    ["a sandbox that is none", block("type: Shell\nsandbox: false\ninputs: { command: ls }")],
    ["a workflow without blocks", "name: a\ndescription: b"],
    ["a name with spaces", "name: a b\ndescription: b\nblocks: [{ id: x, type: Shell }]"],
  ])("%s", (_, text) => {
    expect(problemsOf(text)).not.toEqual([]);
  });
});

test("an expression may stand where another type is wanted", () => {
  expect(problemsOf(block('type: Shell\ninputs: { command: ls, strict: "${inputs.x}", env: "${inputs.e}" }'))).toEqual(
    [],
  );
});

test.each([
  ["a text of a certain form", 'content: x, expect_sha256: "${blocks.y.sha256}"'],
  ["a number in an operation", 'operations: [{ type: delete_lines, line_start: "${inputs.n}" }]'],
  ["a choice in an operation", 'operations: [{ type: insert_lines, content: x, position: "${inputs.p}" }]'],
  ["an operation", 'operations: ["${inputs.operation}", { type: delete_lines, line_start: 1 }]'],
])("an expression may stand for %s", (_, inputs) => {
  expect(problemsOf(block(`type: EditFile\ninputs: { path: f, ${inputs} }`))).toEqual([]);
});

test.each([
  ["a text of another form", "content: x, expect_sha256: abc"],
  ["a number below 1 in an operation", "operations: [{ type: delete_lines, line_start: 0 }]"],
  ["an operation that does not exist", "operations: [{ type: delete, line_start: 1 }]"],
  ["an operation that lacks something", "operations: [{ type: replace_text, old_text: x }]"],
])("an editor marks %s in spite of that", (_, inputs) => {
  expect(problemsOf(block(`type: EditFile\ninputs: { path: f, ${inputs} }`))).not.toEqual([]);
});

test("every choice of on_interrupted fits", () => {
  for (const choice of onInterruptedChoices) {
    expect(problemsOf(block(`type: Shell\non_interrupted: ${choice}\ninputs: { command: ls }`))).toEqual([]);
  }
});

test("a sandbox fits, on a block and on a workflow", () => {
  for (const sandbox of ["true", "{ network: host }", "{}"]) {
    const text = block(`type: Shell\nsandbox: ${sandbox}\ninputs: { command: ls }`);
    expect(problemsOf(`sandbox: ${sandbox}\n${text}`)).toEqual([]);
  }
});

test("the schema of one block type names its inputs and outputs", () => {
  const [shell] = blockTypes;
  const schema = shell && blockTypeSchema(shell);
  expect(schema).toMatchObject({
    title: "Shell",
    properties: {
      inputs: { properties: { command: { type: "string" }, timeout: {} } },
      outputs: { properties: { exit_code: { type: "integer" } } },
    },
  });
});
