import type { Catalog } from "../block/catalog.ts";
import type { BlockType } from "../block/define-block.ts";
import { nearestName } from "../diagnostic/did-you-mean.ts";
import type { YamlEntry, YamlMap } from "./yaml-node.ts";

/** A key that other systems have: what to do about it, and the keys of ours it stands for, which are then not missing. */
export interface ForeignKey {
  readonly fix: string;
  readonly means: readonly string[];
}

export type ExplainKey = (entry: YamlEntry) => ForeignKey | undefined;

function doThis(fix: string, ...means: readonly string[]): ForeignKey {
  return { fix, means };
}

const asRetries = "Write `retry: { max_retries: 2 }`, or `retry: 3` for the number of attempts in all.";
const asRepeat = "Write `repeat: { max: 30, until: ..., delay: 10s }`.";

const asRollback = "Write `on_failure: rollback`, which undoes the run when a block has failed.";
const asCommand = "Write `type: Shell` with `inputs: { command: ... }`.";

const ofBlocks: Readonly<Record<string, ForeignKey>> = {
  finally: doThis("It belongs to the workflow: groups have none."),
  unless: doThis("Write `condition: not ...`."),
  run: doThis(asCommand, "type", "inputs"),
  script: doThis(asCommand, "type", "inputs"),
  cmd: doThis(asCommand, "type", "inputs"),
  retries: doThis(asRetries),
  max_retries: doThis(asRetries),
  retry_delay: doThis("It belongs under `retry:`: `retry: { attempts: 3, delay: 5s }`."),
  delay: doThis("It belongs under `retry:` or `repeat:`; to wait before a block, add one with `type: Wait`."),
  until: doThis(asRepeat),
  failed_when: doThis("Write `expect: { condition: not ... }`."),
  rollback: doThis(asRollback),
  rollback_on_fail: doThis(asRollback),
  rollback_on_failure: doThis(asRollback),
  rollback_on_error: doThis(asRollback),
  runs_on: doThis("It belongs to the workflow: a worker takes a run as a whole."),
  schedule: doThis("It belongs to the workflow: a worker starts a run as a whole."),
  workspace: doThis(
    "It belongs to the workflow. For one block, use `working_dir` of Shell or `workspace` of ExecuteWorkflow, under inputs.",
  ),
  concurrency: doThis("It belongs to the workflow. For the passes of a loop, write `max_parallel:`."),
  name: doThis("Write `id:` for the name that others use, or `description:` for words about it.", "id"),
};

const ofWorkflows: Readonly<Record<string, ForeignKey>> = {
  rollback: doThis(asRollback),
  rollback_on_fail: doThis(asRollback),
  rollback_on_failure: doThis(asRollback),
  rollback_on_error: doThis(asRollback),
  on: doThis("Remove it: a workflow runs when somebody calls it, or at the times of `schedule:`."),
};

function find(keys: Readonly<Record<string, ForeignKey>>, key: string): ForeignKey | undefined {
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/** A key of ours under the name that another system has for it. */
export function explainForeignKey(
  key: string,
  known: readonly { readonly name: string; readonly foreign?: readonly string[] }[],
): ForeignKey | undefined {
  const meant = known.find(({ foreign }) => foreign?.includes(spelled(key)));
  return meant && doThis(`Write \`${meant.name}:\`.`, meant.name);
}

export const explainWorkflowKey: ExplainKey = (entry) =>
  find(ofWorkflows, spelled(entry.key)) ?? timeLimitWithUnit(entry, false);

/** `{ id: a }` in depends_on. */
export const explainDependencyKey: ExplainKey = ({ key, value }) =>
  ["id", "name", "step", "job"].includes(key)
    ? doThis(
        `Write \`block: ${value.kind === "scalar" && typeof value.value === "string" ? value.value : "ID"}\`.`,
        "block",
      )
    : undefined;

const continueOn: ReadonlySet<string> = new Set([
  "continue_on_error",
  "continue_on_failure",
  "continue_on_fail",
  "ignore_errors",
  "ignore_error",
  "ignore_failure",
  "soft_fail",
]);

export function explainBlockKey(block: YamlMap, catalog: Catalog, known: readonly string[]): ExplainKey {
  const type = catalog.find(scalarAt(block, "type") ?? "");
  return (entry) => {
    const key = spelled(entry.key);
    if (continueOn.has(key)) {
      const id = scalarAt(block, "id") ?? "ID";
      return doThis(
        `Write \`allow_failure: true\`: the workflow does not fail for it. A block that should run after it anyway says \`depends_on: [{ block: ${id}, required: false }]\`.`,
      );
    }
    const own = misplacedInput(entry.key, type);
    return (
      own ??
      timeLimitWithUnit(entry) ??
      find(ofBlocks, key) ??
      misnamedInput(entry.key, type) ??
      nearInput(entry.key, type, known) ??
      inputElsewhere(entry.key, type, catalog)
    );
  };
}

function hasInput(type: BlockType, key: string): boolean {
  return Object.hasOwn(type.inputs().shape, key);
}

/** The input that has this name in other systems. */
export function otherName(key: string, { otherNames = {} }: BlockType): string | undefined {
  return Object.hasOwn(otherNames, spelled(key)) ? otherNames[spelled(key)] : undefined;
}

/** An input that stands beside `inputs:` instead of below it. */
function misplacedInput(key: string, type: BlockType | undefined): ForeignKey | undefined {
  if (type === undefined || !hasInput(type, key)) return undefined;
  return doThis(`It belongs under \`inputs:\`; indent it there: \`inputs: { ${key}: ... }\`.`, "inputs");
}

/** The same under a name of another system. */
function misnamedInput(key: string, type: BlockType | undefined): ForeignKey | undefined {
  const other = type === undefined ? undefined : otherName(key, type);
  if (other === undefined) return undefined;
  return doThis(`It belongs under \`inputs:\`, and is called ${other} here: \`inputs: { ${other}: ... }\`.`, "inputs");
}

/** The same with a slip in its name; a key of blocks that is near is meant rather. */
function nearInput(key: string, type: BlockType | undefined, known: readonly string[]): ForeignKey | undefined {
  if (type === undefined || nearestName(key, known) !== undefined) return undefined;
  const nearest = nearestName(key, Object.keys(type.inputs().shape));
  return nearest === undefined
    ? undefined
    : doThis(`Did you mean '${nearest}'? It belongs under \`inputs:\`: \`inputs: { ${nearest}: ... }\`.`, "inputs");
}

/** The same of another type. */
function inputElsewhere(key: string, type: BlockType | undefined, catalog: Catalog): ForeignKey | undefined {
  const other = catalog.types.find((candidate) => hasInput(candidate, key));
  if (other === undefined) return undefined;
  return doThis(
    `It belongs under \`inputs:\` of a block with \`type: ${other.type}\`.`,
    "inputs",
    ...(type ? [] : ["type"]),
  );
}

const timeUnits: readonly (readonly [name: RegExp, unit: string, example: number])[] = [
  [/^timeout(?:_in)?_?(?:ms|msecs?|millis|milliseconds?)$/, "ms", 500],
  [/^timeout(?:_in)?_?(?:s|secs?|seconds?)$/, "s", 30],
  [/^timeout(?:_in)?_?(?:m|mins?|minutes?)$/, "m", 5],
  [/^timeout(?:_in)?_?(?:h|hrs?|hours?)$/, "h", 1],
];

/** `timeout_ms: 500`: a time limit whose unit stands in the name instead of the value. That of a workflow is no expression. */
export function timeLimitWithUnit({ key, value }: YamlEntry, mayRead = true): ForeignKey | undefined {
  const known = timeUnits.find(([name]) => name.test(spelled(key)));
  if (known === undefined) return undefined;
  const [, unit, example] = known;
  const written = value.kind === "scalar" && value.value !== null ? String(value.value) : "";
  if (/^\d+(?:\.\d+)?$/.test(written)) return doThis(`Write \`timeout: ${written}${unit}\`.`, "timeout");
  const isReference = mayRead && /^\$\{[^}]*\}$/.test(written);
  return doThis(`Write \`timeout: ${isReference ? `"${written}${unit}"` : `${example}${unit}`}\`.`, "timeout");
}

function scalarAt({ entries }: YamlMap, key: string): string | undefined {
  const value = entries.find((entry) => entry.key === key)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}

function spelled(key: string): string {
  return key.toLowerCase().replaceAll("-", "_");
}
