import type { Catalog } from "../block/catalog.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { restoreState } from "../engine/restore-state.ts";
import type { RunState } from "../engine/state.ts";
import type { RunSummary } from "../journal/journal.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Platform } from "./platform.ts";

/** One word for a run: `interrupted` when nobody drives it any more although it has neither ended nor paused. */
export type RunStatus = "success" | "failure" | "paused" | "running" | "interrupted";

/** A run as the journal has it. Reading it starts nothing and takes nothing over. */
export interface StoredRun {
  readonly summary: RunSummary;
  readonly status: RunStatus;
  readonly state: RunState;
}

export function statusOf(summary: RunSummary, platform: Platform): RunStatus {
  if (summary.status !== "running") return summary.status;
  return isHeld(summary, platform) ? "running" : "interrupted";
}

/** Whether a process drives the run, or is about to give it back. */
export function isHeld({ lease }: RunSummary, { owners }: Platform): boolean {
  return lease !== undefined && !owners.isGone(lease);
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
  const events = await (await platform.journal()).read(runId);
  // What is read may be newer than the summary; the state tells the truth, and the summary who holds it.
  const state = await restoreState(events, catalog);
  const status = state.finished === undefined && !state.paused ? statusOf(found.value, platform) : restingStatus(state);
  return ok({ summary: found.value, status, state });
}

function restingStatus({ finished }: RunState): RunStatus {
  if (finished === undefined) return "paused";
  return finished.outcome === "success" ? "success" : "failure";
}

function unknownRun(runId: string): Problem {
  return problem("unknown-run", `There is no run '${runId}'.`);
}
