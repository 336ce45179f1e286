import type { RunSummary } from "../journal/journal.ts";
import { refuseElsewhere } from "./choose-queue.ts";
import type { Segment } from "./dispatch.ts";
import { eachRun } from "./each-run.ts";
import { waitingSegment } from "./enqueue-run.ts";
import type { Platform } from "./platform.ts";
import { isHeld, statusOf } from "./read-run.ts";

/** Runs, oldest first, by whether this machine has their files. */
export interface LeftRuns {
  readonly here: readonly RunSummary[];
  readonly elsewhere: readonly RunSummary[];
}

/** The runs that nobody drives although they have neither ended nor come to rest; but those that workers take. */
export async function findInterrupted(platform: Platform): Promise<LeftRuns> {
  const found: RunSummary[] = [];
  for await (const summary of eachRun(await platform.journal(), { statuses: ["running"] })) {
    if (statusOf(summary, platform) === "interrupted") found.unshift(summary);
  }
  return byMachine(found, platform);
}

/** Those, and the runs in which something should have been woken by now, and that nobody drives; but those that workers wake. */
export async function findLeft(platform: Platform): Promise<LeftRuns> {
  const interrupted = await findInterrupted(platform);
  const found: RunSummary[] = [];
  const dueBefore = platform.clock.now().toISOString();
  for await (const summary of eachRun(await platform.journal(), { statuses: ["sleeping", "paused"], dueBefore })) {
    if (summary.queue === null && !isHeld(summary, platform)) found.unshift(summary);
  }
  const overdue = byMachine(found, platform);
  return {
    here: [...interrupted.here, ...overdue.here],
    elsewhere: [...interrupted.elsewhere, ...overdue.elsewhere],
  };
}

function byMachine(runs: readonly RunSummary[], { host }: Platform): LeftRuns {
  const isHere = (run: RunSummary): boolean => refuseElsewhere(run, host) === undefined;
  return { here: runs.filter(isHere), elsewhere: runs.filter((run) => !isHere(run)) };
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
