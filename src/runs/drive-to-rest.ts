import type { DrivenRun, RunListener } from "./driven-run.ts";
import { explainFailure } from "./explain-failure.ts";
import { takeWhenDue } from "./take-when-due.ts";

/**
 * Drives a run until it has ended or waits for answers alone: while something in it sleeps, this process waits for that. When the
 * signal comes the run is left where it is, and nothing of it runs any more when this resolves.
 */
export async function driveToRest(first: DrivenRun, listener: RunListener, signal: AbortSignal): Promise<void> {
  for (let run: DrivenRun | undefined = first; run !== undefined; ) {
    const settled = await settleUnlessStopped(run, signal);
    if (settled === "finished" || signal.aborted) return;
    run = await takeWhenDue(run.runtime, run.runId, listener, signal);
  }
}

async function settleUnlessStopped(run: DrivenRun, signal: AbortSignal): ReturnType<DrivenRun["settled"]> {
  const stop = (): void => void run.stop().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await run.settled();
  } catch (error) {
    if (explainFailure(error)?.code !== "run-stopped") throw error;
    await run.stop();
    return "paused";
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
