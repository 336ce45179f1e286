import type { RollbackResult } from "../engine/events.ts";
import type { RunLimits } from "../engine/limits.ts";
import type { RollbackRequest, RunnerOptions } from "../engine/runner-options.ts";
import type { Workflows } from "../library/workflows.ts";
import type { Platform } from "./platform.ts";

export type RollBack = (
  runtime: Runtime,
  runId: string,
  request: RollbackRequest,
  signal: AbortSignal,
) => Promise<RollbackResult>;

/** What the use cases work with: the workflows that can be called from one workspace, and the outside. */
export interface Runtime {
  readonly workflows: Workflows;
  readonly platform: Platform;
  readonly maxDepth: number;
  readonly limits: RunLimits;
  /** What a run may cost in US dollars whose workflow does not say it, if anybody has said it. */
  readonly budgetUsd?: number;
  /** Takes back a part of a run that is being driven, by a run of its own. Handed over, because that one is driven in the same way. */
  readonly rollBack: RollBack;
  /** For tests of workflows: see `RunnerOptions`. */
  readonly standIn?: RunnerOptions["standIn"];
}
