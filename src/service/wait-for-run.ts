import type { RunSummary } from "../journal/journal.ts";
import type { Outside } from "./outside.ts";
import { isHeld } from "./read-run.ts";

/** Waits until nobody drives the run any more: it has ended, waits for answers, or its process is gone. Or until the time is over, or the signal comes. */
export async function waitForRun(
  outside: Outside,
  runId: string,
  longestMs: number,
  signal?: AbortSignal,
): Promise<RunSummary | undefined> {
  const journal = await outside.journal();
  const deadline = outside.ports.clock.monotonic() + longestMs;
  for (;;) {
    const summary = await journal.find(runId);
    const leftMs = deadline - outside.ports.clock.monotonic();
    if (summary === undefined || !isHeld(summary, outside) || leftMs <= 0 || signal?.aborted) return summary;
    await new Promise<void>((resolve) => {
      // A process that dies says nothing, so somebody has to look.
      const timer = setTimeout(() => done(), Math.min(leftMs, lookMs));
      const unsubscribe = journal.subscribe(() => done());
      signal?.addEventListener("abort", done, { once: true });
      function done(): void {
        clearTimeout(timer);
        unsubscribe();
        signal?.removeEventListener("abort", done);
        resolve();
      }
    });
  }
}

const lookMs = 1000;
