import type { Question } from "../block/define-block.ts";
import type { Spend } from "../block/spend.ts";
import { type DiagnosticData, toData, type WordedDiagnostic } from "../diagnostic/diagnostic.ts";
import type { Metadata } from "../engine/execution.ts";
import { judgeDependencies } from "../engine/judge.ts";
import { childNodes, questionOf, type RunNode, shownStatus } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { describeWait } from "../runs/choose-queue.ts";
import type { RunStatus } from "../runs/read-run.ts";
import { defined } from "../util/defined.ts";
import { Queue } from "../util/queue.ts";
import { countSteps, type StepCounts } from "./count-steps.ts";
import { describeReuse, isNothingRun, type ReuseData } from "./describe-reuse.ts";
import { describeUndone, isForcible, type UndoData } from "./describe-undone.ts";
import { type FailedBlock, failedBlocks, handledIn, skippedForFailures } from "./failures.ts";
import { findOverBudget, type OverBudget } from "./over-budget.ts";
import { describeProgress, type RunProgress } from "./run-progress.ts";
import { stdoutTails } from "./stdout-tails.ts";

/**
 * What every door knows about a run. One word for its status; the rest is there when it means something. What goes over a wire or
 * into --json is the reply that is made of it (`reply.ts`), in which nothing is said twice.
 */
export interface WorkflowResponse extends ReuseData, UndoData, Partial<RunProgress> {
  readonly status: RunStatus;
  readonly run_id?: string;
  readonly workflow?: string;
  /** From its start to its end, with the time it waited. */
  readonly duration_ms?: number;
  /** Of a workflow that declares some. */
  readonly outputs?: ValueMap;
  /** Of one that declares none: by address, the end of what its last blocks wrote to stdout. */
  readonly stdout_tail?: Readonly<Record<string, string>>;
  readonly error?: string;
  readonly cancelled?: true;
  readonly failed_blocks?: readonly FailedBlock[];
  readonly handled_failures?: readonly HandledFailureData[];
  /** Of a run that succeeded all the same: addresses of the blocks that did not run because of those failures. */
  readonly skipped_blocks?: readonly string[];
  /** Of a plan. */
  readonly steps?: StepCounts;
  readonly output_errors?: Readonly<Record<string, string>>;
  readonly pending?: readonly QuestionData[];
  /** Of a run that goes on: the last line that one of its blocks wrote. */
  readonly last_line?: string;
  /** When it goes on, because something in it sleeps until then. */
  readonly wake_at?: string;
  /** What it has cost so far. */
  readonly spend?: Spend;
  /** The limits of its budget that it has cost more than: an attempt may cost more than was said before. */
  readonly over_budget?: OverBudget;
  readonly message?: string;
  /** A definition or input that was refused: all that is wrong with it. */
  readonly errors?: readonly DiagnosticData[];
  readonly blocks?: Readonly<Record<string, ExecutionData>>;
  readonly metadata?: ShownMetadata;
}

export interface HandledFailureData {
  readonly block: string;
  readonly handled_by: readonly string[];
  readonly message: string;
}

export interface QuestionData {
  readonly checkpoint_id: string;
  readonly block: string;
  readonly prompt: string;
  readonly audience: "llm" | "human";
  readonly schema?: ValueMap;
  readonly choices?: readonly string[];
  readonly default?: Value;
}

/** State and timing of a record, without what is null and without what another field says. */
export interface ShownMetadata
  extends Pick<Metadata, "status" | "outcome" | "execution_time_ms" | "wave" | "attempts"> {
  readonly message?: string;
  readonly started_at?: string;
  readonly completed_at?: string;
  readonly execution_order?: number;
  readonly attempt_history?: Value;
  readonly spend?: Value;
  readonly budget?: Value;
}

export interface ExecutionData {
  /** Those that the file says. */
  readonly inputs: ValueMap;
  readonly outputs: ValueMap;
  readonly metadata: ShownMetadata;
  readonly blocks?: Readonly<Record<string, ExecutionData>>;
}

export interface ResponseOptions {
  /** `detailed` adds the whole tree of records and the run's metadata. */
  readonly format: "minimal" | "detailed";
  /** Where the state alone can't tell: a run that does not go on may be interrupted. */
  readonly status?: RunStatus;
  /** Something in it was to be woken by now, and nobody drives it. */
  readonly isOverdue?: boolean;
  /** The machine that has its files, if that is another one. */
  readonly elsewhere?: string;
  readonly nextSteps: NextSteps;
  /** Blocks beyond these are named only, for a reader who has room for no more. */
  readonly mostBlocks?: number;
  /** Milliseconds since 1970, to tell for how long blocks have been running. */
  readonly now?: number;
}

/** What to do next, in the words of the door that is asked: its literal next call. */
export interface NextSteps {
  /** `workspace`: the directory that the run works in. */
  answer(pending: readonly QuestionData[], workspace: string): string;
  /** Of a run in which something sleeps until a time, or was to be woken then and was not. */
  wake(runId: string, wakeAt: string, isOverdue: boolean): string;
  takeOver(runId: string): string;
  /** `isWaiting`: nobody drives it yet. */
  follow(runId: string, isWaiting?: boolean): string;
  /** Of a rerun that took everything over from the run before. */
  runAll(runId: string, isFrozen: boolean): string;
  /** Of a run that takes back what another did, and has. */
  redo(runId: string): string;
  /** Of a plan that succeeded and has changed files. */
  takeBack(runId: string): string;
  /** Of a run that failed. */
  repair(failure: FailureData): string;
  /** Of a run that succeeded although these blocks failed. */
  inspect(runId: string, handled: readonly string[]): string;
}

/** What a run that failed leaves to do. */
export interface FailureData {
  readonly runId: string;
  /** Addresses of the blocks that failed. */
  readonly failed: readonly string[];
  /** Addresses of those that were skipped for it. */
  readonly skipped: readonly string[];
  /** Whether the first of them began: what could not even begin has written no log. */
  readonly hasBegun: boolean;
  readonly isCancelled: boolean;
  /** Its text was sent, so a file that is changed is not what runs. */
  readonly isInline: boolean;
  /** What it has changed and not taken back: files that are known of. */
  /** Its budget, or that of something in it, let nothing else start. */
  readonly isOverBudget: boolean;
  readonly leftChanges: boolean;
  /** Of a rollback that could not do everything: the block that it did not go back past. */
  readonly commitPoint?: string;
  /** What it was to take back: some of that stayed, or was not come to. */
  readonly undone?: StayedData;
}

/** A run, or a part of it, that was not taken back as a whole. */
export interface StayedData {
  readonly runId: string;
  readonly only?: string;
  readonly to?: string;
  /** Force would replace what was changed since. */
  readonly isForcible: boolean;
  /** It was stopped before its end: the same undo takes back the rest. */
  readonly isStopped: boolean;
}

export function describeRun(state: RunState, options: ResponseOptions): WorkflowResponse {
  const { format } = options;
  const { root, started } = state;
  const { metadata } = root.record;
  const status = options.status ?? statusWord(state);
  const handled = collect(root, handledIn).map(({ block, by, message }) => ({ block, handled_by: by, message }));
  const handledPaths = new Set(handled.map(({ block }) => block));
  const failed = failedBlocks(root).filter(({ block }) => !isAtOrBelowAny(block, handledPaths));
  const outputErrors = collectOutputErrors(root);
  return {
    status,
    run_id: started.runId,
    workflow: started.workflow,
    ...(state.finished === undefined ? {} : { duration_ms: metadata.execution_time_ms }),
    ...describeOutputs(state, status),
    ...(status === "failure" ? { error: metadata.message ?? "failed" } : {}),
    ...(state.cancelRequested && status !== "success" ? { cancelled: true } : {}),
    ...(failed.length > 0 ? { failed_blocks: failed } : {}),
    ...(handled.length > 0 ? { handled_failures: handled, ...describeSkipped(state, status) } : {}),
    ...(Object.keys(outputErrors).length > 0 ? { output_errors: outputErrors } : {}),
    ...defined({ steps: countSteps(state) }),
    ...describeReuse(state),
    ...describeUndone(state),
    ...describePending(state),
    ...(status === "running" ? describeProgress(state, options.now ?? Date.now()) : {}),
    ...(state.wakeAt === undefined ? {} : { wake_at: state.wakeAt }),
    ...describeSpend(metadata),
    ...defined({ message: describeNext(state, status, failed, handled, options) }),
    ...(format === "detailed"
      ? { blocks: describeBlocks(root, options.mostBlocks), metadata: shownMetadata(metadata) }
      : {}),
  };
}

function describeSpend({ spend, budget }: Metadata): Pick<WorkflowResponse, "spend" | "over_budget"> {
  if (spend === undefined) return {};
  const spent = spend as unknown as Spend;
  const over = findOverBudget(spent, budget);
  return { spend: spent, ...defined({ over_budget: over }) };
}

function describeOutputs(
  { root, finished }: RunState,
  status: RunStatus,
): Pick<WorkflowResponse, "outputs" | "stdout_tail"> {
  const isDeclared = root.inside.kind === "workflow" && root.inside.plan.definition.outputs.size > 0;
  if (finished === undefined) return {};
  if (isDeclared) return { outputs: root.record.outputs };
  return status === "success" ? defined({ stdout_tail: stdoutTails(root) }) : {};
}

function isAtOrBelowAny(path: string, ancestors: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (ancestors.has(path.slice(0, end))) return true;
  }
  return false;
}

/** The reply to something that could not be started. */
export function describeRefusal(diagnostics: readonly WordedDiagnostic[]): WorkflowResponse {
  const errors = diagnostics.filter(({ level }) => level === "error");
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return { status: "failure", error: `${first?.message ?? "refused"}${more}`, errors: errors.map(toData) };
}

/** The reply to the end of a run that this program can't read. */
export function describeUnread(runId: string): WorkflowResponse {
  const message = `${runId} is cancelled. It could not be read, so nothing that it had started was stopped.`;
  return { status: "failure", run_id: runId, cancelled: true, message };
}

function statusWord({ root, paused: rests }: RunState): RunStatus {
  const { status, outcome } = root.record.metadata;
  if (status === "completed") return outcome === "success" ? "success" : "failure";
  if (status === "failed") return "failure";
  if (status === "paused") return "paused";
  return rests ? "sleeping" : "running";
}

function describeNext(
  state: RunState,
  status: RunStatus,
  failed: readonly FailedBlock[],
  handled: readonly HandledFailureData[],
  { nextSteps, isOverdue = false, elsewhere }: ResponseOptions,
): string | undefined {
  const { runId } = state.started;
  const waking = state.wakeAt === undefined ? [] : [nextSteps.wake(runId, state.wakeAt, isOverdue)];
  switch (status) {
    case "interrupted":
      return [...(elsewhere === undefined ? [] : [`Its files are on ${elsewhere}.`]), nextSteps.takeOver(runId)].join(
        " ",
      );
    case "paused":
      return [nextSteps.answer(questionsOf(state), state.started.workspace), ...waking].join("\n");
    case "sleeping":
      return waking.join(" ");
    case "queued": {
      const { queue = null } = state.started;
      return `It waits for ${describeWait(queue, queue?.host ?? null)}. ${nextSteps.follow(runId, true)}`;
    }
    case "running":
      return nextSteps.follow(runId);
    case "failure": {
      const isInline = state.started.file === undefined;
      const undone = describeUndone(state);
      const blocks = { failed: failed.map(({ block }) => block), skipped: skippedForFailures(state.root) };
      const hasBegun = failed[0] === undefined || (state.nodes.get(failed[0].block)?.record.metadata.attempts ?? 1) > 0;
      const leftChanges = state.changedBy.size > 0 && undone.rollback?.state !== "complete";
      const commitPoint = undone.rollback === undefined ? undefined : state.commitPoint;
      const ended = [state.root, ...failed.map(({ block }) => state.nodes.get(block))];
      const isOverBudget = ended.some((node) => node?.cause === "budget");
      const why = { isCancelled: state.cancelRequested, isOverBudget, isInline };
      const rest = { ...why, leftChanges, ...defined({ commitPoint }) };
      return nextSteps.repair({ runId, ...blocks, hasBegun, ...rest, ...stayed(state, undone) });
    }
    case "success": {
      if (state.started.undoOf !== undefined) return nextSteps.redo(runId);
      if (isNothingRun(state)) return nextSteps.runAll(runId, state.started.reuse?.frozen === true);
      const paths = handled.map(({ block }) => block);
      const next = [
        ...(paths.length === 0 ? [] : [nextSteps.inspect(runId, paths)]),
        ...(state.changedBy.size > 0 && countSteps(state) !== undefined ? [nextSteps.takeBack(runId)] : []),
      ];
      return next.length === 0 ? undefined : next.join("\n");
    }
  }
}

function stayed(state: RunState, { undo }: UndoData): Pick<FailureData, "undone"> {
  if (undo === undefined) return {};
  const { of: runId, block: only, to, conflicts, not_restored: left, not_run: notRun } = undo;
  // No command takes back just what a rerun runs again.
  const canBeAsked = state.started.undoOf?.forRerun === undefined;
  const isStopped = canBeAsked && state.cancelRequested && (left !== undefined || notRun !== undefined);
  if (conflicts === undefined && !isStopped) return {};
  return { undone: { runId, ...defined({ only, to }), isForcible: canBeAsked && isForcible(state), isStopped } };
}

/** The questions that wait for an answer, oldest first. */
export function questionsOf(state: RunState): QuestionData[] {
  return [...state.questions].flatMap(([id, node]) => {
    const asked = questionOf(node);
    return asked === undefined ? [] : [describeQuestion(id, node.path, asked.question)];
  });
}

export function describeQuestion(id: string, block: string, question: Question): QuestionData {
  return {
    checkpoint_id: id,
    block,
    prompt: question.text,
    audience: question.audience,
    ...defined({ schema: question.schema, choices: question.choices, default: question.default }),
  };
}

/** What a condition left out was meant to be. */
function describeSkipped({ root, nodes }: RunState, status: RunStatus): Pick<WorkflowResponse, "skipped_blocks"> {
  if (status !== "success") return {};
  const skipped = skippedForFailures(root).filter((path) => {
    const node = nodes.get(path);
    return node !== undefined && judgeDependencies(node) !== undefined;
  });
  return skipped.length === 0 ? {} : { skipped_blocks: skipped };
}

function describePending(state: RunState): Pick<WorkflowResponse, "pending"> {
  const pending = questionsOf(state);
  return pending.length === 0 ? {} : { pending };
}

function collectOutputErrors(root: RunNode): Record<string, string> {
  const all: Record<string, string> = {};
  collect(root, ({ inside, path }) => {
    if (inside.kind !== "workflow") return [];
    for (const [name, message] of Object.entries(inside.remarks?.outputErrors ?? {})) {
      all[path === "" ? name : `${path}.${name}`] = message;
    }
    return [];
  });
  return all;
}

function collect<T>(root: RunNode, pick: (node: RunNode) => readonly T[]): T[] {
  const found: T[] = [];
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const item of pick(node)) found.push(item);
    for (const child of childNodes(node).toReversed()) stack.push(child);
  }
  return found;
}

/** The outer ones first, until there are enough. */
function describeBlocks(around: RunNode, most: number = Number.POSITIVE_INFINITY): Record<string, ExecutionData> {
  const outermost = Object.create(null) as Record<string, ExecutionData>;
  const open = new Queue<{ readonly node: RunNode; readonly blocks: Record<string, ExecutionData> }>();
  open.push({ node: around, blocks: outermost });
  let left = most;
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const node of childNodes(next.node)) {
      if (left-- <= 0) {
        next.blocks[node.key] = named;
        continue;
      }
      const blocks = childNodes(node).length > 0 ? (Object.create(null) as Record<string, ExecutionData>) : undefined;
      next.blocks[node.key] = { ...describeRecord(node), ...(blocks === undefined ? {} : { blocks }) };
      if (blocks !== undefined) open.push({ node, blocks });
    }
  }
  return outermost;
}

const named = Object.freeze({}) as ExecutionData;

function describeRecord(node: RunNode): ExecutionData {
  const { outputs, metadata } = node.record;
  return { inputs: writtenInputs(node), outputs, metadata: shownMetadata({ ...metadata, status: shownStatus(node) }) };
}

/** What the file says: what was left to its default is in the block type's schema, and only makes records long. */
function writtenInputs({ block, record }: RunNode): ValueMap {
  return Object.fromEntries(Object.entries(record.inputs).filter(([name]) => block?.definition.inputs.has(name)));
}

/** Status and outcome say what the flags say, and `message` what `error` does; they are for expressions. */
function shownMetadata({ succeeded: _, failed: __, skipped: ___, error: ____, ...metadata }: Metadata): ShownMetadata {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null)) as unknown as ShownMetadata;
}

/** The record of a block with all that is inside it. */
export function describeExecution(node: RunNode): ExecutionData {
  return {
    ...describeRecord(node),
    ...(childNodes(node).length > 0 ? { blocks: describeBlocks(node) } : {}),
  };
}
