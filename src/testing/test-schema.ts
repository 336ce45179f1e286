import type { Catalog } from "../block/catalog.ts";
import { workflowNamePattern } from "../definition/load-workflow.ts";
import { workflowSchema } from "../library/json-schema.ts";
import type { matcherKeys } from "./expectation.ts";
import type { caseKeys, fakeKeys, givenFileKeys } from "./load-case.ts";
import type { blockKeys, expectKeys, promptKeys } from "./load-expected.ts";
import type { mockKeys } from "./load-mock.ts";
import type { testFileKeys } from "./load-test-file.ts";
import { blockOutcomes, blockStatuses, expectedStatuses } from "./test-file.ts";

type Schema = Record<string, unknown>;
/** A key the loader knows and the schema does not, or the other way round, is a type error. */
type PropertiesFor<Keys extends readonly string[]> = Record<Keys[number], Schema>;

/** The JSON Schema of a test file, for editors. */
export function testFileSchema(catalog: Catalog): Schema {
  const properties: PropertiesFor<typeof testFileKeys> = {
    workflow: {
      type: "string",
      description: "The workflow under test, if it does not lie beside this file: a name, or a path from here",
    },
    uses,
    cases: { type: "array", minItems: 1, items: { $ref: "#/$defs/case" } },
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Tests of a Frond workflow",
    type: "object",
    required: ["cases"],
    additionalProperties: false,
    properties,
    $defs: { case: caseSchema(catalog), expected: expectedValue, matcher: matcherSchema },
  };
}

const text: Schema = { type: ["string", "number", "boolean"] };
const script: Schema = { type: "string" };
const programs: Schema = { type: "array", items: { type: "string" } };
const uses: Schema = { ...programs, description: "Programs that have to be there; a case is skipped where one is not" };
const expected: Schema = { $ref: "#/$defs/expected" };
const matcher: Schema = { $ref: "#/$defs/matcher" };

const matchers: PropertiesFor<typeof matcherKeys> = {
  contains: { description: "A text in a text, or an element of a list" },
  matches: { type: "string", description: "A regular expression (RE2) that is found in the text" },
  json: { ...expected, description: "What the text is when it is parsed" },
  any: { const: true, description: "There, and not null" },
  not: { ...expected, description: "Anything but this" },
};

const matcherSchema: Schema = {
  type: "object",
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
  properties: matchers,
};

const expectedValue: Schema = {
  description: "A value to be equal to (of a map: the keys that are named), or a matcher",
  anyOf: [matcher, {}],
};

function caseSchema(catalog: Catalog): Schema {
  const { $schema: _, title, required: __, ...workflow } = workflowSchema(catalog);
  const properties: PropertiesFor<typeof caseKeys> = {
    name: { type: "string", description: "What is shown to be so" },
    uses,
    inputs: { type: "object", description: "What the workflow is given" },
    files: {
      type: "object",
      description: "Laid out in the workspace before",
      additionalProperties: { anyOf: [text, map(givenFile)] },
    },
    setup: { ...script, description: "Shell commands, run in the workspace before (bash -euo pipefail)" },
    env: {
      type: "object",
      description: "Variables, beside an environment that is clean",
      additionalProperties: text,
    },
    commands: {
      type: "object",
      description: "Fakes that are found before all other programs",
      additionalProperties: map(fake),
    },
    without: { ...programs, description: "Programs that can't be found" },
    workflows: {
      type: "object",
      description: "Workflows that are called instead of those of the same name",
      propertyNames: { pattern: workflowNamePattern.source },
      additionalProperties: { ...workflow, title, required: ["blocks"] },
    },
    mocks: {
      type: "object",
      description: "How blocks end that do not run, by address; * stands for one part of it",
      additionalProperties: map(mock),
    },
    answers: {
      type: "object",
      description: "To questions, by address of the block; a list is given one by one",
    },
    expect: { type: "object", additionalProperties: false, properties: expectations },
    timeout: { description: "Seconds, or a text like 30s or 5m; 60s if it is not said", type: ["number", "string"] },
  };
  return { type: "object", required: ["name"], additionalProperties: false, properties };
}

function map(properties: Schema): Schema {
  return { type: "object", additionalProperties: false, properties };
}

const givenFile: PropertiesFor<typeof givenFileKeys> = {
  content: text,
  json: { description: "Written as JSON" },
  mode: { type: "string", pattern: "^0?[0-7]{3}$" },
};

const fake: PropertiesFor<typeof fakeKeys> = {
  stdout: text,
  stderr: text,
  exit_code: { type: "integer", minimum: 0, maximum: 255, default: 0 },
  script: { ...script, description: "What it does instead (bash)" },
};

const mock: PropertiesFor<typeof mockKeys> = {
  outputs: { type: "object", description: "Over those that a block of its type has by itself" },
  fails: { type: "string", description: "It ran, and what it tried did not work" },
  crashes: { type: "string", description: "It could not run" },
};

const block: PropertiesFor<typeof blockKeys> = {
  status: { enum: blockStatuses },
  outcome: { enum: blockOutcomes },
  message: expected,
  inputs: { type: "object", additionalProperties: expected },
  outputs: { type: "object", additionalProperties: expected },
};

const prompt: PropertiesFor<typeof promptKeys> = {
  block: { type: "string", description: "Address of the block that asks" },
  prompt: expected,
  audience: { enum: ["llm", "human"] },
};

const expectations: PropertiesFor<typeof expectKeys> = {
  status: { enum: expectedStatuses, default: "success" },
  error: expected,
  outputs: { type: "object", description: "Others may be anything", additionalProperties: expected },
  blocks: {
    type: "object",
    description: "By address; * stands for one part of it",
    additionalProperties: { anyOf: [{ enum: blockStatuses }, map(block)] },
  },
  order: { type: "array", items: { type: "string" }, description: "These ended in this order" },
  prompts: { type: "array", items: map(prompt), description: "Exactly these were asked, in this order" },
  files: { type: "object", additionalProperties: { anyOf: [text, matcher] } },
  commands: {
    type: "object",
    description: "How fakes were called: lists of arguments, in order",
    additionalProperties: { type: "array", items: { type: "array", items: { anyOf: [text, matcher] } } },
  },
  run: { ...script, description: "Shell commands that must succeed in the workspace afterwards" },
};
