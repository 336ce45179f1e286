import { blocksWithHolders } from "../definition/all-blocks.ts";
import type { BlockDefinition, OnFailure, WorkflowDefinition } from "../definition/workflow-definition.ts";

/**
 * What the failure of a block leads to, once no attempt is left. `holders` are the groups around it, innermost first. The default of
 * the workflow does not reach into a group that has a word of its own about failures: that group is judged then, when it has ended.
 */
export function effectiveOnFailure(
  block: BlockDefinition,
  workflow: Pick<WorkflowDefinition, "onFailure">,
  holders: readonly BlockDefinition[] = [],
): OnFailure {
  // Nothing is rolled back for the sake of blocks under `finally`, and a failure that is allowed is an answer.
  if (block.allowFailure === true || [block, ...holders].some(({ isFinally }) => isFinally === true)) return "continue";
  if (block.onFailure !== undefined) return block.onFailure;
  return holders.some(decidesItself) ? "continue" : (workflow.onFailure ?? "continue");
}

function decidesItself({ onFailure, retry, allowFailure }: BlockDefinition): boolean {
  return onFailure !== undefined || retry !== undefined || allowFailure === true;
}

/** Whether the failure of some block, or an exceeded budget, leads to a rollback of the workflow. */
export function mayRollBack(workflow: WorkflowDefinition): boolean {
  if (workflow.budget?.onExceeded === "rollback") return true;
  for (const { block, holders } of blocksWithHolders(workflow)) {
    if (effectiveOnFailure(block, workflow, holders) === "rollback") return true;
  }
  return false;
}
