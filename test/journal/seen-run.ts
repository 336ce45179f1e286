import type { Journal, RunSummary } from "../../src/journal/journal.ts";

/** The summary of a run that is there; but not whether its holder is lost, which not every journal can tell. */
export async function seen(journal: Journal, runId: string): Promise<RunSummary> {
  const summary = await journal.find(runId);
  if (summary === undefined) throw new Error(`There is no run ${runId}.`);
  return withoutVerdict(summary);
}

export function withoutVerdict({ lease, ...summary }: RunSummary): RunSummary {
  return { ...summary, ...(lease && { lease: { owner: lease.owner, heartbeatAt: lease.heartbeatAt } }) };
}
