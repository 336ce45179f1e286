import type { RunSummary } from "../journal/journal.ts";
import { waitWithin } from "../util/wait-within.ts";
import type { Platform } from "./platform.ts";
import { isHeld, statusOf } from "./read-run.ts";

/**
 * Waits until nobody drives the run any more: it has ended, waits for answers, sleeps for longer than that, or its process is gone and no
 * worker will take it. Or until the time is over, or the signal comes.
 */
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
    if (summary === undefined || leftMs <= 0 || signal?.aborted) return summary;
    const goesOn = isHeld(summary, platform) || statusOf(summary, platform) === "queued";
    if (!goesOn && !wakesWithin(summary, leftMs, platform)) return summary;
    // A process that dies says nothing, so somebody has to look.
    await waitWithin(Math.min(leftMs, lookMs), (done) => journal.subscribe(done), signal);
  }
}

/** Whoever wakes it may be a little late. */
function wakesWithin({ wakeAt, questions, queue }: RunSummary, leftMs: number, { clock }: Platform): boolean {
  if (wakeAt === null || questions.length > 0) return false;
  const dueInMs = Date.parse(wakeAt) - clock.now().getTime();
  return dueInMs < leftMs && (dueInMs > -lookMs || queue !== null);
}

const lookMs = 1000;
