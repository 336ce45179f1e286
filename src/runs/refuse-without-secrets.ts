import { crashed } from "../engine/execution.ts";
import type { RestoredRun } from "./read-run.ts";
import type { Runtime } from "./runtime.ts";
import { findMissingSecrets } from "./start-run.ts";

/**
 * Ends a run that nobody has begun yet when the worker that has taken it lacks a secret that it can't do without: whoever starts a run
 * that others drive can't know what they have. Gives what it ended with, if it has.
 */
export async function refuseWithoutSecrets(
  { platform }: Runtime,
  { events, state }: RestoredRun,
  fence: number,
): Promise<string | undefined> {
  const { runId, key, workflow, at: startedAt } = state.started;
  if (events.some(({ type }) => type !== "run-started" && type !== "workspace-made")) return undefined;
  const plan = state.plans(key ?? workflow);
  const missing = plan.ok ? findMissingSecrets(plan.value, state.plans, platform) : [];
  if (missing.length === 0) return undefined;
  const message = `The worker on ${platform.host} lacks a secret. ${missing.join(" ")}`;
  const now = platform.clock.now();
  const journal = await platform.journal();
  await journal.append(runId, fence, [
    {
      type: "run-finished",
      at: now.toISOString(),
      ...crashed(message),
      outputs: {},
      durationMs: Math.max(0, now.getTime() - Date.parse(startedAt)),
      remarks: { handledFailures: [], outputErrors: {} },
    },
  ]);
  await journal.abandon(runId, fence);
  return message;
}
