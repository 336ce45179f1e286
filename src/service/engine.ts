import type { RunLimits } from "../run/limits.ts";
import type { RunnerOptions } from "../run/runner-options.ts";
import type { Outside } from "./outside.ts";
import type { Workflows } from "./workflows.ts";

/** What the use cases work with: the workflows that can be called from one workspace, and the outside. */
export interface Engine {
  readonly workflows: Workflows;
  readonly outside: Outside;
  readonly maxDepth: number;
  readonly limits: RunLimits;
  /** For tests of workflows: see `RunnerOptions`. */
  readonly standIn?: RunnerOptions["standIn"];
}
