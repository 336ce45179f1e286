import type { Catalog } from "../block/catalog.ts";
import { collectDiagnostics, type Report } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Source } from "../diagnostic/source.ts";
import { refusedNames } from "../expression/ast.ts";
import { parseDuration } from "./duration.ts";
import { explainWorkflowKey } from "./foreign-keys.ts";
import { loadBlock, reportTimeout } from "./load-block.ts";
import { loadInputs } from "./load-inputs.ts";
import { loadOutputs } from "./load-outputs.ts";
import { readSandbox } from "./load-sandbox.ts";
import { isNothing, type LaterKeys, MapReader } from "./map-reader.ts";
import { readYaml } from "./read-yaml.ts";
import { placedText } from "./value-template.ts";
import type { BlockDefinition, WorkflowDefinition } from "./workflow-definition.ts";
import { describeNode, type YamlNode, type YamlScalar } from "./yaml-node.ts";

export interface Loaded {
  /** Absent when the file is too broken to say what the workflow is. */
  readonly definition?: WorkflowDefinition;
  readonly diagnostics: readonly Diagnostic[];
}

export const workflowKeys = [
  "name",
  "description",
  "version",
  "author",
  "tags",
  "inputs",
  "blocks",
  "outputs",
  "max_parallel",
  "timeout",
  "sandbox",
  "expose",
] as const;

/** As what a server may offer a workflow by itself. */
export const exposures = ["tool"] as const;

const laterWorkflowKeys: LaterKeys = {
  on_failure: "undo and rollback",
  budget: "budgets",
  rollback: "undo and rollback",
  runs_on: "many machines",
  workspace: "many machines",
};

/** Text to definition. Every problem of the file is reported at once; a definition with errors must not be run. */
export function loadWorkflow(source: Source, catalog: Catalog): Loaded {
  const yaml = readYaml(source);
  if (!yaml.ok) return { diagnostics: yaml.error };
  const { value: definition, diagnostics } = collectDiagnostics((report) =>
    readWorkflow(yaml.value, source, catalog, report),
  );
  return { ...(definition === undefined ? {} : { definition }), diagnostics };
}

/** The same for a workflow that stands in another document, which is the source its problems point into. */
export function readWorkflow(
  root: YamlNode,
  source: Source,
  catalog: Catalog,
  report: Report,
): WorkflowDefinition | undefined {
  if (root.kind === "map") return readDefinition(new MapReader(root, "the workflow", report), source, catalog, report);
  const message = `A workflow is a map with name, description and blocks, not ${describeNode(root)}.`;
  report({ code: "wrong-type", level: "error", message, range: root.range });
  return undefined;
}

function readDefinition(reader: MapReader, source: Source, catalog: Catalog, report: Report): WorkflowDefinition {
  reader.refuseUnknown(workflowKeys, laterWorkflowKeys, explainWorkflowKey);
  const name = readName(reader, report);
  const description = reader.requiredText("description", "What the workflow does");
  const author = reader.text("author");
  const maxParallel = reader.positiveInteger("max_parallel");
  const timeout = readTimeout(reader, report);
  const sandbox = readSandbox(reader, report);
  const expose = reader.oneOf("expose", exposures);
  const definition: WorkflowDefinition = {
    source,
    name: name ?? "unnamed",
    nameRange: reader.node("name")?.range ?? reader.map.range,
    description: description ?? "",
    version: reader.text("version") ?? "1.0",
    ...(author === undefined ? {} : { author }),
    tags: readTags(reader, report),
    inputs: loadInputs(reader, report),
    ...readBlocks(reader, catalog, report),
    outputs: loadOutputs(reader, report),
    ...(maxParallel === undefined ? {} : { maxParallel }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(expose === undefined ? {} : { expose }),
  };
  if (expose !== undefined) warnOfSecretInputs(definition, reader, report);
  if (sandbox?.network === "none") warnOfNetworks(definition.blocks, report);
  return definition;
}

export const workflowNamePattern: RegExp = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function readName(reader: MapReader, report: Report): string | undefined {
  const name = reader.requiredText("name", "my-workflow");
  if (name === undefined) return undefined;
  if (workflowNamePattern.test(name) && name.length <= 100 && !refusedNames.has(name)) return name;
  const kebab = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 100);
  report({
    code: "bad-name",
    level: "error",
    message: `'${name}' can't be a workflow's name.`,
    why: "A name is lower-case words joined by hyphens, 100 characters at most, and none that the engine keeps for itself.",
    ...(kebab === "" || kebab === name ? {} : { fix: `Call it '${kebab}'.` }),
    range: (reader.node("name") as YamlScalar).range,
  });
  return name;
}

function readTimeout(reader: MapReader, report: Report): number | undefined {
  const node = reader.node("timeout");
  if (node === undefined) return undefined;
  const value = node.kind === "scalar" ? node.value : null;
  const duration = parseDuration(value);
  if (duration.ok) return duration.value;
  reportTimeout("timeout", value, duration.error, node.range, report);
  return undefined;
}

function warnOfNetworks(blocks: readonly BlockDefinition[], report: Report): void {
  for (const { id, sandbox, range } of blocks) {
    if (sandbox?.network !== "host") continue;
    report({
      code: "network-without-effect",
      level: "warning",
      message: `block '${id}' has no network, because the sandbox of the workflow has none.`,
      why: "A sandbox further in can be tighter than the one around it, never wider.",
      fix: "Write `sandbox: { network: host }` on the workflow and `sandbox: true` on the blocks that need no network.",
      range,
    });
  }
}

function warnOfSecretInputs({ inputs }: WorkflowDefinition, reader: MapReader, report: Report): void {
  const secret = [...inputs.values()].find((input) => input.secret);
  if (secret === undefined) return;
  report({
    code: "secret-not-exposed",
    level: "warning",
    message: `The workflow does not become a tool, because its input '${secret.name}' is secret.`,
    why: "What a client passes to a tool is recorded in many places.",
    fix: "Expose a workflow that calls this one and hands the secret over.",
    range: reader.node("expose")?.range ?? reader.map.range,
  });
}

function readTags(reader: MapReader, report: Report): string[] {
  const tags: string[] = [];
  for (const item of reader.listAt("tags")?.items ?? []) {
    if (item.kind === "scalar" && item.value !== null) tags.push(placedText(item).text);
    else
      report({
        code: "wrong-type",
        level: "error",
        message: `A tag must be a word, not ${describeNode(item)}.`,
        range: item.range,
      });
  }
  return tags;
}

type LoadedBlocks = Pick<WorkflowDefinition, "blocks" | "unreadable">;

const noBlocks: LoadedBlocks = { blocks: [], unreadable: new Set() };

function readBlocks(reader: MapReader, catalog: Catalog, report: Report): LoadedBlocks {
  const node = reader.node("blocks");
  if (node === undefined && reader.isMeant("blocks")) return noBlocks;
  if (node === undefined || isNothing(node) || (node.kind === "list" && node.items.length === 0)) {
    report({
      code: "no-blocks",
      level: "error",
      message: "The workflow has no blocks.",
      fix: "Add `blocks:` with at least one item that has an id and a type.",
      range: reader.entry("blocks")?.keyRange ?? reader.map.range,
    });
    return noBlocks;
  }
  if (node.kind === "map") {
    const id = node.entries[0]?.key ?? "build";
    reader.wrongType("blocks", "a list", `Write its items as \`- id: ${id}\` instead of \`${id}:\`.`);
    return noBlocks;
  }
  const list = reader.listAt("blocks");
  if (list === undefined) return noBlocks;
  const blocks: BlockDefinition[] = [];
  const unreadable = new Set<string>();
  const seen = new Set<string>();
  for (const item of list.items) {
    const block = loadBlock(item, catalog, report);
    if (typeof block === "string") unreadable.add(block);
    if (typeof block !== "object") continue;
    if (seen.has(block.id)) {
      report({
        code: "duplicate-block",
        level: "error",
        message: `There are two blocks with the id '${block.id}'.`,
        fix: "Give each block an id of its own.",
        range: block.range,
      });
      continue;
    }
    seen.add(block.id);
    blocks.push(block);
  }
  return { blocks, unreadable };
}
