import { childNodes } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import { planTag } from "../plans/structured-plan.ts";
import { describeUndone } from "./describe-undone.ts";

/** What became of the steps of a plan. */
export interface StepCounts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Those of them whose changes were taken back, because a step failed. */
  readonly rolled_back: number;
}

/** Of a run whose workflow was a plan. */
export function countSteps(state: RunState): StepCounts | undefined {
  const { inside } = state.root;
  if (inside.kind !== "workflow" || !inside.plan.definition.tags.includes(planTag)) return undefined;
  const steps = childNodes(state.root).filter(({ block }) => block?.definition.isFinally !== true);
  const count = (is: "succeeded" | "failed" | "skipped"): number =>
    steps.filter(({ record, ended }) => ended && record.metadata[is]).length;
  const undone = describeUndone(state);
  const isWhole = undone.rollback !== undefined && undone.rollback.state !== "running";
  const alone = new Set(undone.rolled_back_blocks?.map(({ block }) => block));
  const back = steps.filter(({ path }) => state.changedBy.has(path) && (isWhole || alone.has(path)));
  return {
    total: steps.length,
    completed: count("succeeded"),
    failed: count("failed"),
    skipped: count("skipped"),
    rolled_back: back.length,
  };
}
