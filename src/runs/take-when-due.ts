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
  let hasChanged = false;
  let wake = (): void => {};
  // For the whole time: what another process changes between a look and the wait after it would be lost for a minute.
  const stop = journal.subscribe(() => {
    hasChanged = true;
    wake();
  });
  try {
    while (!signal.aborted) {
      hasChanged = false;
      let leftMs = lookMs;
      const summary = await journal.find(runId);
      if (summary === undefined || summary.finishedAt !== null) return undefined;
      const { wakeAt, status } = summary;
      if (wakeAt === null && status !== "running") return undefined;
      if (wakeAt !== null) leftMs = Date.parse(wakeAt) - platform.clock.now().getTime();
      if (leftMs <= 0) {
        const taken = await takeOver(runtime, runId, options);
        if (taken.ok || taken.error.code !== drivenElsewhereCode) return taken.ok ? taken.value : undefined;
      }
      if (hasChanged) continue;
      const untilChanged = (done: () => void): undefined => {
        wake = done;
      };
      // The clock of the machine may be set meanwhile.
      await waitWithin(Math.min(leftMs > 0 ? leftMs : lookMs, lookMs), untilChanged, signal);
    }
    return undefined;
  } finally {
    stop();
  }
}

const lookMs = 60_000;
