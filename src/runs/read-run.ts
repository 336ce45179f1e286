import type { Catalog } from "../block/catalog.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { RunEvent } from "../engine/events.ts";
import { type FoldListener, restoreState, type UnreadableEvents } from "../engine/restore-state.ts";
import type { RunState } from "../engine/state.ts";
import { JournalError, type RunSummary } from "../journal/journal.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Platform } from "./platform.ts";

/** One word for a run: nobody drives one that is `queued`, which a worker will take, or `interrupted`, which nobody will by itself. */
export type RunStatus = "success" | "failure" | "paused" | "sleeping" | "running" | "queued" | "interrupted";

/** A run as the journal has it. Reading it starts nothing and takes nothing over. */
export interface StoredRun {
  readonly summary: RunSummary;
  readonly status: RunStatus;
  readonly state: RunState;
}

export function statusOf(summary: RunSummary, platform: Platform): RunStatus {
  if (summary.status !== "running") return summary.status;
  if (isHeld(summary, platform)) return "running";
  return summary.queue === null ? "interrupted" : "queued";
}

/** Whether a process drives the run, or is about to give it back. */
export function isHeld({ lease }: RunSummary, { owners }: Platform): boolean {
  return lease !== undefined && !owners.isGone(lease);
}

/** Whether something in the run should have been woken by now, and nobody drives it. */
export function isOverdue(summary: RunSummary, platform: Platform): boolean {
  const { wakeAt } = summary;
  return wakeAt !== null && Date.parse(wakeAt) <= platform.clock.now().getTime() && !isHeld(summary, platform);
}

export async function findRun(platform: Platform, runId: string): Promise<Result<RunSummary, Problem>> {
  const summary = await (await platform.journal()).find(runId);
  return summary === undefined ? err(unknownRun(runId)) : ok(summary);
}

export async function readRun(
  platform: Platform,
  catalog: Catalog,
  runId: string,
): Promise<Result<StoredRun, Problem>> {
  const found = await findRun(platform, runId);
  if (!found.ok) return found;
  const restored = await restoreRun(platform, catalog, found.value);
  if (!restored.ok) return restored;
  // What is read may be newer than the summary; the state tells the truth, and the summary who holds it.
  const { state } = restored.value;
  const status = state.finished === undefined && !state.paused ? statusOf(found.value, platform) : restingStatus(state);
  return ok({ summary: found.value, status, state });
}

export interface RestoredRun {
  readonly events: readonly RunEvent[];
  readonly state: RunState;
}

/** What the journal has of a run, or why this program can't read it: that is a problem of this run alone. */
export async function restoreRun(
  platform: Platform,
  catalog: Catalog,
  summary: RunSummary,
  listen?: FoldListener,
): Promise<Result<RestoredRun, Problem>> {
  try {
    const events = await (await platform.journal()).read(summary.runId);
    // Removed since it was found.
    if (events.length === 0) return err(unknownRun(summary.runId));
    const state = await restoreState(events, catalog, listen);
    return state.ok ? ok({ events, state: state.value }) : err(unreadableRun(summary, state.error));
  } catch (error) {
    if (!(error instanceof JournalError) || error.code !== "damaged-run") throw error;
    return err(unreadableRun(summary, { kind: "damaged", reason: error.message }));
  }
}

export const unreadableCode = "unreadable-run";

export function unreadableRun({ runId, finishedAt }: RunSummary, { kind, reason }: UnreadableEvents): Problem {
  return problem(unreadableCode, `${runId} can't be read. ${reason}`, {
    kind: "give-up-run",
    runId,
    remedy: remedies[kind],
    hasEnded: finishedAt !== null,
  });
}

const remedies: Record<UnreadableEvents["kind"], string> = {
  newer: "Update Frond",
  outdated: "Use the version of Frond that started it",
  damaged: "Restore the journal from a copy",
};

function restingStatus({ finished, questions }: RunState): RunStatus {
  if (finished === undefined) return questions.size === 0 ? "sleeping" : "paused";
  return finished.outcome === "success" ? "success" : "failure";
}

function unknownRun(runId: string): Problem {
  return problem("unknown-run", `There is no run '${runId}'.`, { kind: "list-runs" });
}
