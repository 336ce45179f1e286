import type { Question } from "../block/define-block.ts";
import type { ProcessIdentity } from "../block/ports.ts";
import type { SandboxLimits } from "../block/sandbox.ts";
import type { Cost, Spend } from "../block/spend.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import type { Plan, PlannedBlock } from "../plan/plan.ts";
import type { ActiveTime } from "./active-time.ts";
import { childPath } from "./address.ts";
import type { BudgetScope } from "./budget-scope.ts";
import type {
  BlockInterrupted,
  BlockOrigin,
  BlockPaused,
  BlockSleeping,
  EndedAttempt,
  FileChanged,
  LoopElement,
  SeenEntry,
  WorkflowRemarks,
} from "./events.ts";
import type { Ending, Execution, Status, Stop, StopCause } from "./execution.ts";
import type { RollbackStarted } from "./undo-events.ts";

/**
 * A run, a block or a pass of a loop: the record others read, and beside it what the engine needs to go on. The root is a node with
 * a workflow inside; a block is a node; so is one pass of a loop.
 */
export interface RunNode {
  readonly path: string;
  /** Block id or element key; empty for the root. */
  readonly key: string;
  readonly parent: RunNode | undefined;
  /** Absent for the root only. */
  readonly block: PlannedBlock | undefined;
  /** Set on a pass of a loop. */
  readonly element: ElementScope | undefined;
  readonly record: Execution;
  /** The workflow whose scope this node is evaluated in; for the root itself. */
  readonly workflow: RunNode;
  inside: RunNodeInside;
  /** Where a block that does something itself stands; of one that holds blocks: whether it sleeps. */
  stage: Stage;
  /** The answer to its own latest question, which it is to work in. */
  answer: { readonly value: Value } | undefined;
  /** Commands that its latest attempt is known to have started. */
  processes: readonly ProcessIdentity[];
  /** The changes of files that its latest attempt announced. */
  fileChange: FileChanged | undefined;
  /** What its latest attempt saw of the workspace before its command began, as long as nobody has looked again. */
  observation: string | undefined;
  /** Set while what it did is being taken back: then it ends. */
  rollback: RollbackStarted | undefined;
  /** What it has seen of files, once it has ended. */
  seen: readonly SeenEntry[];
  /** Where its result comes from, if it did not run in this run. */
  origin: BlockOrigin | undefined;
  /** Whether it has asked a person something. */
  askedPerson: boolean;
  /** Asked so far; each has an id of its own. */
  questions: number;
  /** When its latest attempt began. */
  attemptAt: string | undefined;
  /** How long its latest attempt has run so far, without the time in which it waited for an answer; of what holds blocks, once it has ended. */
  attemptMs: number;
  /** What its latest attempt has cost so far, with all inside it. */
  attemptSpend: Spend | undefined;
  /** Of a leaf whose attempt runs: what is kept free for it. */
  reserved: Cost | undefined;
  /** Of what holds blocks: what they may cost, all attempts together. */
  budget: BudgetScope | undefined;
  /** Since when its own code has been running, where it does: what has run before that is in `attemptMs`. */
  runningSince: string | undefined;
  /** Its attempts so far but the latest. */
  earlier: readonly EndedAttempt[];
  /** Set when the node is being ended early. */
  cancelling: Cancelling | undefined;
  /** Why it was ended early, once it has ended. */
  cause: StopCause | undefined;
  ended: boolean;
  /** In a dry run, the same for all its nodes: those whose ending is only assumed, so that no expression may read it. */
  readonly assumed: Set<RunNode> | undefined;
}

/** What the node itself ends with. */
export interface Cancelling extends Stop {
  /** What everything below it ends with. */
  readonly below: Stop;
  /** What is under `finally` as well, at any depth. */
  readonly forced?: true;
}

export interface ElementScope extends LoopElement {
  readonly index: number;
  readonly count: number;
}

export type Stage =
  | { readonly kind: "waiting" }
  /** Its own code has been called: by whoever drives the run, or by an engine that has died since. */
  | { readonly kind: "running" }
  | Asking
  /** It is to go on with its answer. */
  | { readonly kind: "answered" }
  | Sleeping
  /** Its time has come, and it is to go on. */
  | (Omit<Sleeping, "kind"> & { readonly kind: "woken" })
  /** Its engine died while it ran. */
  | { readonly kind: "interrupted"; readonly action: BlockInterrupted["action"] }
  /** Somebody has said what is to become of it after that. */
  | { readonly kind: "decided"; readonly decision: Decision }
  | { readonly kind: "ended" };

export interface Asking {
  readonly kind: "asking";
  readonly id: string;
  readonly question: Question;
  readonly about: BlockPaused["about"];
  /** Of a question about a budget: whose it is, and where the block stood before. */
  readonly scope?: string;
  readonly before?: Stage;
}

export interface Sleeping {
  readonly kind: "sleeping";
  /** `retry`: until its next attempt. `repeat`: until its next pass. */
  readonly about: "retry" | BlockSleeping["about"];
  readonly since: string;
  readonly until: string;
}

/** What can become of a block that was interrupted: `done` takes it for a success. */
export const decisions = ["rerun", "done", "fail"] as const;
export type Decision = (typeof decisions)[number];

export type RunNodeInside = LeafInside | WorkflowInside | LoopInside;

export interface LeafInside {
  readonly kind: "leaf";
}

/** The blocks of a workflow, or those of a group. */
export interface WorkflowInside {
  readonly kind: "workflow";
  readonly plan: Plan;
  /** Blocks of a group can read all that the group itself can read. */
  readonly isGroup: boolean;
  /** What the workflow was given, and the only thing it can see of the world around it; of a group, those of its workflow. */
  readonly inputs: ValueMap;
  /** Changes when one is made for the run, before anything begins. */
  workspace: string;
  /** Of what is said about it by the run and by every workflow around, the tightest. */
  readonly sandbox: SandboxLimits | undefined;
  readonly children: readonly RunNode[];
  /** By block: how many of the blocks it waits for have not ended. */
  readonly waiting: number[];
  /** Children that have not ended. */
  open: number;
  /** Children that have ended, in order: gives execution_order. */
  completions: number;
  /** By failed block: those that would not have run without its failure. */
  readonly ranBecauseOf: Map<string, Set<string>>;
  remarks: WorkflowRemarks | undefined;
  /** Set once everything but `finally` has ended. */
  closing: Closing | undefined;
  /** Set when one of the blocks has failed and nothing else may start. */
  stopping: Stopping | undefined;
  /** Kept where a time limit may need it. */
  readonly active: ActiveTime | undefined;
}

/** What a failure with `on_failure: stop` or `rollback` does to what is around it; with `rollback` what runs is ended too. */
export interface Stopping {
  readonly rollback: boolean;
  /** What the blocks end with that have not begun, or are ended. */
  readonly message: string;
}

/** A workflow whose blocks under `finally` may run. */
export interface Closing {
  /** How all the others have gone. */
  readonly ending: Ending;
  /** Set when `finally` is being ended early. */
  readonly cancelling: Cancelling | undefined;
}

export interface LoopInside {
  readonly kind: "loop";
  /** Of a repeated block: one for each pass so far. */
  readonly elements: LoopElement[];
  readonly passes: RunNode[];
  readonly passByKey: Map<string, RunNode>;
  endedPasses: number;
  /** No further pass may start. */
  stopped: boolean;
}

/**
 * Why this node is being ended early, if it is: because of itself, or of something around it. What ends a workflow early is what
 * `finally` is for, so that is only ended by a limit of its own, or when somebody insists.
 */
export function cancelReason(node: RunNode): Stop | undefined {
  return node.cancelling ?? cancelReasonAround(node);
}

/** The same, because of something around it alone: what ran out of time itself may be tried again. */
export function cancelReasonAround(node: RunNode): Stop | undefined {
  let isShielded = false;
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (!isShielded && isUnderFinally(at)) {
      isShielded = true;
      const { closing } = parent.inside as WorkflowInside;
      if (closing?.cancelling !== undefined) return closing.cancelling.below;
    }
    if (parent.cancelling !== undefined && (!isShielded || parent.cancelling.forced)) return parent.cancelling.below;
    const stopping = isShielded ? undefined : stoppingIn(parent);
    if (stopping?.rollback) return { cause: "cancelled", message: stopping.message };
    const exceeded = isShielded ? undefined : parent.budget?.exceeded;
    if (exceeded?.action === "rollback") return { cause: "cancelled", message: exceeded.message };
  }
  return undefined;
}

/** Why nothing more starts in what holds blocks, if that is so. */
export function stoppingIn({ inside }: RunNode): Stopping | undefined {
  return inside.kind === "workflow" ? inside.stopping : undefined;
}

/** Whether a node is one of the blocks under `finally` of its workflow. */
export function isUnderFinally({ block, parent }: RunNode): boolean {
  return block !== undefined && parent?.inside.kind === "workflow" && block.index >= parent.inside.plan.mainBlocks;
}

/** Whether it is one of those, or lies anywhere inside one. */
export function isInFinally(node: RunNode): boolean {
  for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) if (isUnderFinally(at)) return true;
  return false;
}

/**
 * Whether anything in a node may start when another one inside it goes on or is given up. In what is being ended nothing does, but
 * for `finally` of the workflows between the two.
 */
export function mayStartIn(node: RunNode, inner: RunNode): boolean {
  if (cancelReason(node) === undefined || cancelReason(inner) === undefined) return true;
  for (let at = inner; ; at = at.parent) {
    const { inside } = at;
    const first = inside.kind === "workflow" && !inside.closing ? inside.children[inside.plan.mainBlocks] : undefined;
    if (first !== undefined && cancelReason(first) === undefined) return true;
    if (at === node || at.parent === undefined) return false;
  }
}

/** Whether a node is another one or lies anywhere inside it. */
export function isWithin(node: RunNode, ancestor: RunNode): boolean {
  for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) if (at === ancestor) return true;
  return false;
}

/** Whether what runs for the block are passes, which are nodes of their own. */
export function isLoop({ block, element }: RunNode): boolean {
  if (block === undefined || element !== undefined) return false;
  return block.definition.forEach !== undefined || block.definition.repeat !== undefined;
}

/** Whether a rollback does not go back past it once it has succeeded. */
export function isCommitPoint({ block, element }: RunNode): boolean {
  return block?.definition.commitPoint === true && element === undefined;
}

/** Whether a node holds only what is over: an attempt, or the passes before the one that is to begin. */
export function isBetween({ stage, inside }: RunNode): boolean {
  if (stage.kind !== "woken") return stage.kind === "sleeping";
  const next = inside.kind === "loop" ? inside.passes.at(-1) : undefined;
  return stage.about === "retry" || (next !== undefined && !hasBegun(next));
}

/** Whether it waits for its next pass. */
export function isRepeating({ stage }: RunNode): boolean {
  return (stage.kind === "sleeping" || stage.kind === "woken") && stage.about === "repeat";
}

/** Blocks with nothing inside them are what takes time, so only they hold slots; nested loops can't starve each other. */
export function isLeaf(node: RunNode): boolean {
  return node.block?.definition.type.behaviour.kind === "leaf" && !isLoop(node);
}

/** From the nearest on, each workflow or group in which expressions of a node can read blocks, as far as its own workflow. */
export function* scopesAround({ workflow }: RunNode): Generator<RunNode> {
  for (let at = workflow; ; at = at.workflow) {
    yield at;
    if (!(at.inside as WorkflowInside).isGroup) return;
  }
}

/** Whether anything of the node has happened yet. */
export function hasBegun({ record }: RunNode): boolean {
  return record.metadata.status !== "pending";
}

/** Whether something in it did anything itself in this run, and is no result of another. */
export function hasActed(node: RunNode): boolean {
  const { metadata } = node.record;
  if (metadata.reused === true) return false;
  const inner = childNodes(node);
  return inner.length === 0 ? isLeaf(node) && metadata.attempts > 0 : inner.some(hasActed);
}

/** The question of a node that waits for its answer. */
export function questionOf({ stage }: RunNode): Asking | undefined {
  return stage.kind === "asking" ? stage : undefined;
}

/**
 * The number of the attempt for which a block's inputs are resolved: the next one, unless it has begun and only goes on.
 */
export function currentAttempt({ stage, record, inside }: RunNode): number {
  const { attempts } = record.metadata;
  switch (stage.kind) {
    case "waiting":
      return inside.kind === "leaf" ? attempts + 1 : attempts;
    case "interrupted":
      return attempts + 1;
    case "decided":
      return stage.decision === "rerun" ? attempts + 1 : attempts;
    case "sleeping":
    case "woken":
      return stage.about === "retry" ? attempts + 1 : attempts;
    default:
      return attempts;
  }
}

/** How each attempt of a node that has ended went; of one that was never tried there are none. */
export function attemptHistory({ earlier, attemptAt, attemptSpend, record }: RunNode): ValueMap[] {
  const { status, outcome, message, completed_at, attempts } = record.metadata;
  const all: ValueMap[] = earlier.map(({ ending, startedAt, endedAt, spend }) => ({
    status: ending.status,
    outcome: ending.outcome,
    message: ending.message,
    started_at: startedAt,
    completed_at: endedAt,
    ...spendValue(spend),
  }));
  // Between two attempts there is no other.
  if (attemptAt === undefined || completed_at === null || earlier.length >= attempts) return all;
  return [...all, { status, outcome, message, started_at: attemptAt, completed_at, ...spendValue(attemptSpend) }];
}

function spendValue(spend: Spend | undefined): ValueMap {
  return spend === undefined ? {} : { spend: { ...spend } };
}

/**
 * Where a node stands among the attempts around it: `deploy@2/build` is the build of the second attempt at deploy. A block's
 * own attempts are not in it.
 */
export function addressWithin(node: RunNode): string {
  if (node.parent === undefined) return "";
  const around = attemptAddress(node.parent);
  return childPath(around, node.key);
}

/** The same with the node's own attempt, where that is not the first. */
export function attemptAddress(node: RunNode, attempt: number = node.record.metadata.attempts): string {
  const address = addressWithin(node);
  return attempt > 1 && node.parent !== undefined ? `${address}@${attempt}` : address;
}

/** The one attempt at a node that is meant, also where it is the first. */
export function exactAddress(node: RunNode): string {
  if (node.parent === undefined) return "";
  return `${childPath(exactAddress(node.parent), node.key)}@${Math.max(1, node.record.metadata.attempts)}`;
}

/** The nodes directly inside a node. */
export function childNodes({ inside }: RunNode): readonly RunNode[] {
  if (inside.kind === "workflow") return inside.children;
  return inside.kind === "loop" ? inside.passes : [];
}

/** The status to show: what holds blocks is paused when nothing in it can go on without an answer. */
export function shownStatus(node: RunNode): Status {
  const { status } = node.record.metadata;
  const children = childNodes(node);
  if (status !== "running" || children.length === 0) return status;
  const states = children.map(shownStatus);
  return states.includes("paused") && !states.includes("running") ? "paused" : "running";
}
