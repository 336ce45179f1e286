import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { RunBudget } from "../engine/events.ts";
import type { Runtime } from "./runtime.ts";

/** The budget that a run gets beside those in its texts. What takes back another run is never held back. */
export function budgetOf(
  asked: RunBudget | undefined,
  { budget: written }: WorkflowDefinition,
  { budgetUsd }: Pick<Runtime, "budgetUsd">,
  isUndo: boolean,
): RunBudget | undefined {
  if (isUndo) return undefined;
  const isLimited = asked?.maxCostUsd !== undefined || written?.maxCostUsd !== undefined;
  return isLimited || budgetUsd === undefined ? asked : { ...asked, maxCostUsd: budgetUsd };
}
