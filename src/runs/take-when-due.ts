import { waitWithin } from "../util/wait-within.ts";
import type { DrivenRun } from "./driven-run.ts";
import type { Runtime } from "./runtime.ts";
import { type TakeOverOptions, takeOver } from "./take-over.ts";

/**
 * Waits until something in a run that nobody drives is to be woken, and takes the run. Nothing when it ended or went on elsewhere
 * meanwhile, when another process was quicker, or when the signal came.
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
    const { wakeAt = null } = (await journal.find(runId)) ?? {};
    if (wakeAt === null) return undefined;
    const leftMs = Date.parse(wakeAt) - platform.clock.now().getTime();
    if (leftMs <= 0) {
      const taken = await takeOver(runtime, runId, options);
      return taken.ok ? taken.value : undefined;
    }
    // The clock of the machine may be set meanwhile.
    await waitWithin(Math.min(leftMs, lookMs), (done) => journal.subscribe(done), signal);
  }
  return undefined;
}

const lookMs = 60_000;
