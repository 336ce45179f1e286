import type { RunLimits } from "../engine/limits.ts";
import type { RunnerOptions } from "../engine/runner-options.ts";
import type { Workflows } from "../library/workflows.ts";
import type { Platform } from "./platform.ts";

/** What the use cases work with: the workflows that can be called from one workspace, and the outside. */
export interface Runtime {
  readonly workflows: Workflows;
  readonly platform: Platform;
  readonly maxDepth: number;
  readonly limits: RunLimits;
  /** For tests of workflows: see `RunnerOptions`. */
  readonly standIn?: RunnerOptions["standIn"];
}
