import { budgetStop } from "./budget-scope.ts";
import type { SkipReason } from "./events.ts";
import { judgeDependencies } from "./judge.ts";
import { cancelReason, isUnderFinally, type RunNode, stoppingIn } from "./run-node.ts";

const loopStopped = "an earlier element failed and on_error is stop";

export function isInStoppedLoop(node: RunNode): boolean {
  for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) {
    if (at.inside.kind === "loop" && at.inside.stopped) return true;
    if (isUnderFinally(at)) return false;
  }
  return false;
}

/** Whether it waits for its next attempt or pass, or for room in a budget, and none is to begin any more. */
export function isOutOfBudget(node: RunNode): boolean {
  const { stage } = node;
  const isToBegin =
    (stage.kind === "sleeping" && stage.about !== "block") || (stage.kind === "asking" && stage.about === "budget");
  return isToBegin && budgetStop(node) !== undefined;
}

/** Why a block that waits need not wait any more. */
export function reasonToWithdraw(node: RunNode): SkipReason {
  const cancelled = cancelReason(node);
  if (cancelled !== undefined) return { kind: "cancelled", message: cancelled.message };
  const exceeded = budgetStop(node);
  return exceeded === undefined
    ? { kind: "loop-stopped", message: loopStopped }
    : { kind: "stopped", message: exceeded.message };
}

/** Why a block that could begin now must not, if that is so. */
export function reasonToSkip(node: RunNode): SkipReason | undefined {
  const cancelled = cancelReason(node);
  if (cancelled !== undefined) return { kind: "cancelled", message: `Not started: ${cancelled.message}.` };
  const exceeded = budgetStop(node);
  if (exceeded !== undefined) return { kind: "stopped", message: `Not started: ${exceeded.message}.` };
  const { parent } = node;
  if (node.element === undefined) {
    const stopping = parent === undefined || isUnderFinally(node) ? undefined : stoppingIn(parent);
    if (stopping !== undefined) return { kind: "stopped", message: `Not started: ${stopping.message}.` };
    return judgeDependencies(node);
  }
  // A pass is handed out before its loop is woken only if nobody is to wait for that any more.
  const isStopped = parent?.inside.kind === "loop" && (parent.inside.stopped || parent.stage.kind === "sleeping");
  return isStopped ? { kind: "loop-stopped", message: `Not started: ${loopStopped}.` } : undefined;
}
