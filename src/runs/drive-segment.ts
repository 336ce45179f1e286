import type { Problem } from "../diagnostic/problem.ts";
import type { Settled } from "../engine/runner.ts";
import type { RunSummary } from "../journal/journal.ts";
import { err, ok, type Result } from "../util/result.ts";
import { waitWithin } from "../util/wait-within.ts";
import type { DrivenRun, RunListener } from "./driven-run.ts";
import { waitingSegment } from "./enqueue-run.ts";
import { explainFailure } from "./explain-failure.ts";
import { workspaceStoppedCode } from "./make-workspace.ts";
import type { Runtime } from "./runtime.ts";
import { drivenElsewhereCode, endedCode, takeOver } from "./take-over.ts";

/**
 * How a segment ended here. `nothing-to-do`: somebody else has the run, or it has ended or come to rest. `stopped`: the signal came,
 * and the run waits for a worker again. `lost`: another worker has taken it.
 */
export type SegmentEnd = Settled | "nothing-to-do" | "stopped" | "lost";

/** What a worker does with a run that waits for one: takes it, and drives it until it ends, waits for answers or sleeps. */
export async function driveSegment(
  runtime: Runtime,
  found: RunSummary,
  listener: RunListener,
  signal: AbortSignal,
): Promise<Result<SegmentEnd, Problem>> {
  if (waitingSegment(found, runtime.platform) === undefined) return ok("nothing-to-do");
  const taken = await takeOver(runtime, found.runId, { ...listener, driver: "worker", signal, found });
  if (!taken.ok) {
    const { code } = taken.error;
    if (code === workspaceStoppedCode) return ok("stopped");
    return code === drivenElsewhereCode || code === endedCode ? ok("nothing-to-do") : err(taken.error);
  }
  const run = taken.value;
  const stop = (): void => void run.stop().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return ok(await run.settled());
  } catch (error) {
    const failure = explainFailure(error);
    if (failure?.code === "run-lost") return ok("lost");
    await giveBack(run, signal);
    if (failure?.code !== "run-stopped") throw error;
    return ok("stopped");
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Until the journal knows that this worker has let go of it, no other can take it; whatever keeps it from being written to may pass. */
async function giveBack(run: DrivenRun, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await run.stop();
    } catch (error) {
      if (signal.aborted) throw error;
      await waitWithin(giveBackMs, () => undefined, signal);
    }
  }
}

const giveBackMs = 1_000;
