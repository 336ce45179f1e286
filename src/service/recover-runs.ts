import type { RunSummary } from "../journal/journal.ts";
import type { Outside } from "./outside.ts";
import { statusOf } from "./read-run.ts";

/** The runs that nobody drives although they have neither ended nor paused, oldest first. */
export async function findInterrupted(outside: Outside): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  const journal = await outside.journal();
  for (let page: readonly RunSummary[], before: string | undefined; ; before = page.at(-1)?.runId) {
    page = await journal.list({ statuses: ["running"], limit: pageSize, ...(before === undefined ? {} : { before }) });
    for (const summary of page) if (statusOf(summary, outside) === "interrupted") found.unshift(summary);
    if (page.length < pageSize) return found;
  }
}

const pageSize = 200;
