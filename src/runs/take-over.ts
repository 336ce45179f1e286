import type { Catalog } from "../block/catalog.ts";
import type { OnInterrupted } from "../block/define-block.ts";
import type { ProcessIdentity } from "../block/ports.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { RunState } from "../engine/state.ts";
import type { RunSummary } from "../journal/journal.ts";
import type { Lease } from "../journal/owner.ts";
import { noRules, refuseForbidden } from "../library/engine-rules.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { compareAgain } from "./compare-runs.ts";
import { DrivenRun, type RunListener } from "./driven-run.ts";
import { findChanges } from "./find-changes.ts";
import type { Platform } from "./platform.ts";
import { findRun, isHeld, type RestoredRun, restoreRun } from "./read-run.ts";
import type { Runtime } from "./runtime.ts";

export interface TakeOverOptions extends RunListener {
  readonly onInterrupted?: OnInterrupted;
}

/**
 * Takes a run that nobody drives, so that this process can go on with it. A run whose owner lives is left alone, whatever its
 * owner does.
 */
export async function takeOver(
  runtime: Runtime,
  runId: string,
  options: TakeOverOptions,
  purpose: "to go on" | "to end it" = "to go on",
): Promise<Result<DrivenRun, Problem>> {
  const { platform, workflows } = runtime;
  const found = await findRun(platform, runId);
  if (!found.ok) return found;
  const { status, lease, fence: seenFence } = found.value;
  if (status === "success" || status === "failure") return err(endedAlready(runId));
  if (lease !== undefined && isHeld(found.value, platform)) return err(drivenElsewhere(runId, lease));
  const journal = await platform.journal();
  // Before it is claimed: a run that can't be read, or is forbidden, stays as it is.
  const seen = await restoreRun(platform, workflows.catalog, found.value);
  if (!seen.ok) return seen;
  if (purpose === "to go on" && workflows.rules !== noRules) {
    const refused = refuseForbidden(seen.value.state, workflows.catalog, workflows.rules);
    if (refused !== undefined) return err(refused);
  }
  const fence = await journal.claim(runId, seenFence, platform.owners.self);
  if (fence === undefined) return err(drivenElsewhere(runId));
  const restored = await restoreFresh(platform, workflows.catalog, found.value, seen.value);
  if (!restored.ok) {
    await journal.abandon(runId, fence);
    return restored;
  }
  const { events, state } = restored.value;
  if (lease !== undefined) await platform.processes.endLeftovers(processesOf(state));
  options.onPastEvents?.(events);
  const { onInterrupted } = options;
  const reuse = purpose === "to go on" ? await compareAgain(state, platform, workflows.catalog) : undefined;
  const held = {
    journal,
    state,
    past: events,
    findChanges: (signal: AbortSignal) => findChanges(state, events, platform.files, signal),
    fence,
    isResumed: true,
    ...defined({ onInterrupted, reuse }),
  };
  return ok(new DrivenRun(runtime, held, options));
}

/** What was seen before the claim, unless its owner has recorded more in between. */
async function restoreFresh(
  platform: Platform,
  catalog: Catalog,
  summary: RunSummary,
  seen: RestoredRun,
): Promise<Result<RestoredRun, Problem>> {
  const fresh = await (await platform.journal()).read(summary.runId, seen.events.length);
  return fresh.length === 0 ? ok(seen) : restoreRun(platform, catalog, summary);
}

export const endedCode = "run-ended";
export const drivenElsewhereCode = "driven-elsewhere";

export function endedAlready(runId: string): Problem {
  return problem(endedCode, `${runId} has ended.`, { kind: "run-again", runId });
}

function drivenElsewhere(runId: string, lease?: Lease): Problem {
  const by = lease === undefined ? "another process" : `process ${lease.owner.pid}`;
  return problem(drivenElsewhereCode, `${runId} is running, in ${by}.`, { kind: "end-run", runId });
}

/** Commands that the dead owner is known to have started: also of blocks that have ended, which may have left some running. */
function processesOf({ nodes }: RunState): ProcessIdentity[] {
  const all: ProcessIdentity[] = [];
  for (const { processes } of nodes.values()) all.push(...processes);
  return all;
}
