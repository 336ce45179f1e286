import { defined } from "../util/defined.ts";
import type { BudgetExceeded } from "./budget-events.ts";
import type { EventRecorder } from "./event-recorder.ts";
import { type Stop, timedOut } from "./execution.ts";
import { failureAction, standsNow } from "./failure-actions.ts";
import { resolveCall } from "./prepare-block.ts";
import type { ProcessGate } from "./process-gate.ts";
import { cancelReason, isWithin, type RunNode } from "./run-node.ts";
import type { RunningLeaves } from "./running-leaves.ts";
import type { Scheduler } from "./scheduler.ts";
import { WorkflowScope } from "./scope.ts";
import type { RunState } from "./state.ts";
import type { TimeLimits } from "./time-limits.ts";
import type { Turns } from "./turns.ts";

/** Seconds for `finally` when what came before was ended early, unless the workflow says otherwise. */
const finallySeconds = 30;

type ExceededBudget = Omit<BudgetExceeded, "type" | "at" | "path">;

interface Parts {
  readonly state: RunState;
  readonly recorder: EventRecorder;
  readonly scheduler: Scheduler;
  readonly leaves: RunningLeaves;
  readonly limits: TimeLimits;
  readonly gate: ProcessGate;
  readonly turns: Turns;
}

/** Ends things before their own end: a run that is cancelled, and what runs longer than it may. */
export class EarlyEnds {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Asked for again, what is under `finally` ends as well; after a time limit it takes two to ask for that too. */
  cancelRun({ cause, message }: Stop): void {
    const { state, recorder } = this.#parts;
    const { root, finished, cancelRequested } = state;
    if (finished !== undefined) return;
    const isEnding = root.cancelling !== undefined;
    if (isEnding && (cause !== "cancelled" || root.cancelling?.forced === true || !hasFinally(state))) return;
    recorder.resumeRun();
    const forced = cancelRequested ? ({ forced: true } as const) : {};
    recorder.append({ type: "run-cancelling", at: recorder.now(), message, cause, ...forced });
    this.#stopBelow(root);
  }

  /** Blocks have failed that stop what is around them. */
  stopForFailures(): void {
    const { state, recorder } = this.#parts;
    for (const failed of [...state.failures]) {
      const { parent } = failed;
      if (parent === undefined || !state.failures.has(failed) || !standsNow(failed)) continue;
      const rollback = failureAction(failed) === "rollback";
      const at = recorder.now();
      recorder.append({ type: "workflow-stopping", at, path: parent.path, because: failed.path, rollback });
      if (rollback) this.#stopBelow(parent);
    }
  }

  /** Nothing else starts in what has the budget; unless a person is to be asked, what can't start ends. */
  exceedBudget(scope: RunNode, { limit, most, used, needs, block, action, by }: ExceededBudget): void {
    const { recorder } = this.#parts;
    const told = { limit, most, used, needs, block, action, ...defined({ by }) };
    recorder.append({ type: "budget-exceeded", at: recorder.now(), path: scope.path, ...told });
    if (action === "rollback") this.#stopBelow(scope);
  }

  /** A workflow's own time limit, and that of the block it runs for, end everything below it. */
  limitTime(node: RunNode, ofBlock: number | undefined): void {
    const { limits, turns } = this.#parts;
    limits.limit(node, ofBlock, (seconds) => turns.tell(() => this.#stopEarly(node, timedOut(seconds))));
  }

  #stopEarly(node: RunNode, stop: Stop): void {
    const { state, recorder } = this.#parts;
    // What it was a limit of may be over by now: it is between two attempts, or only `finally` is left.
    if (node.ended || node.stage.kind === "sleeping" || state.closing.has(node)) return;
    if (node.parent === undefined) return this.cancelRun(stop);
    recorder.append({ type: "block-cancelling", at: recorder.now(), path: node.path, ...stop });
    this.#stopBelow(node);
  }

  /** To be called when `finally` begins, and when something around it is ended early meanwhile. */
  limitFinally(node: RunNode): void {
    const { inside } = node;
    const { state, limits, turns, recorder } = this.#parts;
    if (!state.closing.has(node) || inside.kind !== "workflow" || inside.closing?.cancelling !== undefined) return;
    const hurry = cancelReason(node) === undefined ? undefined : finallySeconds;
    const seconds = inside.plan.definition.finallyTimeout ?? hurry;
    if (seconds === undefined) return;
    limits.limitFinally(node, seconds, () =>
      turns.tell(() => {
        if (!state.closing.has(node)) return;
        recorder.append({ type: "block-cancelling", at: recorder.now(), path: node.path, ...timedOut(seconds) });
        this.#stopBelow(node);
      }),
    );
  }

  /** What holds blocks and had begun before this runner did has used some of its time; it stands still while it is quiet. */
  restoreLimit(node: RunNode): void {
    const { state, limits, scheduler } = this.#parts;
    if (state.closing.has(node)) return this.limitFinally(node);
    if (node.ended || node.cancelling !== undefined || node.inside.kind !== "workflow") return;
    if (node.stage.kind === "sleeping" || node.stage.kind === "woken") return;
    const { definition } = node.block ?? {};
    const scope = definition === undefined ? undefined : WorkflowScope.ofBlock(node, state.started.runId);
    const call = definition === undefined || scope === undefined ? undefined : resolveCall(definition, scope);
    this.limitTime(node, call?.ok ? call.value.timeoutSeconds : undefined);
    limits.pauseAround(node, (at) => scheduler.isQuiet(at));
  }

  #stopBelow(node: RunNode): void {
    const { leaves, gate, state } = this.#parts;
    leaves.stopWithin(node);
    gate.dismissWaiting();
    for (const closing of state.closing) if (isWithin(closing, node)) this.limitFinally(closing);
  }
}

/** Whether anything in the run that has not ended has blocks under `finally`. */
export function hasFinally({ nodes }: RunState): boolean {
  for (const { ended, inside } of nodes.values()) {
    if (!ended && inside.kind === "workflow" && inside.plan.mainBlocks < inside.plan.blocks.length) return true;
  }
  return false;
}
