import type { Spend } from "../block/spend.ts";
import { linesWithoutAdvice } from "../engine/failure-advice.ts";
import type { RunSummary, StatusWord } from "../journal/journal.ts";
import { eachRun } from "../runs/each-run.ts";
import type { Platform } from "../runs/platform.ts";
import { type RunStatus, statusOf } from "../runs/read-run.ts";
import { defined } from "../util/defined.ts";

/** How a run stands, as lists tell it: of those that failed, the ones that somebody ended are told apart. */
export type ListedStatus = RunStatus | "cancelled";

export const listedStatuses: readonly ListedStatus[] = [
  "success",
  "failure",
  "cancelled",
  "paused",
  "sleeping",
  "running",
  "queued",
  "interrupted",
];

export interface ListQuery {
  /** Any of these; all when absent. */
  readonly statuses?: readonly ListedStatus[];
  readonly workflows?: readonly string[];
  readonly limit?: number;
  /** Id of a run: only those that began before it. */
  readonly before?: string;
  /** Only those that began at this time or later, in milliseconds since 1970. */
  readonly since?: number;
  /** The same, or earlier. */
  readonly until?: number;
  /** Only those of which this is true: of the directory that they work in, and their id. */
  isWanted?(workspace: string, runId: string): boolean;
}

export interface RunList {
  readonly runs: readonly ListedRun[];
  /** What `before` is for the next page, when there is one. */
  readonly next?: string;
}

export interface ListedRun {
  readonly summary: RunSummary;
  readonly status: ListedStatus;
}

/** Newest first, from the summaries alone: no run is read, started or taken over. */
export async function listRuns(platform: Platform, query: ListQuery): Promise<RunList> {
  const { statuses = listedStatuses, workflows, limit = Number.POSITIVE_INFINITY, before } = query;
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = query;
  const [only, ...others] = workflows ?? [];
  const stored = eachRun(await platform.journal(), {
    statuses: [...new Set(statuses.map(storedStatus))],
    ...(only === undefined || others.length > 0 ? {} : { workflow: only }),
    ...defined({ before }),
  });
  const runs: ListedRun[] = [];
  for await (const summary of stored) {
    if (workflows !== undefined && !workflows.includes(summary.workflow)) continue;
    if (query.isWanted?.(summary.workspace, summary.runId) === false) continue;
    const startedAt = Date.parse(summary.startedAt);
    if (startedAt < since || startedAt > until) continue;
    const status = listedStatus(summary, platform);
    if (!statuses.includes(status)) continue;
    const last = runs.at(-1);
    if (runs.length >= limit && last !== undefined) return { runs, next: last.summary.runId };
    runs.push({ summary, status });
  }
  return { runs };
}

/** What nobody drives the journal can't tell, because nobody was left to write it down. */
function storedStatus(status: ListedStatus): StatusWord {
  if (status === "cancelled") return "failure";
  return status === "interrupted" || status === "queued" ? "running" : status;
}

export function listedStatus(summary: RunSummary, platform: Platform): ListedStatus {
  const status = statusOf(summary, platform);
  return status === "failure" && summary.cancelled ? "cancelled" : status;
}

/** Why it failed, a line each; what its workflow should say instead is told where one run is looked at. */
export function reasonsOf({ error }: RunSummary): string[] {
  return error === null ? [] : linesWithoutAdvice(error);
}

/** A run in a list, as data. */
export interface RunData {
  readonly run_id: string;
  readonly workflow: string;
  readonly status: ListedStatus;
  readonly started_at: string;
  readonly finished_at: string | null;
  /** From its start to its end, with the time it waited; null until then. */
  readonly duration_ms: number | null;
  readonly error?: string;
  /** What of it can't be read. */
  readonly damage?: string;
  /** Ids of the questions that wait for an answer. */
  readonly pending: readonly string[];
  /** When it goes on by itself. */
  readonly wake_at?: string;
  /** What it had cost when it ended, or last came to rest. */
  readonly spend?: Spend;
  readonly workspace: string;
  readonly started_by?: string;
  readonly rerun_of?: string;
  /** The run that it takes back. */
  readonly undo_of?: string;
}

export function describeListed({ summary, status }: ListedRun): RunData {
  const { runId, workflow, startedAt, finishedAt, durationMs, error, questions, wakeAt, spend, damage } = summary;
  const { workspace, startedBy, rerunOf, undoOf } = summary;
  return {
    run_id: runId,
    workflow,
    status,
    started_at: startedAt,
    finished_at: finishedAt,
    duration_ms: durationMs,
    ...(error === null ? {} : { error }),
    ...defined({ damage }),
    pending: questions.map(({ id }) => id),
    ...(wakeAt === null ? {} : { wake_at: wakeAt }),
    ...(spend === null ? {} : { spend }),
    workspace,
    ...(startedBy === null ? {} : { started_by: startedBy }),
    ...(rerunOf === null ? {} : { rerun_of: rerunOf }),
    ...(undoOf === null ? {} : { undo_of: undoOf }),
  };
}
