import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { explainDependencyKey } from "./foreign-keys.ts";
import { flag, text } from "./forms.ts";
import { type Key, type Keys, listKeys, mapSchema, readKeys, refuseUnknown } from "./key.ts";
import { MapReader } from "./map-reader.ts";
import type { Dependency } from "./workflow-definition.ts";
import { describeNode, type YamlNode } from "./yaml-node.ts";

interface WrittenDependency extends Pick<Dependency, "required"> {
  readonly block?: string;
}

export const dependencyKeys: Keys<WrittenDependency> = {
  block: { name: "block", docs: "The id of the other block", examples: ["build"], required: true, ...text },
  required: {
    name: "required",
    docs: "`false`: it runs also when the other one ran and failed, or was skipped; not when that could not run or was stopped",
    examples: ["false", "true"],
    schema: { ...flag.schema, default: true },
    // What nobody has said is no default yet: the condition may decide.
    read: flag.read,
  },
};

export const dependsOn: Key<readonly Dependency[]> = {
  name: "depends_on",
  docs: "Blocks that must end before",
  examples: ["[prepare, { block: lint, required: false }]", "prepare"],
  foreign: ["needs", "after", "requires"],
  schema: (catalog) => {
    const dependency = { anyOf: [{ type: "string" }, mapSchema(listKeys(dependencyKeys), catalog)] };
    return { anyOf: [{ type: "string" }, { type: "array", items: dependency }] };
  },
  read(at) {
    const { node, what, report } = at;
    const isText = node?.kind === "scalar" && typeof node.value === "string";
    const dependencies = new Map<string, Dependency>();
    for (const item of isText ? [node] : (at.listAt()?.items ?? [])) {
      const dependency = readDependency(item, what, report);
      if (dependency === undefined) continue;
      const first = dependencies.get(dependency.block);
      if (first !== undefined) {
        report({ ...describeDuplicate(first, dependency, what), range: item.range });
        continue;
      }
      dependencies.set(dependency.block, dependency);
    }
    return [...dependencies.values()];
  },
};

/** The same twice does no harm; two that say different things have no meaning. */
function describeDuplicate(first: Dependency, second: Dependency, what: string): Omit<Diagnostic, "range"> {
  if ((first.required ?? true) === (second.required ?? true)) {
    const message = `${what} depends on '${first.block}' twice.`;
    return { code: "duplicate-dependency", level: "hint", message, fix: "Remove one." };
  }
  const message = `${what} depends on '${first.block}' twice, once required and once not.`;
  const fix = `Keep one: \`${first.block}\` if it must succeed, \`{ block: ${first.block}, required: false }\` if not.`;
  return { code: "contradictory-dependency", level: "error", message, fix };
}

function readDependency(item: YamlNode, what: string, report: Report): Dependency | undefined {
  if (item.kind === "scalar" && typeof item.value === "string") return { block: item.value, range: item.range };
  if (item.kind === "map") {
    const map = new MapReader(item, `a dependency of ${what}`, report);
    refuseUnknown(map, listKeys(dependencyKeys), explainDependencyKey);
    const { block, ...rest } = readKeys(dependencyKeys, map, undefined);
    return block === undefined ? undefined : { block, ...rest, range: (map.node("block") as YamlNode).range };
  }
  report({
    code: "wrong-type",
    level: "error",
    message: `A dependency is a block's id or { block: id, required: false }, not ${describeNode(item)}.`,
    range: item.range,
  });
  return undefined;
}
