import type { RunSummary } from "../journal/journal.ts";
import type { Segment } from "./dispatch.ts";
import type { Platform } from "./platform.ts";
import { isOverdue, statusOf } from "./read-run.ts";

/** The stretch that a worker could drive now of a run that workers drive; nothing when somebody has it or it can't go on by itself. */
export function waitingSegment(summary: RunSummary, platform: Platform): Segment | undefined {
  const { runId, sequence, fence, workflow, queue, host } = summary;
  if (queue === null) return undefined;
  if (statusOf(summary, platform) !== "queued" && !isOverdue(summary, platform)) return undefined;
  return { runId, sequence, fence, workflow, queue, host };
}

/**
 * Hands a run to the workers if it waits for one. What is durable is only the run itself: should this fail, or the process die before
 * it, the workers find the run when they next look for those that wait.
 */
export async function enqueueIfWaiting(platform: Platform, runId: string): Promise<void> {
  try {
    const summary = await (await platform.journal()).find(runId);
    const segment = summary && waitingSegment(summary, platform);
    if (segment !== undefined) await platform.dispatch?.enqueue(segment);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    platform.warn(`${runId} is on record but could not be handed to the workers, who look for it themselves: ${why}`);
  }
}

/** Takes what waited of a run that has been ended out of its queue. Should this fail, the workers do it when they next look. */
export async function dropWaiting(platform: Platform, waited: Segment | undefined): Promise<void> {
  if (waited !== undefined) await platform.dispatch?.drop([waited]).catch(() => {});
}
