import type { Catalog } from "../block/catalog.ts";
import { type BlockType, onInterruptedChoices } from "../block/define-block.ts";
import { group } from "../block/group.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import { parseDuration } from "./duration.ts";
import { choice, condition, flag, reportTimeLimit, text, timeLimit } from "./forms.ts";
import { type AnyKey, type Keys, listKeys } from "./key.ts";
import { loadBlockInputs } from "./load-block-inputs.ts";
import type { LoadBlock } from "./load-blocks.ts";
import { blockBudget, cost } from "./load-budget.ts";
import { dependsOn } from "./load-dependencies.ts";
import { commitPoint, effects, onFailure, writes } from "./load-effects.ts";
import { expectation } from "./load-expect.ts";
import { fileOutputs } from "./load-file-outputs.ts";
import { forEach } from "./load-for-each.ts";
import { blocksInBlock } from "./load-group.ts";
import { repeat } from "./load-repeat.ts";
import { retry } from "./load-retry.ts";
import { sandbox } from "./load-sandbox.ts";
import { type LoadUndo, undo, undoes } from "./load-undo.ts";
import type { KeyReader } from "./map-reader.ts";
import { checkName } from "./names.ts";
import { compileValue } from "./value-template.ts";
import type { BlockDefinition, Timeout } from "./workflow-definition.ts";
import type { YamlEntry } from "./yaml-node.ts";

/** What a block is; the rest is read only when this is known. */
interface BlockHead {
  readonly id?: string;
  readonly type?: BlockType;
}

export const blockHeadKeys: Keys<BlockHead, { readonly catalog: Catalog }> = {
  id: {
    name: "id",
    docs: "Its name for others: lower-case letters, digits and _, not starting with a digit",
    examples: ["build", "_1"],
    required: true,
    schema: { type: "string", pattern: "^[a-z_][a-z0-9_]*$" },
    read: readId,
  },
  type: {
    name: "type",
    docs: "The block type; a block that has `blocks` has none",
    examples: ["Shell"],
    required: true,
    foreign: ["uses"],
    schema: ({ types }) => ({
      anyOf: types.map(({ type, summary, aliases }) => ({ enum: [type, ...(aliases ?? [])], description: summary })),
    }),
    read: readBlockType,
  },
};

interface BlockContext {
  readonly type: BlockType;
  /** Reads a block inside this one. */
  readonly loadInner: LoadBlock;
  /** Reads what undoes it. */
  readonly loadUndo: LoadUndo;
  /** It runs once per element, by itself or with the block that holds it. */
  readonly isLooped: boolean;
}

export const blockBodyKeys: Keys<Omit<BlockDefinition, "id" | "type" | "isFinally" | "range">, BlockContext> = {
  description: { name: "description", docs: "What it does, for people", examples: ["Compile"], ...text },
  inputs: {
    name: "inputs",
    docs: "What it is given; each block type has inputs of its own",
    examples: ["{ command: npm run build }"],
    foreign: ["with"],
    schema: { type: "object" },
    read: (at, { type, isLooped }) =>
      type.behaviour.kind === "group" ? refuseInputs(at) : loadBlockInputs(at, type, isLooped),
  },
  dependsOn,
  condition: {
    name: "condition",
    docs: "Runs only if this is true",
    examples: ["${inputs.environment} == 'production'", "true"],
    foreign: ["if", "when"],
    ...condition,
  },
  fileOutputs,
  forEach,
  group: blocksInBlock,
  repeat,
  retry,
  expect: expectation,
  allowFailure: {
    name: "allow_failure",
    docs: "It may fail, or run out of time, and the workflow still succeeds; a crash still counts",
    examples: ["true"],
    ...flag,
  },
  onFailure,
  commitPoint,
  effects,
  writes,
  undo,
  undoes,
  budget: blockBudget,
  cost,
  timeout: {
    name: "timeout",
    docs: "Seconds, or a text like 500ms, 30s, 5m, 1h",
    examples: ["5m", "90", "${inputs.limit}"],
    schema: timeLimit.schema,
    read: (at, { type }) => readTimeout(at, type),
  },
  reuse: {
    name: "reuse",
    docs: "`false`: it runs in every rerun, such as what starts a service; what depends on it is reused if its outputs are the same",
    examples: ["false"],
    ...flag,
  },
  onInterrupted: {
    name: "on_interrupted",
    docs: "What becomes of it when Frond is killed while it runs: run it again, ask, or let it fail",
    examples: ["rerun", "ask", "fail"],
    schema: choice(onInterruptedChoices).schema,
    read(at, { type }) {
      const choice = at.oneOf(onInterruptedChoices);
      if (choice === undefined || type.behaviour.kind === "leaf") return choice;
      at.report({
        code: "on-interrupted-without-effect",
        level: "hint",
        message: `${at.what}: on_interrupted has no effect on a block of type ${type.type}.`,
        why: "It is never interrupted itself, only the blocks inside it are.",
        fix: "Set it on those blocks.",
        range: (at.entry as YamlEntry).keyRange,
      });
      return undefined;
    },
  },
  sandbox: {
    ...sandbox,
    /** Whoever asks for a sandbox relies on it, so where there can be none the file is refused. */
    read(at, { type }) {
      if (at.entry === undefined || type.sandbox === true) return sandbox.read(at, undefined, {});
      at.report({
        code: "no-sandbox",
        level: "error",
        message: `${at.what}: there is no sandbox for a block of type ${type.type}.`,
        why: "A sandbox is for commands, and it runs none itself.",
        fix: "Remove `sandbox`; on a workflow it holds for all commands in it.",
        range: at.entry.keyRange,
      });
      return undefined;
    },
  },
};

const body = blockBodyKeys;

/** What a block under `undo:` can say beside its type. */
export const compensationKeys: Keys<
  Pick<
    BlockDefinition,
    "description" | "inputs" | "condition" | "retry" | "expect" | "effects" | "writes" | "timeout" | "sandbox"
  >,
  BlockContext
> = {
  ...{ description: body.description, inputs: body.inputs, condition: body.condition, retry, expect: expectation },
  ...{ effects, writes, timeout: body.timeout, sandbox: body.sandbox },
};

export const blockKeys: readonly AnyKey[] = listKeys(blockHeadKeys, blockBodyKeys);

function readId(at: KeyReader): string | undefined {
  const id = at.text();
  if (id === undefined) return undefined;
  const bad = checkName(id, "a block's id", /^[a-z_][a-z0-9_]*$/, "use lower-case letters, digits and _");
  if (bad === undefined) return id;
  const better = id.toLowerCase().replaceAll(/[^a-z0-9_]+/g, "_");
  const fix = /^[a-z_]/.test(better) && better !== id ? { fix: `Call it '${better}'.` } : {};
  at.report({ code: "bad-name", level: "error", message: bad, ...fix, range: at.range });
  return id;
}

function readBlockType(at: KeyReader, { catalog }: { readonly catalog: Catalog }): BlockType | undefined {
  const holdsBlocks = at.map.entry("blocks") !== undefined;
  if (at.entry === undefined && holdsBlocks) return group;
  const name = at.text();
  if (at.entry !== undefined && holdsBlocks) {
    at.report({
      code: "type-and-blocks",
      level: "error",
      message: `${at.what} has both 'type' and 'blocks'.`,
      why: "A block either does something itself or holds blocks that do.",
      fix: "Remove one of them; what it does itself can be a block inside it.",
      range: at.entry.keyRange,
    });
    return group;
  }
  if (name === undefined) return undefined;
  const type = catalog.find(name);
  if (type !== undefined) return type;
  const own = catalog.types.map(({ type }) => type);
  at.report({
    code: "unknown-block-type",
    level: "error",
    message: `There is no block type '${name}'.`,
    fix: suggestName(name, catalog.names, "block type", own),
    range: at.range,
  });
  return undefined;
}

function refuseInputs(at: KeyReader): BlockDefinition["inputs"] {
  const [first] = at.mapAt()?.entries ?? [];
  // What says a type as well has been told so, and the inputs are that type's.
  if (first !== undefined && at.map.entry("type") === undefined) {
    at.report({
      code: "unknown-input",
      level: "error",
      message: `${at.what} holds blocks and takes no inputs, so it has no input '${first.key}'.`,
      fix: "Remove `inputs:`; the blocks inside read those of the workflow, and other blocks.",
      range: first.keyRange,
    });
  }
  return new Map();
}

function readTimeout({ entry: own, map, what, report }: KeyReader, type: BlockType): Timeout | undefined {
  const alias = type.timeoutInput;
  const inputs = map.node("inputs");
  const other = inputs?.kind === "map" && alias ? inputs.entries.find((entry) => entry.key === alias.name) : undefined;
  if (own !== undefined && other !== undefined) {
    report({
      code: "two-timeouts",
      level: "error",
      message: `${what} has a timeout twice.`,
      fix: `Keep \`timeout\` on the block and remove inputs.${other.key}.`,
      range: other.keyRange,
    });
  }
  const entry = own ?? other;
  if (entry === undefined) return undefined;
  if (type.refusesTimeout !== undefined) {
    const message = `${what}: a ${type.type} block can't have a time limit.`;
    const fix = "Remove `timeout`.";
    report({ code: "no-timeout", level: "error", message, why: type.refusesTimeout, fix, range: entry.keyRange });
  }
  if (type.timeoutHint !== undefined) {
    const message = `${what}: a time limit has no effect on a ${type.type} block.`;
    report({ code: "timeout-without-effect", level: "hint", message, why: type.timeoutHint, range: entry.keyRange });
  }
  const unit = own === undefined && alias?.unit === "ms" ? "ms" : "s";
  const value = compileValue(entry.value, report);
  if (value.kind === "literal") {
    const checked = parseDuration(value.value, unit);
    if (!checked.ok) reportTimeLimit(entry.key, value.value, checked.error, value.range, report);
  }
  return { value, unit };
}
