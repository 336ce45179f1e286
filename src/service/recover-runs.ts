import type { RunSummary } from "../journal/journal.ts";
import { eachRun } from "./each-run.ts";
import type { Outside } from "./outside.ts";
import { statusOf } from "./read-run.ts";

/** The runs that nobody drives although they have neither ended nor paused, oldest first. */
export async function findInterrupted(outside: Outside): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  for await (const summary of eachRun(await outside.journal(), { statuses: ["running"] })) {
    if (statusOf(summary, outside) === "interrupted") found.unshift(summary);
  }
  return found;
}
