import { stopped } from "../engine/execution.ts";
import type { RunSummary } from "../journal/journal.ts";
import type { Platform } from "./platform.ts";

/**
 * Ends a run that this program can't read, so that nobody has to keep it for ever. Nothing of it is run or looked at; commands that
 * a dead process left are not found, because only the run's events name them. False when another process has it.
 */
export async function endUnreadable(
  platform: Platform,
  { runId, fence: seenFence, startedAt }: RunSummary,
  message: string,
): Promise<boolean> {
  const journal = await platform.journal();
  const fence = await journal.claim(runId, seenFence, platform.owners.self);
  if (fence === undefined) return false;
  const now = platform.clock.now();
  const at = now.toISOString();
  const appended = await journal.append(runId, fence, [
    { type: "run-cancelling", at, message, cause: "cancelled" },
    {
      type: "run-finished",
      at,
      ...stopped({ cause: "cancelled", message }),
      outputs: {},
      durationMs: Math.max(0, now.getTime() - Date.parse(startedAt)),
      remarks: { handledFailures: [], outputErrors: {} },
    },
  ]);
  await journal.abandon(runId, fence);
  return appended !== false;
}
