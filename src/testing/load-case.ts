import type { Catalog } from "../block/catalog.ts";
import { readText, text, timeLimit, withDefault } from "../definition/forms.ts";
import { type JsonSchema, type Keys, listKeys, mapSchema, readMap } from "../definition/key.ts";
import { firstLine, MapReader } from "../definition/map-reader.ts";
import { plainValue } from "../definition/plain-value.ts";
import { workflowNamePattern } from "../definition/workflow-keys.ts";
import { describeNode, type YamlMap, type YamlNode } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { workflowSchema } from "../library/json-schema.ts";
import { looseText, programs, readEach, uses, values } from "./forms.ts";
import { expectKeys, loadExpected } from "./load-expected.ts";
import { fakeKeys, loadFake } from "./load-fake.ts";
import { givenFileKeys, loadGivenFile } from "./load-given-file.ts";
import { loadMock, mockKeys } from "./load-mock.ts";
import { loadStandIn } from "./load-stand-in.ts";
import type { TestCase } from "./test-file.ts";

interface CaseContext {
  readonly catalog: Catalog;
  /** Programs that every case of the file uses. */
  readonly uses: readonly string[];
}

export const caseKeys: Keys<Omit<TestCase, "range">, CaseContext> = {
  name: {
    name: "name",
    docs: "What is shown to be so",
    examples: ["does what it says"],
    required: true,
    schema: text.schema,
    read: (at) => at.text() ?? "",
  },
  uses: { ...uses, read: (at, { uses: always }) => [...new Set([...always, ...programs.read(at, undefined, {})])] },
  inputs: { name: "inputs", docs: "What the workflow is given", examples: ["{ version: v1 }"], ...values },
  files: {
    name: "files",
    docs: "Laid out in the workspace before",
    examples: ['{ src/a.txt: hello, run.sh: { content: "exit 0", mode: "755" } }'],
    schema: (catalog) => mapOf({ anyOf: [looseText.schema, mapSchema(listKeys(givenFileKeys), catalog)] }),
    read: (at) => readEach(at, (entry) => loadGivenFile(entry, at.report)),
  },
  setup: {
    name: "setup",
    docs: "Shell commands, run in the workspace before (bash -euo pipefail)",
    examples: ["mkdir dist"],
    ...text,
  },
  env: {
    name: "env",
    docs: "Variables, beside an environment that is clean",
    examples: ['{ CI: "true" }', "{ LEVEL: 7 }"],
    schema: mapOf(looseText.schema),
    read: (at) =>
      Object.fromEntries(readEach(at, ({ value }) => readText(value, "the value of a variable", at.report))),
  },
  commands: {
    name: "commands",
    docs: "Fakes that are found before all other programs",
    examples: ['{ npm: { stdout: "10.0.0\\n" } }'],
    schema: (catalog) => mapOf(mapSchema(listKeys(fakeKeys), catalog)),
    read: (at) => readEach(at, (entry) => loadFake(entry, at.report)),
  },
  without: { name: "without", docs: "Programs that can't be found", examples: ["[docker]"], ...programs },
  workflows: {
    name: "workflows",
    docs: "Workflows that are called instead of those of the same name",
    examples: ["{ announce: { blocks: [{ id: tell, type: Shell, inputs: { command: 'true' } }] } }"],
    schema: (catalog) => {
      const { $schema: _, $defs: __, ...workflow } = workflowSchema(catalog);
      return {
        ...mapOf({ ...workflow, required: ["blocks"] }),
        propertyNames: { pattern: workflowNamePattern.source },
      };
    },
    read: (at, { catalog }) => readEach(at, (entry) => loadStandIn(entry, catalog, at.report)),
  },
  mocks: {
    name: "mocks",
    docs: "How blocks end that do not run, by address; * stands for one part of it; a list has one for each attempt",
    examples: [
      "{ deploy: { fails: no route }, check/*: { outputs: { stdout: fine } } }",
      "{ fetch: [{ fails: no route }, {}] }",
    ],
    schema: (catalog) => {
      const one = mapSchema(listKeys(mockKeys), catalog);
      return mapOf({ anyOf: [one, { type: "array", items: one, minItems: 1 }] });
    },
    read: (at) => readEach(at, (entry) => loadMock(entry, at.report)),
  },
  answers: {
    name: "answers",
    docs: "To questions, by address of the block; a list is given one by one",
    examples: ['{ approve: "yes" }', "{ ask/*: [first, second] }"],
    schema: { type: "object" },
    read: (at) => readEach(at, ({ value }) => plainValue(value)),
  },
  expected: {
    name: "expect",
    docs: "What the run is to be like; a success if nothing is said",
    examples: ["{ status: failure }"],
    schema: (catalog) => mapSchema(listKeys(expectKeys), catalog),
    read: (at, _, { commands }) => loadExpected(at, new Set(commands?.keys())),
  },
  timeoutSeconds: {
    name: "timeout",
    docs: "Seconds, or a text like 30s or 5m",
    examples: ["30s", "90"],
    ...withDefault(timeLimit, 60),
  },
};

function mapOf(value: JsonSchema): JsonSchema {
  return { type: "object", additionalProperties: value };
}

export function loadCase(
  node: YamlNode,
  uses: readonly string[],
  catalog: Catalog,
  report: Report,
): TestCase | undefined {
  if (node.kind !== "map") {
    const message = `A case is a map with a name, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, range: node.range });
    return undefined;
  }
  const name = nameOf(node);
  const map = new MapReader(node, name === undefined ? "the case" : `the case '${name}'`, report);
  const fields = readMap(caseKeys, map, { catalog, uses });
  return { ...fields, range: map.node("name")?.range ?? firstLine(node.range) };
}

function nameOf({ entries }: YamlMap): string | undefined {
  const value = entries.find(({ key }) => key === "name")?.value;
  return value?.kind === "scalar" && value.value !== null ? String(value.value) : undefined;
}
