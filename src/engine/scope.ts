import { isStateShortcut } from "../definition/metadata-fields.ts";
import type { Lookup, Root, Scope } from "../expression/ast.ts";
import { readSteps } from "../expression/read-path.ts";
import { demandKnown, UnknownRead } from "../expression/unknown-value.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { readSecret, writeSecret } from "../plan/secret-references.ts";
import type { Result } from "../util/result.ts";
import { type Execution, emptyMap, type Metadata } from "./execution.ts";
import { idempotencyKey } from "./ids.ts";
import {
  addressWithin,
  attemptHistory,
  currentAttempt,
  type ElementScope,
  isUnderFinally,
  type RunNode,
  scopesAround,
  type WorkflowInside,
} from "./run-node.ts";
import { unknownMetadata } from "./start-metadata.ts";
import { weighFailures } from "./weigh-failures.ts";

type Key = string | number;

/** Looks a secret up by its name; the error says what to do. */
export type FindSecret = (name: string) => Result<string, string>;

/**
 * What expressions of one workflow see: its own inputs, blocks and metadata, and `each` in a loop; in a group, the blocks of it and
 * all that can be seen around it. Nothing is copied; a read walks the records where they stand. A secret is seen as the reference to it, unless the scope is one that reveals them.
 */
export class WorkflowScope implements Scope {
  readonly #workflow: RunNode;
  readonly #reader: RunNode;
  readonly #runId: string;
  readonly #assumeSucceeded: ReadonlySet<string>;
  readonly #findSecret: FindSecret | undefined;
  readonly #judged: RunNode | undefined;

  /** For expressions of the workflow itself, such as its outputs. */
  static inside(workflow: RunNode, runId: string): WorkflowScope {
    return new WorkflowScope(workflow, workflow, runId, new Set());
  }

  /** For expressions of a block. `assumeSucceeded` names blocks to be read as if all had gone well in them: "what if". */
  static ofBlock(block: RunNode, runId: string, assumeSucceeded: ReadonlySet<string> = new Set()): WorkflowScope {
    return new WorkflowScope(block.workflow, block, runId, assumeSucceeded);
  }

  /** For expressions about something that has just come of a block: `this`. */
  static judging(block: RunNode, runId: string, judged: RunNode): WorkflowScope {
    return new WorkflowScope(block.workflow, block, runId, new Set(), undefined, judged);
  }

  /** For expressions whose values go to the block's own code and nowhere else. */
  static revealing(block: RunNode, runId: string, findSecret: FindSecret): WorkflowScope {
    return new WorkflowScope(block.workflow, block, runId, new Set(), findSecret);
  }

  private constructor(
    workflow: RunNode,
    reader: RunNode,
    runId: string,
    assumeSucceeded: ReadonlySet<string>,
    findSecret?: FindSecret,
    judged?: RunNode,
  ) {
    this.#workflow = workflow;
    this.#reader = reader;
    this.#runId = runId;
    this.#assumeSucceeded = assumeSucceeded;
    this.#findSecret = findSecret;
    this.#judged = judged;
  }

  read(root: Root, keys: readonly Key[]): Lookup {
    const lookup = this.#lookUp(root, keys);
    if (this.#reader.assumed !== undefined && lookup.found) demandKnown(lookup.value);
    return lookup;
  }

  #lookUp(root: Root, keys: readonly Key[]): Lookup {
    const inside = this.#workflow.inside as WorkflowInside;
    switch (root) {
      case "inputs":
        return this.#readInput(inside, keys);
      case "metadata":
        return readSteps(this.#metadata(), keys, "metadata");
      case "each":
        return this.#readEach(keys);
      case "this":
        return this.#readJudged(keys);
      case "run":
        return readSteps(this.#run(), keys, "run");
      case "block":
        return this.#readUndone(keys);
      case "secrets":
        return this.#readSecret(String(keys[0]));
      case "blocks":
        return this.#readBlock(keys);
    }
  }

  #readInput({ inputs, plan }: WorkflowInside, keys: readonly Key[]): Lookup {
    const lookup = readSteps(inputs, keys, "inputs");
    const isSecret = keys.length === 1 && plan.definition.inputs.get(String(keys[0]))?.secret === true;
    const name = isSecret && lookup.found && typeof lookup.value === "string" ? readSecret(lookup.value) : undefined;
    return name === undefined ? lookup : this.#readSecret(name);
  }

  #readSecret(name: string): Lookup {
    if (this.#findSecret === undefined) return { found: true, value: writeSecret(name) };
    const secret = this.#findSecret(name);
    return secret.ok ? { found: true, value: secret.value } : { found: false, message: secret.error };
  }

  #metadata(): ValueMap {
    const { workflow_name, start_time } = (this.#scopes().at(-1) as RunNode).record.metadata;
    return Object.assign(Object.create(null) as Record<string, Value>, {
      workflow_name,
      start_time,
      run_id: this.#runId,
      execution_id: this.#runId,
      idempotency_key: idempotencyKey(this.#runId, addressWithin(this.#reader)),
      attempt: currentAttempt(this.#reader),
      ...(this.#reader.assumed === undefined ? {} : unknownMetadata),
    });
  }

  /** How the workflow has gone whose `finally` the block belongs to. */
  #run(): ValueMap {
    let at = this.#reader;
    while (at.parent !== undefined && !isUnderFinally(at)) at = at.parent;
    const inside = at.parent?.inside;
    if (inside?.kind !== "workflow" || inside.closing === undefined) return emptyMap;
    const { ending } = inside.closing;
    if (at.assumed !== undefined) refuseAssumed(at.assumed, inside);
    const { crashed, standing } = weighFailures(inside, "main");
    return Object.assign(Object.create(null) as Record<string, Value>, {
      status: ending.outcome === "success" ? "success" : "failure",
      failed_blocks: [...crashed, ...standing].map(({ key }) => key),
      message: ending.message,
    });
  }

  /** Names were checked when the file was loaded, so what is not there was not made: a call that failed has no `json`. */
  #readJudged(keys: readonly Key[]): Lookup {
    if (this.#judged === undefined) return { found: false, message: "Nothing is called `this` here." };
    const lookup = readExecution(this.#judged, keys, "this", false);
    return lookup.found ? lookup : { found: true, value: null };
  }

  /** The block that is undone. Names were checked where its undo was written, so what is not there was not made. */
  #readUndone(keys: readonly Key[]): Lookup {
    const undone = this.#reader.block?.definition.undoes;
    if (undone === undefined) return { found: false, message: "Nothing is undone here, so there is no `block`." };
    const { inputs, outputs, attempt: number, outcome, status } = undone;
    const lookup = readSteps({ inputs, outputs, attempt: { number, outcome, status } }, keys, "block");
    return lookup.found ? lookup : { found: true, value: null };
  }

  /** From the nearest on, what holds blocks that can be read. */
  #scopes(): readonly RunNode[] {
    const { isGroup } = this.#workflow.inside as WorkflowInside;
    return isGroup ? [this.#workflow, ...scopesAround(this.#workflow)] : [this.#workflow];
  }

  /** Of the pass before this one there may be none; all that is read of it is null then. */
  #readEach(keys: readonly Key[]): Lookup {
    const first = keys.findIndex((key) => key !== "outer");
    const outer = first === -1 ? keys.length : first;
    const pass = this.#passes()[outer];
    const name = `each${".outer".repeat(outer)}`;
    if (pass?.element === undefined) return { found: false, message: `There is no ${name} here.` };
    const [field, ...rest] = keys.slice(outer);
    if (field !== "previous") return readSteps(eachOf(pass.element), keys.slice(outer), name);
    const { parent, element } = pass;
    const previous = parent?.inside.kind === "loop" ? parent.inside.passes[element.index - 1] : undefined;
    return previous === undefined
      ? { found: true, value: null }
      : readExecution(previous, rest, `${name}.previous`, false);
  }

  /** The passes around the expression, innermost first; those around a called workflow are not seen. */
  #passes(): readonly RunNode[] {
    const groups = this.#scopes().filter(({ inside }) => (inside as WorkflowInside).isGroup);
    return [...new Set([this.#reader, ...groups])].filter(({ element }) => element !== undefined);
  }

  #readBlock(keys: readonly Key[]): Lookup {
    const [id, ...rest] = keys;
    const node = this.#findBlock(String(id));
    if (node === undefined) return { found: false, message: `There is no block '${id}'.` };
    if (!node.ended) return { found: false, message: `block '${id}' has not ended yet.` };
    return readExecution(node, rest, `blocks.${id}`, this.#assumeSucceeded.has(String(id)));
  }

  #findBlock(id: string): RunNode | undefined {
    for (const { inside } of this.#scopes()) {
      const { plan, children } = inside as WorkflowInside;
      const index = plan.indexOf.get(id);
      if (index !== undefined) return children[index];
    }
    return undefined;
  }
}

function eachOf({ value, key, index, count }: ElementScope): ValueMap {
  return Object.assign(Object.create(null) as Record<string, Value>, { value, key, index, count });
}

const whenSucceeded = {
  status: "completed",
  outcome: "success",
  succeeded: true,
  failed: false,
  skipped: false,
  message: null,
  error: null,
} as const satisfies Partial<Metadata>;

const neverStarted: Pick<Metadata, "status" | "outcome" | "succeeded" | "failed" | "skipped" | "error"> = {
  status: "skipped",
  outcome: "n/a",
  succeeded: false,
  failed: false,
  skipped: true,
  error: null,
};

/** How a block ends is not known in a dry run that did not run it; when it runs, and how long, never is. */
function demandForeseen(node: RunNode, [first, second]: readonly Key[]): void {
  const state = first === "metadata" ? second : first;
  if (first === undefined || (first === "metadata" && !isStateShortcut(state))) {
    throw new UnknownRead(`${["metadata", ...(second === undefined ? [] : [second])].join(".")} of '${node.path}'`);
  }
  if (isStateShortcut(state) && node.assumed?.has(node)) throw new UnknownRead(`how '${node.path}' ends`);
}

/** The same of how a workflow has gone by the blocks in it. */
function refuseAssumed(assumed: ReadonlySet<RunNode>, { children, plan }: WorkflowInside): void {
  const unsure = children.slice(0, plan.mainBlocks).find((child) => assumed.has(child));
  if (unsure !== undefined) throw new UnknownRead(`how '${unsure.path}' ends`);
}

/** With `assumed`, state is read as success, and so are outputs that tell how it went, at any depth. */
function readExecution(node: RunNode, keys: readonly Key[], path: string, assumed: boolean): Lookup {
  const { record } = node;
  const [first, ...rest] = keys;
  if (node.assumed !== undefined && !assumed) demandForeseen(node, keys);
  if (first === undefined) return { found: true, value: record as unknown as ValueMap };
  if (isStateShortcut(first)) {
    return { found: true, value: assumed ? whenSucceeded[first] : record.metadata[first] };
  }
  switch (first) {
    case "metadata":
      return orNull(record, readSteps(metadataOf(node, assumed), rest, `${path}.metadata`));
    case "inputs":
      return orNull(record, readSteps(record.inputs, rest, `${path}.inputs`));
    case "outputs":
      return readOutput(node, rest, `${path}.outputs`, assumed);
    case "blocks":
      return readChild(node, rest, path, assumed);
    default:
      return readOutput(node, keys, path, assumed);
  }
}

const nothingSpent: ValueMap = { usd: 0, tokens: 0 };

/** With what a record leaves out where it says nothing new. */
function metadataOf(node: RunNode, assumed: boolean): ValueMap {
  const { metadata } = node.record;
  return Object.assign(
    Object.create(null) as Record<string, Value>,
    { attempt_history: attemptHistory(node), wake_at: null, spend: nothingSpent },
    metadata,
    assumed ? whenSucceeded : {},
  );
}

function readOutput({ record, block, inside }: RunNode, keys: readonly Key[], path: string, assumed: boolean): Lookup {
  const ofState = assumed && inside.kind !== "loop" ? block?.definition.type.stateOutputs : undefined;
  const field = String(keys[0]);
  if (ofState !== undefined && Object.hasOwn(ofState, field)) return { found: true, value: ofState[field] as Value };
  return orNull(record, readSteps(record.outputs, keys, path));
}

function readChild(node: RunNode, keys: readonly Key[], path: string, assumed: boolean): Lookup {
  const { record } = node;
  const [key, ...rest] = keys;
  if (key === undefined) return { found: true, value: record.blocks as unknown as ValueMap };
  const name = String(key);
  const child = childOf(node, name);
  if (child !== undefined) return readExecution(child, rest, `${path}.blocks.${name}`, assumed);
  // There may be more in it than is known: passes, or a workflow that was not entered.
  if (!assumed && node.assumed?.has(node)) throw new UnknownRead(`what is in '${node.path}'`);
  if (hasRun(record)) return readSteps(record.blocks as unknown as ValueMap, keys, `${path}.blocks`);
  return { found: true, value: readNeverStarted(rest, assumed ? whenSucceeded : neverStarted) };
}

function childOf({ inside }: RunNode, key: string): RunNode | undefined {
  if (inside.kind === "loop") return inside.passByKey.get(key);
  if (inside.kind === "leaf") return undefined;
  const index = inside.plan.indexOf.get(key);
  return index === undefined ? undefined : inside.children[index];
}

/** Of a block that has no record, because what holds it never began: its state is known, all else is null. */
function readNeverStarted(keys: readonly Key[], state: typeof neverStarted): Value {
  const [first, second, ...rest] = keys;
  if (first === "blocks") return readNeverStarted(rest, state);
  const field = first === "metadata" ? second : first;
  return isStateShortcut(field) ? state[field] : null;
}

function hasRun(record: Execution): boolean {
  return record.metadata.status === "completed";
}

/** What a block never got round to making is null, not an error: the name was checked when the file was loaded. */
function orNull(record: Execution, lookup: Lookup): Lookup {
  return lookup.found || hasRun(record) ? lookup : { found: true, value: null };
}
