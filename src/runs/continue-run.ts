import type { Problem } from "../diagnostic/problem.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { DrivenRun } from "./driven-run.ts";
import { enqueueIfWaiting } from "./enqueue-run.ts";
import { findRun, statusOf } from "./read-run.ts";
import type { Runtime } from "./runtime.ts";
import { drivenElsewhereCode, endedAlready, type TakeOverOptions, takeOver } from "./take-over.ts";

/**
 * Goes on with a run that is interrupted, or in which something sleeps; nothing when it goes on already or waits for answers alone, or
 * when workers drive it: they are asked to, if it is time.
 */
export async function continueRun(
  runtime: Runtime,
  runId: string,
  options: TakeOverOptions,
): Promise<Result<DrivenRun | undefined, Problem>> {
  const found = await findRun(runtime.platform, runId);
  if (!found.ok) return found;
  const status = statusOf(found.value, runtime.platform);
  if (status === "success" || status === "failure") {
    return err(endedAlready(runId));
  }
  if (found.value.queue !== null) {
    await enqueueIfWaiting(runtime.platform, runId);
    return ok(undefined);
  }
  if (status !== "interrupted" && found.value.wakeAt === null) return ok(undefined);
  const taken = await takeOver(runtime, runId, options);
  if (taken.ok || taken.error.code !== drivenElsewhereCode) return taken;
  return ok(undefined);
}
