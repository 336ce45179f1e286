import { formatUsd } from "../../block/spend.ts";
import type { Platform } from "../../runs/platform.ts";
import { type ListedRun, listRuns } from "../list-runs.ts";
import { drawUsual } from "./draw-usual.ts";
import type { RunLine } from "./page-records.ts";
import type { WorkflowUsual } from "./workflow-records.ts";

const mostRuns = 20;
const mostLatest = 5;

export interface RunsOfWorkflow {
  readonly usual: WorkflowUsual;
  readonly latest: readonly RunLine[];
}

/** What the latest runs of a workflow took, and how they ended; those that took another one back don't count. */
export async function readUsual(
  platform: Platform,
  workflow: string,
  isWanted: (workspace: string) => boolean,
  describe: (run: ListedRun) => RunLine,
): Promise<RunsOfWorkflow> {
  const query = { workflows: [workflow], isWanted };
  const ended = await listRuns(platform, { ...query, statuses: ["success", "failure", "cancelled"], limit: mostRuns });
  const { runs: latest } = await listRuns(platform, { ...query, limit: mostLatest });
  const lines = ended.runs.filter(({ summary }) => summary.undoOf === null).map(describe);
  const good = lines.filter(({ standing }) => standing === "done" || standing === "undone");
  const duration = median(good.flatMap(({ duration_ms: ms }) => (ms === null ? [] : [ms])));
  const usd = median(good.flatMap(({ spend }) => (spend?.usd === undefined ? [] : [spend.usd])));
  const usual = {
    runs: lines.map(({ run_id, standing, duration_ms, started_at, label }) => ({
      run_id,
      standing,
      duration_ms,
      started_at,
      ...(label === undefined ? {} : { label }),
    })),
    succeeded: good.length,
    ...(duration === undefined ? {} : { duration_ms: duration }),
    ...(usd === undefined ? {} : { spend: { text: formatUsd(usd), usd } }),
  };
  return { usual: { ...usual, drawn: drawUsual(usual) }, latest: latest.map(describe) };
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
