import { formatUsd } from "../../block/spend.ts";
import type { RunSummary } from "../../journal/journal.ts";
import { describeWait } from "../../runs/choose-queue.ts";
import { defined } from "../../util/defined.ts";
import { type ListedRun, type ListedStatus, reasonsOf } from "../list-runs.ts";
import type { PageSpend, PageStanding, RunLine } from "./page-records.ts";
import { plainMessage } from "./plain-message.ts";

const standings: Readonly<Record<ListedStatus, PageStanding>> = {
  success: "done",
  failure: "failed",
  cancelled: "cancelled",
  paused: "asks",
  sleeping: "sleeping",
  running: "running",
  queued: "to_come",
  interrupted: "interrupted",
};

const goesOn: readonly ListedStatus[] = ["running", "sleeping"];

/** How far a run has come that goes on. */
export interface Progress {
  /** How many of its blocks have ended. */
  readonly ended: number;
  readonly total: number;
  /** In dollars. */
  readonly usd?: number | undefined;
}

/** A run as a line of the list, from its summary alone; of one that goes on, how far it has come where that is known. */
export function describeLine({ summary, status }: ListedRun, progress?: Progress): RunLine {
  const { runId, workflow, startedAt, finishedAt, durationMs, questions, wakeAt, spend } = summary;
  const { workspace, label, startedBy, rerunOf, undoOf, sequence } = summary;
  const usd = progress?.usd ?? spend?.usd;
  return {
    run_id: runId,
    workflow,
    // Some of its blocks may go on meanwhile: somebody is waited for all the same.
    standing: questions.length > 0 && goesOn.includes(status) ? "asks" : standings[status],
    says: say(summary, status, progress),
    started_at: startedAt,
    finished_at: finishedAt,
    duration_ms: status === "interrupted" ? Date.parse(summary.updatedAt) - Date.parse(startedAt) : durationMs,
    questions: questions.map(({ id }) => id),
    workspace,
    sequence,
    ...defined({
      label: label ?? undefined,
      started_by: startedBy ?? undefined,
      spend: usd === undefined ? undefined : describeSpend(usd),
      wake_at: wakeAt ?? undefined,
      rerun_of: rerunOf ?? undefined,
      undo_of: undoOf ?? undefined,
    }),
  };
}

/** The same of a run that another one has taken back. */
export function describeUndoneLine(line: RunLine, undo: RunLine): RunLine {
  const says = undo.finished_at === null ? "Undone." : `Undone at <${undo.finished_at}>.`;
  return { ...line, standing: "undone", says, undone_by: undo.run_id };
}

export function describeSpend(usd: number): PageSpend {
  return { text: formatUsd(usd), usd };
}

function say(summary: RunSummary, status: ListedStatus, progress: Progress | undefined): string {
  const { damage, questions, wakeAt, result } = summary;
  const far = progress === undefined ? "" : `${progress.ended} of ${progress.total} blocks`;
  const [reason] = reasonsOf(summary);
  if (damage !== undefined) return inLine(damage);
  if (status === "success") return inLine(result ?? "");
  // That it failed, how it stands says.
  if (reason !== undefined) return inLine(reason.replace(/^'([^']+)' failed: /, "$1: "));
  const [first, ...others] = questions;
  if (first !== undefined && status !== "interrupted" && status !== "queued") {
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    return `${inLine(first.question.text)}${more}`;
  }
  if (status === "queued") return `Waits for ${describeWait(summary.queue, summary.host)}.`;
  if (status === "interrupted") return far === "" ? "Its process has ended." : `Its process has ended: ${far}.`;
  return status === "sleeping" && wakeAt !== null ? `Sleeps until <${wakeAt}>.` : far;
}

const longestSaid = 300;

/** The first line that says something. */
function inLine(text: string): string {
  const line =
    plainMessage(text.slice(0, 10 * longestSaid))
      .trimStart()
      .split("\n", 1)[0] ?? "";
  const clean = line.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return clean.length <= longestSaid ? clean : `${clean.slice(0, longestSaid).replace(/[\ud800-\udbff]$/, "")}…`;
}
