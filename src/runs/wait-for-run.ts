import type { RunSummary } from "../journal/journal.ts";
import { waitWithin } from "../util/wait-within.ts";
import type { Platform } from "./platform.ts";
import { isHeld } from "./read-run.ts";

/** Waits until nobody drives the run any more: it has ended, waits for answers, or its process is gone. Or until the time is over, or the signal comes. */
export async function waitForRun(
  platform: Platform,
  runId: string,
  longestMs: number,
  signal?: AbortSignal,
): Promise<RunSummary | undefined> {
  const journal = await platform.journal();
  const deadline = platform.clock.monotonic() + longestMs;
  for (;;) {
    const summary = await journal.find(runId);
    const leftMs = deadline - platform.clock.monotonic();
    if (summary === undefined || !isHeld(summary, platform) || leftMs <= 0 || signal?.aborted) return summary;
    // A process that dies says nothing, so somebody has to look.
    await waitWithin(Math.min(leftMs, lookMs), (done) => journal.subscribe(done), signal);
  }
}

const lookMs = 1000;
