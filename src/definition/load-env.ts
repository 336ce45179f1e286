import type { Range } from "../diagnostic/source.ts";
import { references } from "../expression/references.ts";
import type { KeyReader } from "./map-reader.ts";
import {
  compileValue,
  emptyMap,
  expressionsIn,
  type FileReport,
  type MapEntry,
  type ValueTemplate,
} from "./value-template.ts";
import type { BlockInput } from "./workflow-definition.ts";
import { describeNode, type YamlEntry } from "./yaml-node.ts";

/** Variables for the commands of a workflow's own blocks. */
export interface WorkflowEnv {
  readonly entries: readonly MapEntry[];
  /** Of the key, for problems that are about all of it. */
  readonly range: Range;
}

/** What is the same for every block of the workflow and adds no edge. */
const readableRoots: ReadonlySet<string> = new Set(["inputs", "metadata", "secrets"]);

export function loadEnv(at: KeyReader): WorkflowEnv | undefined {
  const map = at.mapAt();
  if (map === undefined || at.entry === undefined) return undefined;
  return { entries: map.entries.flatMap((entry) => loadVariable(entry, at.report)), range: at.entry.keyRange };
}

function loadVariable({ key, keyRange, value: node }: YamlEntry, report: FileReport): readonly MapEntry[] {
  if (key === "" || /[=\0]/.test(key)) {
    const message = `'${key}' can't be the name of an environment variable.`;
    report({ code: "bad-name", level: "error", message, fix: "Use capitals, digits and _.", range: keyRange });
    return [];
  }
  if (node.kind !== "scalar" || node.value === null) {
    const message = `'${key}' of env must be a text, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, range: node.range });
    return [];
  }
  const value = compileValue(node, report);
  for (const { expression, text } of expressionsIn(value)) {
    for (const { root, start, end } of references(expression)) {
      if (readableRoots.has(root)) continue;
      report({
        code: "reference-not-allowed",
        level: "error",
        message: `env of a workflow can't read '${root}': it is for all of its commands, the first one too.`,
        fix: `Write it under the block that needs it: inputs: { env: { ${key}: ... } }.`,
        range: text.rangeOf(start, end),
      });
      return [];
    }
  }
  return [{ key, keyRange, value }];
}

/** The variables of a block with those of its workflow; its own win. */
export function joinEnv(
  inputs: Map<string, BlockInput>,
  name: string,
  env: WorkflowEnv,
  what: string,
  report: FileReport,
): void {
  const own = inputs.get(name);
  const entries = own === undefined ? [] : entriesOf(own.value);
  if (entries === undefined) {
    report({
      code: "env-not-joined",
      level: "error",
      message: `${what}: its env must name its variables, because the workflow has an env too.`,
      fix: 'Write env: { NAME: "${inputs.env.NAME}" }.',
      range: own?.nameRange ?? env.range,
    });
    return;
  }
  const names = new Set(entries.map(({ key }) => key));
  const joined = [...env.entries.filter(({ key }) => !names.has(key)), ...entries];
  const range = own?.value.range ?? env.range;
  inputs.set(name, { name, nameRange: own?.nameRange ?? env.range, value: mapOf(joined, range) });
}

function entriesOf(value: ValueTemplate): readonly MapEntry[] | undefined {
  return value.kind === "map" || value.kind === "literal" ? value.entries : undefined;
}

function mapOf(entries: readonly MapEntry[], range: Range): ValueTemplate {
  const value = emptyMap();
  for (const entry of entries) {
    if (entry.value.kind !== "literal") return { kind: "map", entries, range };
    value[entry.key] = entry.value.value;
  }
  return { kind: "literal", value, entries, range };
}
