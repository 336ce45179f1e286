import type { Journal, RunSummary } from "../../src/journal/journal.ts";

/** What a journal tells of a run that is in it. */
export async function seen(journal: Journal, runId: string): Promise<RunSummary> {
  const summary = await journal.find(runId);
  if (summary === undefined) throw new Error(`There is no run ${runId}.`);
  return summary;
}
