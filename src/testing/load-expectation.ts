import type { Form, JsonSchema, Key } from "../definition/key.ts";
import { KeyReader, MapReader } from "../definition/map-reader.ts";
import { describeNode, type YamlMap, type YamlNode } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { explainPattern } from "../expression/find-pattern.ts";
import type { Expectation } from "./expectation.ts";

const expected: JsonSchema = { $ref: "#/$defs/expected" };

/** A value to be compared with, or a matcher. */
export const expectation: Form<Expectation | undefined> = {
  schema: expected,
  read: ({ node, report }) => (node === undefined ? undefined : loadExpectation(node, report)),
};

/** The same of each value of a map. */
export const expectations: Form<ReadonlyMap<string, Expectation>> = {
  schema: { type: "object", additionalProperties: expected },
  read: (at) => loadExpectations(at.mapAt(), at.report),
};

/** A value as it is expected: a map with exactly one key that names a matcher is one, everything else is compared. */
export function loadExpectation(node: YamlNode, report: Report): Expectation {
  if (node.kind === "scalar") return { kind: "equals", value: node.value };
  if (node.kind === "list") return { kind: "list", items: node.items.map((item) => loadExpectation(item, report)) };
  return loadMatcher(node, report) ?? { kind: "map", entries: loadExpectations(node, report) };
}

/** The values of a map, each as it is expected. */
function loadExpectations(map: YamlMap | undefined, report: Report): Map<string, Expectation> {
  return new Map(map?.entries.map(({ key, value }) => [key, loadExpectation(value, report)]));
}

/** An argument of a command: a text however it is written, since commands know nothing else. */
export function loadArgument(node: YamlNode, report: Report): Expectation {
  if (node.kind === "scalar")
    return { kind: "equals", value: typeof node.value === "string" ? node.value : node.written };
  const matcher = node.kind === "map" ? loadMatcher(node, report) : undefined;
  if (matcher !== undefined) return matcher;
  const message = `An argument is a text or a matcher, not ${describeNode(node)}.`;
  report({ code: "wrong-type", level: "error", message, range: node.range });
  return { kind: "any" };
}

/** One of these makes a matcher of a map. */
export const matcherKeys: readonly Key<Expectation>[] = [
  {
    name: "contains",
    docs: "A text in a text, or an element of a list",
    examples: ["fern"],
    schema: {},
    read: (at) => ({ kind: "contains", part: loadExpectation(at.node as YamlNode, at.report) }),
  },
  {
    name: "matches",
    docs: "A regular expression (RE2) that is found in the text",
    examples: ["'^v[0-9]+'"],
    schema: { type: "string" },
    read: (at) => ({ kind: "matches", pattern: loadPattern(at.node as YamlNode, at.report) }),
  },
  {
    name: "json",
    docs: "What the text is when it is parsed",
    examples: ["{ leaves: [1, 2] }", "{ leaves: { contains: 2 } }"],
    schema: expected,
    read: (at) => ({ kind: "json", parsed: loadExpectation(at.node as YamlNode, at.report) }),
  },
  {
    name: "any",
    docs: "There, and not null",
    examples: ["true"],
    schema: { const: true },
    read({ node, report }) {
      if (node?.kind !== "scalar" || node.value !== true) {
        refuse(node as YamlNode, "`any` takes true and nothing else", report);
      }
      return { kind: "any" };
    },
  },
  {
    name: "not",
    docs: "Anything but this",
    examples: ["{ contains: error }", "7"],
    schema: expected,
    read: (at) => ({ kind: "not", expectation: loadExpectation(at.node as YamlNode, at.report) }),
  },
];

/** A form of its own only where there is exactly one key: a map that is expected may have keys of these names. */
function loadMatcher(map: YamlMap, report: Report): Expectation | undefined {
  const [entry, another] = map.entries;
  const key = another === undefined ? matcherKeys.find(({ name }) => name === entry?.key) : undefined;
  return key?.read(new KeyReader(new MapReader(map, "the matcher", report), key.name), undefined, {});
}

function loadPattern(node: YamlNode, report: Report): string {
  if (node.kind !== "scalar" || node.value === null) {
    refuse(node, `\`matches\` takes a regular expression, not ${describeNode(node)}`, report);
    return "";
  }
  const pattern = typeof node.value === "string" ? node.value : node.written;
  const problem = explainPattern(pattern);
  if (problem !== undefined) report({ code: "bad-pattern", level: "error", message: problem, range: node.range });
  return problem === undefined ? pattern : "";
}

function refuse(node: YamlNode, message: string, report: Report): void {
  report({ code: "bad-matcher", level: "error", message: `${message}.`, range: node.range });
}
