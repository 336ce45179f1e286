import type { Catalog } from "../block/catalog.ts";
import { refusedNames } from "../expression/ast.ts";
import { choice, count, text, timeLimit, withDefault, words } from "./forms.ts";
import { type Keys, listKeys, mapSchema } from "./key.ts";
import { loadBlock } from "./load-block.ts";
import { blocksMissing, blocksSchema, type LoadBlock, readBlockList, readBlocks } from "./load-blocks.ts";
import { workflowBudget } from "./load-budget.ts";
import { workflowOnFailure } from "./load-effects.ts";
import type { WorkflowEnv } from "./load-env.ts";
import { inputKeys, loadInput } from "./load-inputs.ts";
import { outputs } from "./load-outputs.ts";
import { runsOn } from "./load-runs-on.ts";
import { sandbox } from "./load-sandbox.ts";
import { schedule } from "./load-schedule.ts";
import type { FileVars } from "./load-vars.ts";
import { workspace } from "./load-workspace.ts";
import type { KeyReader } from "./map-reader.ts";
import type { BlockDefinition, WorkflowDefinition } from "./workflow-definition.ts";

interface WorkflowContext {
  readonly catalog: Catalog;
  /** Gets the ids of blocks that can't be read. */
  readonly unreadable: Set<string>;
  readonly vars: FileVars;
  readonly env: WorkflowEnv | undefined;
}

export const workflowNamePattern: RegExp = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const noBlocks = { ...blocksMissing, message: "The workflow has no blocks." };

/** What the keys fill; the definition has the blocks of both lists in one. */
interface WorkflowFields extends Omit<WorkflowDefinition, "source" | "nameRange" | "unreadable"> {
  readonly finallyBlocks: readonly BlockDefinition[];
}

export const workflowKeys: Keys<WorkflowFields, WorkflowContext> = {
  name: {
    name: "name",
    docs: "Lower-case words joined by hyphens",
    examples: ["my-workflow"],
    required: true,
    foreign: ["id", "title"],
    schema: { type: "string", pattern: workflowNamePattern.source, maxLength: 100 },
    read: readName,
  },
  description: {
    name: "description",
    docs: "What it does: people and models choose a workflow by it",
    examples: ["What the workflow does"],
    required: true,
    schema: text.schema,
    read: (at) => at.text() ?? "",
  },
  version: {
    name: "version",
    docs: "Of the workflow, in whatever way you count",
    examples: ['"1.0"', "2"],
    ...withDefault({ schema: { type: ["string", "number"] }, read: text.read }, "1.0"),
  },
  author: { name: "author", docs: "Who wrote it", examples: ["somebody"], ...text },
  tags: { name: "tags", docs: "Words to find it by", examples: ["[ci, node]"], ...withDefault(words("a tag"), []) },
  inputs: {
    name: "inputs",
    docs: "What the workflow takes: ${inputs.NAME}",
    examples: ['{ project: { type: string, description: Where it lives, default: "." } }'],
    foreign: ["parameters", "params"],
    schema: (catalog) => ({ type: "object", additionalProperties: mapSchema(listKeys(inputKeys), catalog) }),
    read: (at) => new Map(at.mapAt()?.entries.map((entry) => [entry.key, loadInput(entry, at.report)])),
  },
  vars: {
    name: "vars",
    docs: "Names for expressions that are used more than once: ${vars.NAME}",
    examples: ['{ version: "${from_json(blocks.meta.stdout).version}" }', "{ targets: [linux, mac], port: 8080 }"],
    foreign: ["variables", "locals", "let", "definitions"],
    schema: { type: "object", additionalProperties: { type: ["string", "number", "boolean", "array", "null"] } },
    read: (at, { vars }) => {
      at.mapAt();
      vars.readAll();
      return vars;
    },
  },
  env: {
    name: "env",
    docs: "Variables for the commands of its own Shell and Agent blocks, not of workflows that it calls; a block's own win",
    examples: ['{ CI: "1", API_KEY: "${secrets.API_KEY}" }'],
    foreign: ["environment"],
    schema: { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
    read: (_, { env }) => env,
  },
  blocks: {
    name: "blocks",
    docs: "The steps",
    examples: ["[{ id: build, type: Shell, inputs: { command: make } }]"],
    required: noBlocks,
    foreign: ["jobs", "steps", "tasks", "stages"],
    schema: blocksSchema,
    read: (at, context) => readBlocks(at, loaderFor(at, context), context.unreadable, noBlocks.message),
  },
  finallyBlocks: {
    name: "finally",
    docs: "Blocks that run when everything else has ended, whatever happened: success, failure, a time limit, cancelling",
    examples: ["[{ id: stop_server, type: Shell, inputs: { command: ./stop.sh } }]"],
    foreign: ["ensure", "cleanup", "always", "onexit", "on_exit", "post", "after_script"],
    schema: { ...blocksSchema, minItems: 0 },
    read: (at, context, { blocks = [] }) =>
      readBlockList(at, loaderFor(at, context), context.unreadable, blocks).map((block) => ({
        ...block,
        isFinally: true as const,
      })),
  },
  finallyTimeout: {
    name: "finally_timeout",
    docs: "How long the blocks under `finally` may take in all; 30s after a time limit or cancelling, otherwise no limit",
    examples: ["30s", "5m"],
    ...timeLimit,
  },
  outputs,
  maxParallel: { name: "max_parallel", docs: "How many blocks may run at the same time", examples: ["8"], ...count },
  timeout: {
    name: "timeout",
    docs: "Seconds, or a text like 500ms, 30s, 5m, 1h; counts active time, not pauses",
    examples: ["30m", "90"],
    ...timeLimit,
  },
  sandbox,
  onFailure: workflowOnFailure,
  budget: workflowBudget,
  expose: {
    name: "expose",
    docs: "Makes it a tool of its own in the MCP server: run_NAME",
    examples: ["tool"],
    ...choice(["tool"]),
  },
  runsOn,
  workspace,
  schedule,
  concurrency: {
    name: "concurrency",
    docs: "How many of its runs workers may drive at the same time, all of them together; others wait",
    examples: ["1", "4"],
    foreign: ["max_runs", "max_active_runs", "max_concurrent_runs"],
    ...count,
  },
};

/** Stands for a name that can't be read; there is an error then. */
export const unnamed = "unnamed";

function readName(at: KeyReader): string {
  const name = at.text();
  if (name === undefined) return unnamed;
  if (workflowNamePattern.test(name) && name.length <= 100 && !refusedNames.has(name)) return name;
  const kebab = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 100);
  at.report({
    code: "bad-name",
    level: "error",
    message: `'${name}' can't be a workflow's name.`,
    why: "A name is lower-case words joined by hyphens, 100 characters at most. Frond uses some names itself.",
    ...(kebab === "" || kebab === name ? {} : { fix: `Call it '${kebab}'.` }),
    range: at.range,
  });
  return name;
}

function loaderFor(at: KeyReader, { catalog }: WorkflowContext): LoadBlock {
  return (item) => loadBlock(item, catalog, at.report);
}
