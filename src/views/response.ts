import type { Question } from "../block/define-block.ts";
import { type DiagnosticData, toData, type WordedDiagnostic } from "../diagnostic/diagnostic.ts";
import type { HandledFailure } from "../engine/events.ts";
import type { Metadata } from "../engine/execution.ts";
import { childNodes, isLoop, questionOf, type RunNode, shownStatus } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import { weighFailures } from "../engine/weigh-failures.ts";
import { isMap, type Value, type ValueMap } from "../expression/value.ts";
import type { RunStatus } from "../runs/read-run.ts";
import { defined } from "../util/defined.ts";
import { Queue } from "../util/queue.ts";
import { describeReuse, isNothingRun, type ReuseData } from "./describe-reuse.ts";

/** What every door says about a run. One word for its status; the rest is there when it means something. */
export interface WorkflowResponse extends ReuseData {
  readonly status: RunStatus;
  readonly run_id?: string;
  readonly workflow?: string;
  readonly outputs?: ValueMap;
  readonly error?: string;
  readonly cancelled?: true;
  readonly failed_blocks?: readonly FailedBlock[];
  readonly handled_failures?: readonly HandledFailureData[];
  readonly output_errors?: Readonly<Record<string, string>>;
  readonly checkpoint_id?: string;
  readonly prompt?: string;
  readonly pending?: readonly QuestionData[];
  /** When it goes on, because something in it sleeps until then. */
  readonly wake_at?: string;
  readonly message?: string;
  /** A definition or input that was refused: all that is wrong with it. */
  readonly errors?: readonly DiagnosticData[];
  readonly blocks?: Readonly<Record<string, ExecutionData>>;
  readonly metadata?: Metadata;
}

export interface FailedBlock {
  readonly block: string;
  readonly message: string;
  /** The end of what it wrote to stderr. */
  readonly stderr_tail?: string;
  /** The end of what it wrote to stdout, when stderr is empty. */
  readonly stdout_tail?: string;
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

export interface ExecutionData {
  readonly inputs: ValueMap;
  readonly outputs: ValueMap;
  readonly metadata: Metadata;
  readonly blocks?: Readonly<Record<string, ExecutionData>>;
}

export interface ResponseOptions {
  /** `detailed` adds the whole tree of records and the run's metadata. */
  readonly format: "minimal" | "detailed";
  /** Where the state alone can't tell: a run that does not go on may be interrupted. */
  readonly status?: RunStatus;
  /** Something in it was to be woken by now, and nobody drives it. */
  readonly isOverdue?: boolean;
  readonly nextSteps: NextSteps;
  /** Blocks beyond these are named only, for a reader who has room for no more. */
  readonly mostBlocks?: number;
}

/** What to do next, in the words of the door that is asked: its literal next call. */
export interface NextSteps {
  answer(pending: readonly QuestionData[]): string;
  /** Of a run in which something sleeps until a time, or was to be woken then and was not. */
  wake(runId: string, wakeAt: string, isOverdue: boolean): string;
  takeOver(runId: string): string;
  follow(runId: string): string;
  /** Everything was taken over from a run. */
  runAll(runId: string): string;
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
    ...(state.finished === undefined ? {} : { outputs: root.record.outputs }),
    ...(status === "failure" ? { error: metadata.message ?? "failed" } : {}),
    ...(state.cancelRequested && status !== "success" ? { cancelled: true } : {}),
    ...(failed.length > 0 ? { failed_blocks: failed } : {}),
    ...(handled.length > 0 ? { handled_failures: handled } : {}),
    ...(Object.keys(outputErrors).length > 0 ? { output_errors: outputErrors } : {}),
    ...describeReuse(state),
    ...describePending(state),
    ...(state.wakeAt === undefined ? {} : { wake_at: state.wakeAt }),
    ...describeNext(state, status, options),
    ...(format === "detailed" ? { blocks: describeBlocks(root, options.mostBlocks), metadata } : {}),
  };
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
  { nextSteps, isOverdue = false }: ResponseOptions,
): { readonly message?: string } {
  const { runId } = state.started;
  const waking = state.wakeAt === undefined ? [] : [nextSteps.wake(runId, state.wakeAt, isOverdue)];
  switch (status) {
    case "interrupted":
      return { message: nextSteps.takeOver(runId) };
    case "paused":
      return { message: [nextSteps.answer(questionsOf(state)), ...waking].join(" ") };
    case "sleeping":
      return { message: waking.join(" ") };
    case "running":
      return { message: nextSteps.follow(runId) };
    default:
      return isNothingRun(state) ? { message: nextSteps.runAll(state.started.rerunOf ?? runId) } : {};
  }
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

function describePending(state: RunState): Partial<WorkflowResponse> {
  const pending = questionsOf(state);
  const [first] = pending;
  if (first === undefined) return {};
  return { checkpoint_id: first.checkpoint_id, prompt: first.prompt, pending };
}

const tailCharacters = 2_000;

function isAtOrBelowAny(path: string, ancestors: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (ancestors.has(path.slice(0, end))) return true;
  }
  return false;
}

/** Of a workflow that still runs: those that are answered already. */
function handledIn({ inside, ended }: RunNode): readonly HandledFailure[] {
  if (inside.kind !== "workflow") return [];
  return inside.remarks?.handledFailures ?? (ended ? [] : weighFailures(inside, "main").handled);
}

/** Blocks that failed themselves, wherever they are; what only failed because of something inside it is left out. */
function failedBlocks(node: RunNode): FailedBlock[] {
  const { metadata, outputs } = node.record;
  const inside = childrenThatCount(node);
  const deeper = inside.flatMap(failedBlocks);
  const answered = new Set(handledIn(node).map(({ block }) => block));
  const isBecauseOfThem = inside.some(({ record, path }) => record.metadata.failed && !answered.has(path));
  if (node.parent === undefined || !metadata.failed || isBecauseOfThem) return deeper;
  const { last = null } = outputs;
  const said = describeTail(isMap(last) ? last : outputs);
  return [{ block: node.path, message: metadata.message ?? "failed", ...said }, ...deeper];
}

/** Of a block that is tried again, or repeated until a condition holds, what is inside does not decide how it ends. */
function childrenThatCount(node: RunNode): readonly RunNode[] {
  const isBetween = node.stage.kind === "sleeping" || node.stage.kind === "woken";
  const isJudged = isLoop(node) && node.block?.definition.repeat?.until !== undefined;
  return isBetween || isJudged ? [] : childNodes(node);
}

/** Many tools tell what is wrong on stdout, so that is shown where stderr says nothing. */
function describeTail({ stderr = "", stdout = "" }: ValueMap): Pick<FailedBlock, "stderr_tail" | "stdout_tail"> {
  const [errors, output] = [tailOf(stderr), tailOf(stdout)];
  if (errors !== "") return { stderr_tail: errors };
  return output === "" ? {} : { stdout_tail: output };
}

function tailOf(text: Value): string {
  if (typeof text !== "string") return "";
  const trimmed = text.trimEnd();
  return trimmed.length > tailCharacters ? `...${trimmed.slice(-tailCharacters)}` : trimmed;
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

export function describeRecord(node: RunNode): ExecutionData {
  const { inputs, outputs, metadata } = node.record;
  return { inputs, outputs, metadata: { ...metadata, status: shownStatus(node) } };
}

/** The record of a block with all that is inside it. */
export function describeExecution(node: RunNode): ExecutionData {
  return {
    ...describeRecord(node),
    ...(childNodes(node).length > 0 ? { blocks: describeBlocks(node) } : {}),
  };
}
