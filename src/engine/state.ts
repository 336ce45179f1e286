import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Value } from "../expression/value.ts";
import type { Plan } from "../plan/plan.ts";
import { defined } from "../util/defined.ts";
import type { Result } from "../util/result.ts";
import { dropActive } from "./active-time.ts";
import { outermost } from "./address.ts";
import { budgetChanges } from "./apply-budget-events.ts";
import { undoChanges } from "./apply-undo-events.ts";
import { openScope, release, reserve } from "./budget-scope.ts";
import { addPass, createNode, enterPass, enterWorkflow, forgetInside } from "./build-nodes.ts";
import {
  addEarlier,
  addInterrupted,
  addSpending,
  addTime,
  begin,
  beginAttempt,
  changeStage,
  end,
  fallAsleep,
  noteReasons,
  wakeUp,
} from "./change-node.ts";
import { defaultOutputs } from "./default-outputs.ts";
import {
  type BlockStarted,
  consumeEvent,
  type EventTable,
  type FrozenDefinition,
  type RunEvent,
  type RunFinished,
  type RunStarted,
} from "./events.ts";
import { type Execution, endingOf, type Stop, setState } from "./execution.ts";
import { recordedSize } from "./limits.ts";
import { loopOutputs } from "./loop-outputs.ts";
import { nodeAt } from "./node-at.ts";
import {
  attemptHistory,
  type Cancelling,
  type Decision,
  isCommitPoint,
  type LoopInside,
  questionOf,
  type RunNode,
  type Stage,
  type WorkflowInside,
} from "./run-node.ts";

/**
 * The state of a run is a fold over its events: `applyEvent` is the only code that changes it, it looks at nothing but the
 * event, and its cost does not grow with the run.
 */
/** The answer that a question has got; whoever answers it again changes nothing. */
export interface KeptAnswer {
  readonly value: Value;
  /** Who gave it: `terminal`, `model`, ... */
  readonly by: string;
}

export interface RunState {
  /** With the workspace that was made for it, if one was. */
  started: RunStarted;
  readonly root: RunNode;
  readonly nodes: Map<string, RunNode>;
  /** The texts of every workflow the run has used so far, by name. */
  readonly definitions: Map<string, FrozenDefinition>;
  /** Questions that wait for an answer, by their id. */
  readonly questions: Map<string, RunNode>;
  /** Those that have had theirs, and what it is. */
  readonly answered: Map<string, KeptAnswer>;
  /** Blocks that wait for a time. */
  readonly sleeping: Set<RunNode>;
  /** What holds blocks and has come to those under `finally`. */
  readonly closing: Set<RunNode>;
  /** Blocks that have failed, which may stop what is around them. */
  readonly failures: Set<RunNode>;
  /** What has a budget that is exceeded, where a person is to be asked about it. */
  readonly exceeded: Set<RunNode>;
  /** Nothing in it can go on by itself, or not before `wakeAt`. */
  paused: boolean;
  wakeAt: string | undefined;
  cancelRequested: boolean;
  /** The outermost blocks that are known to have changed files, or were about to, with what is inside of them. */
  readonly changedBy: Set<string>;
  /** The latest block that it passed as a commit point. */
  commitPoint: string | undefined;
  finished: RunFinished | undefined;
  /** How many events have been applied: the number of the latest one. */
  sequence: number;
  /** About how many bytes the events have. */
  recorded: number;
  /** The latest time any event tells. */
  latest: string;
  readonly plans: PlanSource;
}

/** Plans of workflows by name, made from the frozen texts; the error says what is wrong with the text. */
export type PlanSource = (workflow: string, definition?: FrozenDefinition) => Result<Plan, string>;

/** `assumed` makes it that of a dry run: see `RunNode`. */
export function createState(started: RunStarted, plans: PlanSource, assumed?: Set<RunNode>): RunState {
  const root = createNode(undefined, "", undefined, undefined, assumed);
  const nodes = new Map<string, RunNode>([["", root]]);
  const state: RunState = {
    started,
    root,
    nodes,
    definitions: new Map(Object.entries(started.definitions)),
    questions: new Map(),
    answered: new Map(),
    sleeping: new Set(),
    closing: new Set(),
    failures: new Set(),
    exceeded: new Set(),
    paused: false,
    wakeAt: undefined,
    cancelRequested: false,
    changedBy: new Set(),
    commitPoint: undefined,
    finished: undefined,
    sequence: 1,
    recorded: recordedSize(started),
    latest: started.at,
    plans,
  };
  enterWorkflow(
    state,
    root,
    planned(plans(started.key ?? started.workflow)),
    started.inputs,
    started.workspace,
    started.at,
  );
  begin(root, started.inputs, started.at, 1);
  return state;
}

export function applyEvent(state: RunState, event: RunEvent): void {
  state.sequence++;
  state.recorded += recordedSize(event);
  if (event.at > state.latest) state.latest = event.at;
  consumeEvent(changes, event, state);
}

/** What each event changes. */
const changes: EventTable<[state: RunState], void> = {
  "run-started": () => {
    throw new Error("A run starts once.");
  },
  "workspace-made": ({ workspace }, state) => {
    state.started = { ...state.started, workspace };
    (state.root.inside as WorkflowInside).workspace = workspace;
  },
  "block-started": (event, state) => applyStarted(state, event),
  "process-started": (event, state) => {
    const node = nodeAt(state, event.path);
    node.processes = [...node.processes, event.process];
  },
  "file-changed": (event, state) => {
    nodeAt(state, event.path).fileChange = event;
    state.changedBy.add(outermost(event.path));
  },
  "observation-started": (event, state) => {
    nodeAt(state, event.path).observation = event.snapshot;
  },
  "changes-observed": (event, state) => {
    const node = nodeAt(state, event.path);
    if (event.attempt === node.record.metadata.attempts) node.observation = undefined;
    if (event.changes.length > 0) state.changedBy.add(outermost(event.path));
  },
  ...undoChanges,
  ...budgetChanges,
  "block-interrupted": (event, state) => {
    const node = nodeAt(state, event.path);
    if (node.stage.kind === "running") dropActive(node, event.at);
    addSpending(node, event.spend);
    release(node);
    node.stage = { kind: "interrupted", action: event.action };
  },
  "attempt-ended": (event, state) => {
    const node = nodeAt(state, event.path);
    const { at } = event;
    addSpending(node, event.spend);
    const spend = defined({ spend: node.attemptSpend });
    addEarlier(node, { ending: endingOf(event), startedAt: node.attemptAt ?? at, endedAt: at, ...spend });
    node.answer = undefined;
    node.cancelling = undefined;
    state.closing.delete(node);
    node.record.outputs = event.outputs ?? loopOutputs(node);
    addTime(node, event.durationMs);
    fallAsleep(state, node, { kind: "sleeping", about: "retry", since: at, until: event.retryAt });
  },
  "block-finished": (event, state) => {
    const node = nodeAt(state, event.path);
    const { metadata } = node.record;
    node.record.outputs = event.outputs ?? loopOutputs(node);
    metadata.started_at ??= event.at;
    addTime(node, event.durationMs);
    addSpending(node, event.spend);
    if (node.inside.kind === "workflow") node.inside.remarks = event.remarks;
    node.seen = event.seen ?? [];
    setState(metadata, event.status, event.outcome, event.message);
    if (event.status === "failed") node.cause = event.cause;
    if (metadata.succeeded && isCommitPoint(node)) state.commitPoint = event.path;
    end(state, node, event.at);
  },
  "block-skipped": (event, state) => {
    const node = nodeAt(state, event.path);
    const { metadata } = node.record;
    node.record.outputs = defaultOutputs(node, (name) => frozenDefinition(state, name));
    metadata.started_at ??= event.at;
    setState(metadata, "skipped", "n/a", event.reason.message);
    end(state, node, event.at);
  },
  "block-reused": (event, state) => {
    const node = nodeAt(state, event.path);
    const { metadata } = node.record;
    begin(node, event.inputs, event.startedAt, event.attempt);
    noteReasons(node, event.becauseOf);
    node.origin = event.origin;
    node.seen = event.seen ?? [];
    node.askedPerson = event.askedPerson === true;
    node.earlier = event.earlier ?? [];
    node.attemptAt = node.earlier.at(-1)?.endedAt ?? event.startedAt;
    node.record.outputs = event.outputs;
    metadata.execution_time_ms = event.durationMs;
    metadata.reused = true;
    setState(metadata, event.status, event.outcome, event.message);
    if (event.status === "failed") node.cause = event.cause;
    end(state, node, event.at);
    metadata.completed_at = event.completedAt;
    if (node.earlier.length > 0) metadata.attempt_history = attemptHistory(node);
  },
  "block-paused": (event, state) => {
    const node = nodeAt(state, event.path);
    const { questionId: id, question, about, scope } = event;
    if (about === "block") {
      node.answer = undefined;
      if (question.audience === "human") node.askedPerson = true;
    }
    node.questions++;
    addTime(node, event.durationMs);
    addSpending(node, event.spend);
    state.questions.set(id, node);
    const held = about === "budget" ? { ...defined({ scope }), before: node.stage } : {};
    changeStage(node, { kind: "asking", id, question, about, ...held }, event.at);
    setState(node.record.metadata, "paused", "n/a", null);
  },
  "question-answered": (event, state) => {
    const node = nodeAt(state, event.path);
    changeStage(node, takeAnswer(node, event.answer), event.at);
    state.questions.delete(event.questionId);
    state.answered.set(event.questionId, { value: event.answer, by: event.by });
    const hasBegun = node.record.metadata.attempts > 0;
    setState(node.record.metadata, hasBegun ? "running" : "pending", "n/a", null);
  },
  "block-resumed": (event, state) => {
    const node = nodeAt(state, event.path);
    const isNew = event.attempt !== node.record.metadata.attempts;
    if (isNew) {
      addInterrupted(node, event);
      beginAttempt(node);
    }
    reserve(node, event.reserved, isNew);
    node.record.metadata.attempts = event.attempt;
    changeStage(node, { kind: "running" }, event.at);
  },
  "block-sleeping": (event, state) => {
    const node = nodeAt(state, event.path);
    const { about, at: since, until } = event;
    addTime(node, event.durationMs);
    addSpending(node, event.spend);
    if (about === "repeat") addPass(state, node, node.inside as LoopInside);
    fallAsleep(state, node, { kind: "sleeping", about, since, until });
  },
  "block-woken": (event, state) => {
    const node = nodeAt(state, event.path);
    if (node.stage.kind !== "sleeping") throw new Error(`${event.path} does not sleep.`);
    // What its own code waits for is what the block does; the delay before another attempt or pass is not.
    if (node.stage.about === "block") addTime(node, Math.max(0, Date.parse(event.at) - Date.parse(node.stage.since)));
    node.stage = { ...node.stage, kind: "woken" };
    wakeUp(state, node);
  },
  "finally-started": (event, state) => {
    const node = nodeAt(state, event.path);
    const inside = node.inside as WorkflowInside;
    inside.closing = { ending: endingOf(event), cancelling: undefined };
    inside.open = inside.children.length - inside.plan.mainBlocks;
    state.closing.add(node);
  },
  "block-cancelling": (event, state) => {
    const node = nodeAt(state, event.path);
    const { inside } = node;
    if (inside.kind !== "workflow" || inside.closing === undefined) {
      node.cancelling = createCancelling(event, `'${node.key}'`);
    } else inside.closing = { ...inside.closing, cancelling: createCancelling(event, "`finally`") };
  },
  "run-paused": (event, state) => {
    state.paused = true;
    state.wakeAt = event.wakeAt;
    setState(state.root.record.metadata, "paused", "n/a", null);
  },
  "run-sleeping": (event, state) => {
    state.paused = true;
    state.wakeAt = event.wakeAt;
  },
  "run-resumed": (_event, state) => {
    state.paused = false;
    state.wakeAt = undefined;
    setState(state.root.record.metadata, "running", "n/a", null);
  },
  "run-cancelling": (event, state) => {
    const { root } = state;
    const cancelling = root.cancelling ?? createCancelling(event, "the workflow");
    root.cancelling = event.forced ? { ...cancelling, forced: true } : cancelling;
    state.cancelRequested ||= event.cause === "cancelled";
  },
  "run-finished": (event, state) => {
    const { root } = state;
    state.finished = event;
    root.record.outputs = event.outputs;
    addTime(root, event.durationMs);
    (root.inside as WorkflowInside).remarks = event.remarks;
    setState(root.record.metadata, event.status, event.outcome, event.message);
    if (event.status === "failed") root.cause = event.cause;
    end(state, root, event.at);
  },
};

/** Where a block stands that has got an answer. */
function takeAnswer(node: RunNode, value: Value): Stage {
  const { about, before } = questionOf(node) ?? {};
  if (about === "interruption") return { kind: "decided", decision: value as Decision };
  if (about === "budget" && before !== undefined) return before;
  node.answer = { value };
  return { kind: "answered" };
}

function createCancelling({ cause, message }: Stop, name: string): Cancelling {
  const below = cause === "cancelled" ? message : `cancelled, because ${name} ${message}`;
  return { cause, message, below: { cause: "cancelled", message: below } };
}

/** The definition of a workflow that the run knows by name. */
export function frozenDefinition(state: RunState, name: string): WorkflowDefinition | undefined {
  if (!state.definitions.has(name)) return undefined;
  const plan = state.plans(name);
  return plan.ok ? plan.value.definition : undefined;
}

/** A workflow is only entered once its plan has been made. */
function planned(plan: Result<Plan, string>): Plan {
  if (plan.ok) return plan.value;
  throw new Error(plan.error);
}

function plannedGroup({ path, block }: RunNode): Plan {
  if (block?.group === undefined) throw new Error(`${path} holds no blocks of its own.`);
  return block.group;
}

function applyStarted(state: RunState, event: BlockStarted): void {
  const node = nodeAt(state, event.path);
  forgetInside(state, node);
  addInterrupted(node, event);
  begin(node, event.inputs, event.at, event.attempt);
  if (event.notReused !== undefined) node.record.metadata.not_reused = event.notReused;
  const { inside } = event;
  if (inside.kind === "leaf") {
    beginAttempt(node);
    reserve(node, event.reserved, true);
    changeStage(node, { kind: "running" }, event.at);
  } else changeStage(node, { kind: "waiting" }, event.at);
  if (inside.kind === "workflow") {
    if (inside.definition !== undefined) state.definitions.set(inside.workflow, inside.definition);
    enterWorkflow(
      state,
      node,
      planned(state.plans(inside.workflow, inside.definition)),
      inside.inputs,
      inside.workspace,
      event.at,
    );
  } else if (inside.kind === "group") {
    const { inputs, workspace } = node.workflow.inside as WorkflowInside;
    enterWorkflow(state, node, plannedGroup(node), inputs, workspace, event.at);
  } else if (inside.kind === "loop") {
    const { elements } = inside;
    openScope(node, [node.block?.definition.budget]);
    node.record.blocks = Object.create(null) as Record<string, Execution>;
    const passes = { passes: [], passByKey: new Map(), endedPasses: 0 };
    node.inside = { kind: "loop", elements: [...elements], ...passes, stopped: false };
    for (const [index, element] of elements.entries()) {
      enterPass(state, node, node.inside, { ...element, index, count: elements.length });
    }
  }
  noteReasons(node, event.becauseOf);
}
