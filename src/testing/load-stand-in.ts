import type { Catalog } from "../block/catalog.ts";
import { readWorkflow } from "../definition/load-workflow.ts";
import { plainValue } from "../definition/plain-value.ts";
import { workflowNamePattern } from "../definition/workflow-keys.ts";
import { describeNode, type YamlEntry, type YamlMap } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { ValueMap } from "../expression/value.ts";

/** The text of a workflow that stands for another of that name. What is wrong with it is told where it stands. */
export function loadStandIn(entry: YamlEntry, catalog: Catalog, report: Report): string | undefined {
  const { key: name, keyRange, value: node } = entry;
  if (!workflowNamePattern.test(name)) {
    const message = `'${name}' can't be a workflow's name.`;
    report({ code: "bad-name", level: "error", message, range: keyRange });
    return undefined;
  }
  if (node.kind !== "map") {
    const message = `The workflow '${name}' must be a map with blocks, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, range: node.range });
    return undefined;
  }
  readWorkflow(withDefaults(node, entry), node.range.source, catalog, ({ level, ...problem }) => {
    // A stand-in need not be exemplary.
    if (level === "error") report({ level, ...problem });
  });
  return JSON.stringify({ name, description: `stand-in for ${name}`, ...(plainValue(node) as ValueMap) });
}

/** It has its name already, and nobody reads its description. */
function withDefaults(map: YamlMap, { key, keyRange: range }: YamlEntry): YamlMap {
  const missing = ["name", "description"].filter((wanted) => !map.entries.some((entry) => entry.key === wanted));
  const scalar = { kind: "scalar", value: key, written: key, style: "plain", range } as const;
  return {
    ...map,
    entries: [...missing.map((name) => ({ key: name, keyRange: range, value: scalar })), ...map.entries],
  };
}
