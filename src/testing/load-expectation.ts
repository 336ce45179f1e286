import { describeNode, type YamlMap, type YamlNode } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { type Expectation, matcherKeys } from "./expectation.ts";
import { explainPattern } from "./find-pattern.ts";

/** A value as it is expected: a map with exactly one key that names a matcher is one, everything else is compared. */
export function loadExpectation(node: YamlNode, report: Report): Expectation {
  if (node.kind === "scalar") return { kind: "equals", value: node.value };
  if (node.kind === "list") return { kind: "list", items: node.items.map((item) => loadExpectation(item, report)) };
  return loadMatcher(node, report) ?? { kind: "map", entries: loadExpectations(node, report) };
}

/** The values of a map, each as it is expected. */
export function loadExpectations(map: YamlMap | undefined, report: Report): Map<string, Expectation> {
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

function loadMatcher(map: YamlMap, report: Report): Expectation | undefined {
  const [entry, another] = map.entries;
  const kind = matcherKeys.find((key) => key === entry?.key);
  if (entry === undefined || another !== undefined || kind === undefined) return undefined;
  const { value: node } = entry;
  switch (kind) {
    case "contains":
      return { kind, part: loadExpectation(node, report) };
    case "json":
      return { kind, parsed: loadExpectation(node, report) };
    case "not":
      return { kind, expectation: loadExpectation(node, report) };
    case "any":
      if (node.kind !== "scalar" || node.value !== true) refuse(node, "`any` takes true and nothing else", report);
      return { kind };
    case "matches":
      return { kind, pattern: loadPattern(node, report) };
  }
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
