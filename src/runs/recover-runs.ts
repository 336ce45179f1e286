import type { RunSummary } from "../journal/journal.ts";
import { eachRun } from "./each-run.ts";
import type { Platform } from "./platform.ts";
import { isHeld, statusOf } from "./read-run.ts";

/** The runs that nobody drives although they have neither ended nor come to rest, oldest first. */
export async function findInterrupted(platform: Platform): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  for await (const summary of eachRun(await platform.journal(), { statuses: ["running"] })) {
    if (statusOf(summary, platform) === "interrupted") found.unshift(summary);
  }
  return found;
}

/** The runs in which something should have been woken by now, and that nobody drives, oldest first. */
export async function findOverdue(platform: Platform): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  const dueBefore = platform.clock.now().toISOString();
  for await (const summary of eachRun(await platform.journal(), { statuses: ["sleeping", "paused"], dueBefore })) {
    if (!isHeld(summary, platform)) found.unshift(summary);
  }
  return found;
}
