import { formatUsd } from "../../block/spend.ts";
import { defined } from "../../util/defined.ts";
import { type ListedRun, type ListedStatus, reasonsOf } from "../list-runs.ts";
import type { PageSpend, PageStanding, RunLine } from "./page-records.ts";

const standings: Readonly<Record<ListedStatus, PageStanding>> = {
  success: "done",
  failure: "failed",
  cancelled: "cancelled",
  paused: "asks",
  sleeping: "sleeping",
  running: "running",
  interrupted: "interrupted",
};

/** A run as a line of the list, from its summary alone. */
export function describeLine({ summary, status }: ListedRun): RunLine {
  const { runId, workflow, startedAt, finishedAt, durationMs, questions, wakeAt, spend } = summary;
  const { workspace, startedBy, rerunOf, undoOf, sequence } = summary;
  return {
    run_id: runId,
    workflow,
    standing: standings[status],
    says: reasonsOf(summary)[0] ?? "",
    started_at: startedAt,
    finished_at: finishedAt,
    duration_ms: durationMs,
    questions: questions.map(({ id }) => id),
    workspace,
    sequence,
    ...defined({
      started_by: startedBy ?? undefined,
      spend: spend === null ? undefined : describeSpend(spend.usd),
      wake_at: wakeAt ?? undefined,
      rerun_of: rerunOf ?? undefined,
      undo_of: undoOf ?? undefined,
    }),
  };
}

function describeSpend(usd: number | undefined): PageSpend | undefined {
  return usd === undefined ? undefined : { text: formatUsd(usd), usd };
}
