import type { Journal, RunQuery, RunSummary } from "../journal/journal.ts";
import { defined } from "../util/defined.ts";

const pageSize = 500;

/** Every run that fits, newest first, in little memory however many there are. */
export async function* eachRun(journal: Journal, query: Omit<RunQuery, "limit">): AsyncGenerator<RunSummary> {
  let { before } = query;
  for (;;) {
    const page = await journal.list({ ...query, limit: pageSize, ...defined({ before }) });
    yield* page;
    if (page.length < pageSize) return;
    before = page.at(-1)?.runId;
  }
}
