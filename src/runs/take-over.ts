import type { Catalog } from "../block/catalog.ts";
import type { OnInterrupted } from "../block/define-block.ts";
import type { ProcessIdentity } from "../block/ports.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { hasFinally } from "../engine/early-ends.ts";
import type { RunEvent } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";
import type { RunSummary } from "../journal/journal.ts";
import type { Lease } from "../journal/owner.ts";
import { noRules, refuseForbidden } from "../library/engine-rules.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { describeWorkers, refuseElsewhere } from "./choose-queue.ts";
import { compareAgain } from "./compare-runs.ts";
import { DrivenRun, type RunListener } from "./driven-run.ts";
import { findChanges } from "./find-changes.ts";
import { makeWorkspace, needsWorkspace } from "./make-workspace.ts";
import type { Platform } from "./platform.ts";
import { findRun, isHeld, type RestoredRun, restoreRun } from "./read-run.ts";
import { refuseWithoutSecrets } from "./refuse-without-secrets.ts";
import type { Driving } from "./run-observer.ts";
import type { Runtime } from "./runtime.ts";

export interface TakeOverOptions extends RunListener {
  readonly onInterrupted?: OnInterrupted;
  /** Only workers drive runs that have a queue. */
  readonly driver?: "worker";
  /** Ends the making of a workspace; the run stays as it is then. */
  readonly signal?: AbortSignal;
  /** The run as the caller has just found it: should another process have taken it since, it can't be claimed. */
  readonly found?: RunSummary;
}

/**
 * Takes a run that nobody drives, so that this process can go on with it. A run whose owner lives is left alone, whatever its
 * owner does. One that workers drive, or whose files lie on another machine, is taken only to record an answer or its end, and is
 * left to them with that; it is ended here if nothing of it has to run for that.
 */
export async function takeOver(
  runtime: Runtime,
  runId: string,
  options: TakeOverOptions,
  purpose: "to go on" | "to answer" | "to end it" = "to go on",
): Promise<Result<DrivenRun, Problem>> {
  const { platform, workflows } = runtime;
  const found = options.found === undefined ? await findRun(platform, runId) : ok(options.found);
  if (!found.ok) return found;
  const { status, lease, fence: seenFence, queue } = found.value;
  if (status === "success" || status === "failure") return err(endedAlready(runId));
  const isForWorkers = queue !== null && options.driver !== "worker";
  const unreachable = isForWorkers ? refuseUnreachable(found.value, runtime) : undefined;
  if (unreachable !== undefined) return err(unreachable);
  const elsewhere = queue === null ? refuseElsewhere(found.value, platform.host) : undefined;
  const isForOthers = isForWorkers || elsewhere !== undefined;
  if (isForOthers && purpose === "to go on") return err(elsewhere ?? leftToWorkers(found.value));
  if (lease !== undefined && isHeld(found.value, platform)) {
    return err(drivenElsewhere(runId, describeOwner(lease, platform.host)));
  }
  const journal = await platform.journal();
  // Before it is claimed: a run that can't be read, or is forbidden, stays as it is.
  const seen = await restoreRun(platform, workflows.catalog, found.value);
  if (!seen.ok) return seen;
  if (purpose !== "to end it" && workflows.rules !== noRules) {
    const refused = refuseForbidden(seen.value.state, workflows.catalog, workflows.rules);
    if (refused !== undefined) return err(refused);
  }
  const fence = await journal.claim(runId, seenFence, platform.owners.self);
  if (fence === undefined) return err(drivenElsewhere(runId));
  let restored = await restoreFresh(platform, workflows.catalog, found.value, seen.value);
  if (!restored.ok) {
    await journal.abandon(runId, fence);
    return restored;
  }
  platform.logs.shared?.claim(runId);
  if (lease !== undefined) await platform.processes.endLeftovers(processesOf(restored.value.state));
  if (queue !== null && options.driver === "worker") {
    const lacks = await refuseWithoutSecrets(runtime, restored.value, fence);
    if (lacks !== undefined) return err(endedHere(lacks));
  }
  if (purpose === "to go on" && needsWorkspace(restored.value)) {
    const made = await makeWorkspace(platform, restored.value, fence, options.signal).catch(async (error: unknown) => {
      await journal.abandon(runId, fence).catch(() => {});
      throw error;
    });
    if (!made.ok) return made;
    if (made.value.kind === "ended") return err(endedHere(made.value.message));
    if (made.value.kind === "lost") return err(drivenElsewhere(runId));
    restored = await restoreRun(platform, workflows.catalog, found.value);
    if (!restored.ok) return restored;
  }
  const { events, state } = restored.value;
  options.onPastEvents?.(events);
  const { onInterrupted } = options;
  const onlyRecords = isForOthers && (purpose === "to answer" || needsDriverToEnd(state));
  const isDriven = purpose !== "to end it" && !onlyRecords;
  const reuse = isDriven ? await compareAgain(state, platform, workflows.catalog) : undefined;
  const held = {
    journal,
    state,
    past: events,
    driving: drivingOf(events, lease !== undefined, isForOthers),
    // Nothing is decided here about interrupted blocks of a run that others drive.
    ...(isForOthers
      ? {}
      : { findChanges: (signal: AbortSignal) => findChanges(state, events, platform.files, signal) }),
    fence,
    isResumed: true,
    onlyRecords,
    ...defined({ onInterrupted, reuse }),
  };
  return ok(new DrivenRun(runtime, held, options));
}

function drivingOf(past: readonly RunEvent[], isLeft: boolean, isForOthers: boolean): Driving {
  if (isForOthers) return "goes-on";
  if (isLeft) return "takes-over";
  return past.some(({ type }) => type !== "run-started" && type !== "workspace-made") ? "goes-on" : "begins";
}

/** Whether something of a run has to be done on the machine that has its files before it can end. */
function needsDriverToEnd(state: RunState): boolean {
  if (hasFinally(state)) return true;
  for (const { ended, rollback } of state.nodes.values()) if (!ended && rollback !== undefined) return true;
  return false;
}

/** What was seen before the claim, unless its owner has recorded more in between; where nobody held it, nobody could. */
async function restoreFresh(
  platform: Platform,
  catalog: Catalog,
  summary: RunSummary,
  seen: RestoredRun,
): Promise<Result<RestoredRun, Problem>> {
  if (summary.lease === undefined && summary.sequence === seen.events.length) return ok(seen);
  const fresh = await (await platform.journal()).read(summary.runId, seen.events.length);
  return fresh.length === 0 ? ok(seen) : restoreRun(platform, catalog, summary);
}

const leftToWorkersCode = "left-to-workers";

function leftToWorkers({ runId, queue, host }: RunSummary): Problem {
  const message = `${runId} is not driven here: it is for ${describeWorkers(queue, host)}.`;
  return problem(leftToWorkersCode, message, { kind: "end-run", runId });
}

/** Why nothing can be asked of a run that workers drive, if this process can't reach them. */
export function refuseUnreachable({ runId, queue }: RunSummary, { platform }: Runtime): Problem | undefined {
  if (queue === null || platform.dispatch !== undefined) return undefined;
  return problem(
    "no-dispatch",
    `${runId} is driven by workers, and this process can't reach them.`,
    "Set FROND_DATABASE_URL to the database that the workers use.",
  );
}

export const endedCode = "run-ended";
export const drivenElsewhereCode = "driven-elsewhere";

export function endedAlready(runId: string): Problem {
  return problem(endedCode, `${runId} has ended.`, { kind: "run-again", runId });
}

/** What who has just taken a run gets that could not begin, and has ended for that. */
export const endedHereCode = "run-ended-here";

function endedHere(why: string): Problem {
  return problem(endedHereCode, why);
}

function drivenElsewhere(runId: string, by = "another process"): Problem {
  return problem(drivenElsewhereCode, `${runId} is running, in ${by}.`, { kind: "end-run", runId });
}

/** `process 12 on build-1`, as somebody on a machine would say it. */
export function describeOwner({ owner }: Lease, here: string): string {
  const { host = here, pid } = owner;
  return `process ${pid}${host === here ? "" : ` on ${host}`}`;
}

/** Commands that the dead owner is known to have started: also of blocks that have ended, which may have left some running. */
function processesOf({ nodes }: RunState): ProcessIdentity[] {
  const all: ProcessIdentity[] = [];
  for (const { processes } of nodes.values()) all.push(...processes);
  return all;
}
