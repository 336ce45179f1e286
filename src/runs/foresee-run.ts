import { type DryRun, dryRun } from "../engine/dry-run.ts";
import { findLate } from "../library/freeze-definitions.ts";
import type { Plan } from "../plan/plan.ts";
import { ok, type Result } from "../util/result.ts";
import { compareRuns } from "./compare-runs.ts";
import type { RunListener } from "./driven-run.ts";
import { realStateDirectory } from "./driven-run.ts";
import type { Runtime } from "./runtime.ts";
import { prepareStart, type StartOptions, type StartProblem } from "./start-run.ts";

export interface ForeseeOptions extends Omit<StartOptions, keyof RunListener | "idempotencyKey"> {
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** What a run would do. Nothing is changed, started or recorded, and no secret is looked up. */
export async function foreseeRun(
  runtime: Runtime,
  plan: Plan,
  options: ForeseeOptions,
): Promise<Result<DryRun, StartProblem>> {
  const { platform, workflows, limits } = runtime;
  const prepared = prepareStart(runtime, plan, options, true);
  if (!prepared.ok) return prepared;
  const { plans, made } = prepared.value;
  const started = { ...prepared.value.started, ...(made && { workspace: made.workspace }) };
  const { rerun } = options;
  return ok(
    await dryRun(started, plans, {
      platform,
      limits,
      stateDirectory: realStateDirectory(platform),
      findLate: (name) => findLate(workflows, name),
      signal: options.signal,
      ...(rerun?.reuse === undefined
        ? {}
        : { reuse: (state) => compareRuns(rerun.before, state, platform, workflows.catalog) }),
    }),
  );
}
