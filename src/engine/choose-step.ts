import { budgetStop } from "./budget-scope.ts";
import { cancelReason, isLeaf, type RunNode } from "./run-node.ts";
import { isInStoppedLoop, reasonToSkip, reasonToWithdraw } from "./skip-reasons.ts";
import type { Step } from "./step.ts";

/** What the scheduler knows of a node beside its state. */
export interface Desk {
  /** Judged and found fit to run. */
  isApproved(node: RunNode): boolean;
  takeSlot(node: RunNode): boolean;
  /** It is no longer to be withdrawn: that happens now, or what it waited for has come. */
  takeBack(node: RunNode): void;
}

/** What is to be done with a node whose turn it is. */
export function chooseStep(node: RunNode, desk: Desk): Step {
  const { stage } = node;
  desk.takeBack(node);
  switch (stage.kind) {
    case "waiting":
      return firstStep(node, desk);
    case "running":
      return { kind: "interrupted", node };
    case "interrupted":
      return stage.action === "rerun" ? nextStep(node, desk) : { kind: "interrupted", node };
    case "asking":
    case "sleeping":
      return { kind: "withdraw", node, reason: reasonToWithdraw(node) };
    case "answered":
    case "decided":
      return nextStep(node, desk);
    case "woken":
      return stage.about === "retry" ? nextAttempt(node, desk) : nextStep(node, desk);
    case "ended":
      throw new Error(`${node.path} has ended.`);
  }
}

function firstStep(node: RunNode, desk: Desk): Step {
  const reason = reasonToSkip(node);
  if (reason !== undefined) return { kind: "skip", node, reason };
  if (!desk.isApproved(node)) return { kind: "consider", node };
  return startStep(node, desk);
}

/** Of one that has begun already. */
function nextStep(node: RunNode, desk: Desk): Step {
  // An attempt that was answered has begun before the budget was exceeded, and goes on if there is room for the rest of it.
  const isOutOfBudget = node.stage.kind !== "answered" && budgetStop(node) !== undefined;
  if (cancelReason(node) !== undefined || isOutOfBudget) return withdraw(node);
  return desk.takeSlot(node) ? { kind: "resume", node } : { kind: "wait", node };
}

function nextAttempt(node: RunNode, desk: Desk): Step {
  const isPointless = cancelReason(node) !== undefined || isInStoppedLoop(node) || budgetStop(node) !== undefined;
  return isPointless ? withdraw(node) : startStep(node, desk);
}

function startStep(node: RunNode, desk: Desk): Step {
  return isLeaf(node) && !desk.takeSlot(node) ? { kind: "wait", node } : { kind: "start", node };
}

function withdraw(node: RunNode): Step {
  return { kind: "withdraw", node, reason: reasonToWithdraw(node) };
}
