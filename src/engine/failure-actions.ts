import type { OnFailure } from "../definition/workflow-definition.ts";
import type { Ending } from "./execution.ts";
import { cancelReason, hasBegun, isUnderFinally, type RunNode } from "./run-node.ts";
import { weighFailures } from "./weigh-failures.ts";

/** What the author wants when the block fails, from the mildest to the most thorough. */
const order: readonly OnFailure[] = ["continue", "rollback_block", "stop", "rollback"];

/**
 * What a failed block does to what is around it. What a block inside a group asks for goes on outwards with the failure of the group,
 * so that whoever handles that failure handles this too.
 */
export function failureAction(node: RunNode): OnFailure {
  const { block } = node;
  if (block === undefined) return "continue";
  const { definition, onFailure } = block;
  if (definition.onFailure !== undefined || definition.allowFailure === true) return onFailure;
  const inner = failedInGroup(node).map(failureAction);
  return inner.reduce((one, other) => (order.indexOf(one) > order.indexOf(other) ? one : other), onFailure);
}

/** The blocks of the same file inside a group, or inside passes of a loop over one, that have failed and may not. */
function failedInGroup(node: RunNode): readonly RunNode[] {
  const { inside } = node;
  if (inside.kind === "loop") return inside.passes.flatMap(failedInGroup);
  if (inside.kind !== "workflow" || !inside.isGroup) return [];
  const { crashed, standing } = weighFailures(inside, "main");
  return [...crashed, ...standing];
}

/** Whether a failed block is to stop what is around it, as soon as it is certain that nothing stands in for it. */
export function mayStopOthers(node: RunNode): boolean {
  if (node.parent?.inside.kind !== "workflow") return false;
  // What was ended from outside stops nothing itself.
  if (node.cause === "cancelled") return false;
  const action = failureAction(node);
  return action === "stop" || action === "rollback";
}

/**
 * Whether its failure stands: no block that asks how it went is still to be judged, and none runs because of it. Where one does, the
 * end of the workflow tells.
 */
export function standsNow(node: RunNode): boolean {
  if (node.record.metadata.status === "failed") return true;
  const { parent } = node;
  if (parent?.inside.kind !== "workflow") return false;
  const { children, ranBecauseOf } = parent.inside;
  if ((ranBecauseOf.get(node.key)?.size ?? 0) > 0) return false;
  const index = node.block?.index ?? -1;
  return children.every((child) => hasBegun(child) || isUnderFinally(child) || !child.block?.mentions.includes(index));
}

/** Whether what a node did is to be taken back before its ending is recorded. */
export function isToBeTakenBack(node: RunNode, ending: Ending, isTriedAgain: boolean): boolean {
  if (ending.outcome === "success" || !hasDoneAnything(node)) return false;
  if (node.budget?.exceeded?.action === "rollback") return true;
  return wantsRollback(node) || (isTriedAgain ? wantsRestore(node) : wantsOwnRollback(node));
}

/** Of a workflow: for a block of it, or because it was ended early as a whole. */
function wantsRollback(node: RunNode): boolean {
  const { inside } = node;
  if (inside.kind !== "workflow" || inside.isGroup) return false;
  if (cancelReason(node) !== undefined && inside.plan.definition.onFailure === "rollback") return true;
  const { crashed, standing } = weighFailures(inside, "main");
  return [...crashed, ...standing].some((child) => failureAction(child) === "rollback");
}

/** Of one attempt, so that the next one finds what this one found. */
function wantsRestore({ block }: RunNode): boolean {
  return block?.definition.retry?.restore === true;
}

/** Of a block that has failed for good, while the workflow goes on. A pass is a part of what its loop does. */
function wantsOwnRollback({ block, element }: RunNode): boolean {
  return element === undefined && block?.onFailure === "rollback_block";
}

function hasDoneAnything({ record }: RunNode): boolean {
  return record.metadata.attempts > 0;
}
