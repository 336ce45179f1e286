import type { Problem } from "../diagnostic/problem.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { DrivenRun } from "./driven-run.ts";
import { endUnreadable } from "./end-unreadable.ts";
import { dropWaiting, waitingSegment } from "./enqueue-run.ts";
import { findRun, isHeld, unreadableCode } from "./read-run.ts";
import type { Runtime } from "./runtime.ts";
import { drivenElsewhereCode, endedCode, type TakeOverOptions, takeOver } from "./take-over.ts";

/**
 * `recorded`: what is under `finally` is left to the machine that has its files, where somebody has to go on with it. `ended-unread`: it is
 * ended, but could not be read, so nothing of it was stopped.
 */
export type Cancelled = "cancelled" | "posted" | "recorded" | "ended-before" | "ended-unread";

/** How long whoever asks for the end waits for it: more than running blocks get to stop. */
export const cancelPatienceMs = 15_000;

export interface CancelOptions extends TakeOverOptions {
  /** Who asks for it, for people. */
  readonly by?: string;
  /** Sees to what is under `finally` of a run that nobody drove; without it, it is driven and waited for here. */
  drive?(run: DrivenRun): Promise<void>;
}

/** Ends a run early, whoever drives it. One that nobody drives is ended here, and nothing but `finally` of it starts any more. */
export async function cancelRun(
  runtime: Runtime,
  runId: string,
  options: CancelOptions,
): Promise<Result<Cancelled, Problem>> {
  const { platform } = runtime;
  const message = options.by === undefined ? "cancelled" : `cancelled by ${options.by}`;
  const journal = await platform.journal();
  for (;;) {
    const found = await findRun(platform, runId);
    if (!found.ok) return found;
    if (isHeld(found.value, platform)) {
      if (await journal.post(runId, found.value.fence, { kind: "cancel", message })) return ok("posted");
      continue;
    }
    const taken = await takeOver(runtime, runId, options, "to end it");
    if (taken.ok) {
      await taken.value.cancel(message);
      await dropWaiting(platform, waitingSegment(found.value, platform));
      // What is under `finally` runs where the workers are, or the files.
      if (taken.value.onlyRecords) {
        await taken.value.settled();
        return ok(found.value.queue === null ? "recorded" : "posted");
      }
      await (options.drive?.(taken.value) ?? taken.value.settled());
      return ok("cancelled");
    }
    if (taken.error.code === endedCode) return ok("ended-before");
    if (taken.error.code === unreadableCode) {
      if (await endUnreadable(platform, found.value, message)) return ok("ended-unread");
      continue;
    }
    if (taken.error.code !== drivenElsewhereCode) return err(taken.error);
  }
}
