/** What every execution says about itself, whatever it is: a run, a block, a nested workflow or one pass of a loop. */
export const executionMetadataFields = [
  "status",
  "outcome",
  "succeeded",
  "failed",
  "skipped",
  "message",
  "error",
  "execution_time_ms",
  "started_at",
  "completed_at",
  "wave",
  "execution_order",
  "attempts",
  "attempt_history",
  "wake_at",
  "spend",
] as const;

/** What `spend` is made of. */
export const spendFields: readonly string[] = ["usd", "tokens", "unpriced"];

/** What a run or a nested workflow says beyond that. */
export const workflowMetadataFields = [
  "run_id",
  "workflow_name",
  "start_time",
  "total_blocks",
  "execution_waves",
] as const;

/** What a run knows of itself before it has begun. `execution_id` is another name of `run_id`. */
export const earlyMetadataFields: readonly string[] = ["workflow_name", "start_time", "run_id", "execution_id"];

/** What `${metadata.*}` offers inside a workflow while it runs. */
export const scopeMetadataFields: readonly string[] = [...earlyMetadataFields, "idempotency_key", "attempt"];

/** Reached on a block without `.metadata`; they win over an output of the same name. */
export const stateShortcuts = ["succeeded", "failed", "skipped", "status", "outcome", "error"] as const;
export type StateShortcut = (typeof stateShortcuts)[number];

export function isStateShortcut(name: string | number | null | undefined): name is StateShortcut {
  return (stateShortcuts as readonly (string | number | null | undefined)[]).includes(name);
}

/** What `status` and `outcome` can be. */
export const statuses = ["pending", "running", "completed", "failed", "skipped", "paused"] as const;
export const outcomes = ["success", "failure", "n/a"] as const;
