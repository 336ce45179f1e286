import type { BlockType } from "../block/define-block.ts";
import type { ValueMap } from "../expression/value.ts";
import { err } from "../util/result.ts";
import type { ExplainKey } from "./foreign-keys.ts";
import { choice, type PlainForm } from "./forms.ts";
import { type Key, type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { type KeyReader, MapReader } from "./map-reader.ts";
import { outcomes, statuses } from "./metadata-fields.ts";
import { plainValue } from "./plain-value.ts";
import { emptyMap, type FileReport } from "./value-template.ts";
import type { Compensation, UndoneBlock } from "./workflow-definition.ts";
import { isWorkflowPath } from "./workflow-path.ts";
import type { YamlMap, YamlNode } from "./yaml-node.ts";

/** Reads what stands under `undo:` of a block. */
export type LoadUndo = (at: KeyReader) => Compensation | undefined;

export const undo: Key<Compensation | undefined, { readonly loadUndo: LoadUndo }> = {
  name: "undo",
  docs: "A block that takes back what this one did, also when that may have happened only in part: it must do no harm twice",
  examples: ['{ type: Shell, inputs: { args: [./release.sh, "${block.inputs.command}"] } }'],
  foreign: ["compensate", "compensation", "undo_block", "rollback_command", "revert", "on_rollback"],
  schema: { $ref: "#/$defs/compensation" },
  read: (at, { loadUndo }) => (at.entry === undefined ? undefined : loadUndo(at)),
};

const data: PlainForm<ValueMap> = {
  schema: { type: "object" },
  read: (at) => {
    const map = at.mapAt();
    return map === undefined ? emptyMap() : (plainValue(map) as ValueMap);
  },
};

const undoneKeys: Keys<UndoneBlock> = {
  block: {
    name: "block",
    docs: "Its address in the run that is undone",
    examples: ["deploy/publish"],
    required: true,
    schema: { type: "string" },
    read: (at) => at.text() ?? "",
  },
  attempt: {
    name: "attempt",
    docs: "Which attempt it was: ${block.attempt.number}",
    examples: ["1"],
    schema: { type: "integer", minimum: 1, default: 1 },
    read: (at) => at.integer("a whole number above 0", 1) ?? 1,
  },
  outcome: {
    name: "outcome",
    docs: "How it ended: ${block.attempt.outcome}; n/a when that is not known",
    examples: ["success"],
    schema: { enum: outcomes, default: "n/a" },
    read: (at) => choice(outcomes).read(at, undefined, {}) ?? "n/a",
  },
  status: {
    name: "status",
    docs: "The same in more words: ${block.attempt.status}",
    examples: ["completed"],
    schema: { enum: statuses, default: "completed" },
    read: (at) => choice(statuses).read(at, undefined, {}) ?? "completed",
  },
  workspace: {
    name: "workspace",
    docs: "The directory below the workspace that it worked in, where that was another one",
    examples: ["packages/app"],
    schema: { type: "string" },
    read: (at) => at.text(),
  },
  inputs: { name: "inputs", docs: "What it was given: ${block.inputs.NAME}", examples: ["{ path: a.txt }"], ...data },
  outputs: { name: "outputs", docs: "What it gave: ${block.outputs.NAME}", examples: ["{ id: 7 }"], ...data },
};

/** Plain data: nothing in it is an expression. */
export const undoes: Key<UndoneBlock | undefined> = {
  name: "undoes",
  docs: "In an undo plan: what `block` stands for in the expressions of this block",
  examples: ["{ block: publish, outcome: success, inputs: { tag: v1 }, outputs: { id: 7 } }"],
  schema: (catalog) => mapSchema(listKeys(undoneKeys), catalog),
  read(at) {
    const map = at.mapAt();
    return map && readMap(undoneKeys, new MapReader(map, `'undoes' of ${at.what}`, at.report), undefined);
  },
};

/** What is read there belongs to a plan of its own, where nothing else of this file is known. */
export function reportInUndo(report: FileReport): FileReport {
  const { isStored } = report;
  const inUndo: FileReport = (diagnostic) => report(diagnostic);
  return Object.assign(inUndo, {
    vars: {
      find: (name: string) => {
        const found = report.vars?.find(name);
        if (found?.ok === false) return found;
        const message = `vars.${name} can't be read in \`undo\`: only \`block\` and \`secrets\` are known there.`;
        const fix = "Give the block an input with it, and write block.inputs.NAME.";
        return err({ code: "reference-not-allowed", message, fix });
      },
      spend: () => true,
      knowsBlock: true as const,
    },
    ...(isStored === undefined ? {} : { isStored }),
  });
}

const notInUndo: Readonly<Record<string, string>> = {
  id: "Remove it: it belongs to the block that it undoes.",
  depends_on: "Remove it: blocks are undone in the reverse order in which they ended.",
  for_each: "Remove it: of a loop, each pass is undone by itself.",
  repeat: "Remove it: of a loop, each pass is undone by itself.",
  blocks: "Name a workflow with several blocks: `type: ExecuteWorkflow`.",
  undo: "Remove it: undoing an undo is running the workflow again.",
};

/** Keys of blocks that have no meaning under `undo:`. */
export function explainInUndo(known: readonly string[], otherwise: ExplainKey): ExplainKey {
  return (entry) => {
    if (!known.includes(entry.key)) return otherwise(entry);
    const fix = Object.hasOwn(notInUndo, entry.key) ? notInUndo[entry.key] : undefined;
    return { fix: fix ?? "Remove it: it means nothing under `undo:`.", means: entry.key === "blocks" ? ["type"] : [] };
  };
}

/** What can't take anything back: it may have to run when nobody is there, from another file than this. */
export function checkUndo(type: BlockType, map: MapReader): boolean {
  const waits =
    type.capabilities.includes("prompts") || (type.behaviour.kind === "leaf" && type.behaviour.wake !== undefined);
  if (waits) {
    map.report({
      code: "waits-in-undo",
      level: "error",
      message: `${map.what} can't be of type ${type.type}: nothing that undoes may wait.`,
      why: "A rollback begins by itself, when nobody may be there.",
      fix: "Use a block that takes back what was done, such as Shell or HttpCall.",
      range: map.node("type")?.range ?? map.map.range,
    });
    return false;
  }
  const called = writtenPath(type, map.map);
  if (called !== undefined) {
    map.report({
      code: "path-in-undo",
      level: "error",
      message: `${map.what} can't call a workflow by a path.`,
      why: "It runs from a plan of its own, which lies in no directory.",
      fix: "Put the workflow into the library and write its name.",
      range: called.range,
    });
  }
  return called === undefined;
}

function writtenPath({ behaviour }: BlockType, { entries }: YamlMap): YamlNode | undefined {
  const inputs = entries.find(({ key }) => key === "inputs")?.value;
  if (behaviour.kind !== "nested" || inputs?.kind !== "map") return undefined;
  const called = inputs.entries.find(({ key }) => key === behaviour.nameInput)?.value;
  return called?.kind === "scalar" && typeof called.value === "string" && isWorkflowPath(called.value)
    ? called
    : undefined;
}
