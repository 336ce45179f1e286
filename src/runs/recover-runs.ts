import type { RunSummary } from "../journal/journal.ts";
import type { Segment } from "./dispatch.ts";
import { eachRun } from "./each-run.ts";
import { waitingSegment } from "./enqueue-run.ts";
import type { Platform } from "./platform.ts";
import { isHeld, statusOf } from "./read-run.ts";

/** The runs of this machine that nobody drives although they have neither ended nor come to rest, oldest first. */
export async function findInterrupted(platform: Platform): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  for await (const summary of eachRun(await platform.journal(), { statuses: ["running"] })) {
    if (statusOf(summary, platform) === "interrupted" && isHere(summary, platform)) found.unshift(summary);
  }
  return found;
}

/** The runs in which something should have been woken by now, and that nobody drives, oldest first; but those that workers wake. */
export async function findOverdue(platform: Platform): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  const dueBefore = platform.clock.now().toISOString();
  for await (const summary of eachRun(await platform.journal(), { statuses: ["sleeping", "paused"], dueBefore })) {
    if (summary.queue === null && !isHeld(summary, platform) && isHere(summary, platform)) found.unshift(summary);
  }
  return found;
}

/** What workers could drive now, oldest run first: of runs that nobody has, because they are new, answered, due, or left by a dead worker. */
export async function findWaiting(platform: Platform): Promise<Segment[]> {
  const found: Segment[] = [];
  const dueBefore = platform.clock.now().toISOString();
  for (const query of [{ statuses: ["running"] }, { statuses: ["sleeping", "paused"], dueBefore }] as const) {
    for await (const summary of eachRun(await platform.journal(), query)) {
      const segment = waitingSegment(summary, platform);
      if (segment !== undefined) found.push(segment);
    }
  }
  return found.sort((one, other) => (one.runId < other.runId ? -1 : 1));
}

/** Whether its files are on this machine, or could be. */
function isHere({ host }: RunSummary, platform: Platform): boolean {
  return host === null || host === platform.host;
}
