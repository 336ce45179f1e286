import { waitWithin } from "../util/wait-within.ts";
import type { DrivenRun } from "./driven-run.ts";
import type { Runtime } from "./runtime.ts";
import { drivenElsewhereCode, type TakeOverOptions, takeOver } from "./take-over.ts";

/**
 * Waits until something in a run that nobody drives is to be woken, and takes the run. Another process may be quicker; then it is
 * waited on, for the run may sleep again. Nothing when it has ended, waits for answers alone, or when the signal came.
 */
export async function takeWhenDue(
  runtime: Runtime,
  runId: string,
  options: TakeOverOptions,
  signal: AbortSignal,
): Promise<DrivenRun | undefined> {
  const { platform } = runtime;
  const journal = await platform.journal();
  while (!signal.aborted) {
    // What changes during the look is not waited for afterwards: another process may have ended the run by then.
    let hasChanged = false;
    const stop = journal.subscribe(() => {
      hasChanged = true;
    });
    let leftMs = lookMs;
    try {
      const summary = await journal.find(runId);
      if (summary === undefined || summary.finishedAt !== null) return undefined;
      const { wakeAt, status } = summary;
      if (wakeAt === null && status !== "running") return undefined;
      if (wakeAt !== null) leftMs = Date.parse(wakeAt) - platform.clock.now().getTime();
      if (leftMs <= 0) {
        const taken = await takeOver(runtime, runId, options);
        if (taken.ok || taken.error.code !== drivenElsewhereCode) return taken.ok ? taken.value : undefined;
      }
    } finally {
      stop();
    }
    if (hasChanged) continue;
    // The clock of the machine may be set meanwhile.
    await waitWithin(Math.min(leftMs > 0 ? leftMs : lookMs, lookMs), (done) => journal.subscribe(done), signal);
  }
  return undefined;
}

const lookMs = 60_000;
