import type { Catalog } from "../block/catalog.ts";
import type { RunSummary } from "../journal/journal.ts";
import { restoreState } from "../run/restore-state.ts";
import type { RunState } from "../run/state.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Outside } from "./outside.ts";
import { type Problem, problem } from "./problem.ts";

/** One word for a run: `interrupted` when nobody drives it any more although it has neither ended nor paused. */
export type RunStatus = "success" | "failure" | "paused" | "running" | "interrupted";

/** A run as the journal has it. Reading it starts nothing and takes nothing over. */
export interface StoredRun {
  readonly summary: RunSummary;
  readonly status: RunStatus;
  readonly state: RunState;
}

export function statusOf(summary: RunSummary, outside: Outside): RunStatus {
  if (summary.status !== "running") return summary.status;
  return isHeld(summary, outside) ? "running" : "interrupted";
}

/** Whether a process drives the run, or is about to give it back. */
export function isHeld({ lease }: RunSummary, { owners }: Outside): boolean {
  return lease !== undefined && !owners.isGone(lease);
}

export async function findRun(outside: Outside, runId: string): Promise<Result<RunSummary, Problem>> {
  const summary = await (await outside.journal()).find(runId);
  return summary === undefined ? err(unknownRun(runId)) : ok(summary);
}

export async function readRun(outside: Outside, catalog: Catalog, runId: string): Promise<Result<StoredRun, Problem>> {
  const found = await findRun(outside, runId);
  if (!found.ok) return found;
  const events = await (await outside.journal()).read(runId);
  // What is read may be newer than the summary; the state tells the truth, and the summary who holds it.
  const state = await restoreState(events, catalog);
  const status = state.finished === undefined && !state.paused ? statusOf(found.value, outside) : restingStatus(state);
  return ok({ summary: found.value, status, state });
}

function restingStatus({ finished }: RunState): RunStatus {
  if (finished === undefined) return "paused";
  return finished.outcome === "success" ? "success" : "failure";
}

function unknownRun(runId: string): Problem {
  return problem("unknown-run", `There is no run '${runId}'.`);
}
