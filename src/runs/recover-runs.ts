import type { RunSummary } from "../journal/journal.ts";
import { eachRun } from "./each-run.ts";
import type { Platform } from "./platform.ts";
import { statusOf } from "./read-run.ts";

/** The runs that nobody drives although they have neither ended nor paused, oldest first. */
export async function findInterrupted(platform: Platform): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  for await (const summary of eachRun(await platform.journal(), { statuses: ["running"] })) {
    if (statusOf(summary, platform) === "interrupted") found.unshift(summary);
  }
  return found;
}
