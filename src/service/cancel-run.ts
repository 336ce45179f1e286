import { err, ok, type Result } from "../util/result.ts";
import type { Engine } from "./engine.ts";
import type { Problem } from "./problem.ts";
import { findRun, isHeld } from "./read-run.ts";
import { drivenElsewhereCode, endedCode, type TakeOverOptions, takeOver } from "./take-over.ts";

export type Cancelled = "cancelled" | "told" | "ended-before";

/** Ends a run early, whoever drives it. One that nobody drives is ended here, and nothing of it starts any more. */
export async function cancelRun(
  engine: Engine,
  runId: string,
  options: TakeOverOptions,
): Promise<Result<Cancelled, Problem>> {
  const { outside } = engine;
  const message = "cancelled";
  const journal = await outside.journal();
  for (;;) {
    const found = await findRun(outside, runId);
    if (!found.ok) return found;
    if (isHeld(found.value, outside)) {
      if (await journal.post(runId, found.value.fence, { kind: "cancel", message })) return ok("told");
      continue;
    }
    const taken = await takeOver(engine, runId, options, "to end it");
    if (taken.ok) {
      await taken.value.cancel(message);
      await taken.value.settled();
      return ok("cancelled");
    }
    if (taken.error.code === endedCode) return ok("ended-before");
    if (taken.error.code !== drivenElsewhereCode) return err(taken.error);
  }
}
