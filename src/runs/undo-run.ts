import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { problem } from "../diagnostic/problem.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { cancelPatienceMs, cancelRun } from "./cancel-run.ts";
import { queueAfter, refuseElsewhere } from "./choose-queue.ts";
import type { DrivenRun, RunListener } from "./driven-run.ts";
import { planUndo } from "./plan-undo.ts";
import { findRun, isHeld, statusOf } from "./read-run.ts";
import { queueUndo, startUndo } from "./roll-back.ts";
import type { Runtime } from "./runtime.ts";
import { refuseUnreachable } from "./take-over.ts";
import type { UndoOptions, UndoPlan } from "./undo-plan.ts";
import { waitForRun } from "./wait-for-run.ts";

export interface Undo {
  readonly plan: UndoPlan;
  /** Of the run that takes it back; absent when there is nothing to take back. */
  readonly runId?: string;
  /** Absent where workers drive it. */
  readonly run?: DrivenRun;
}

/**
 * Takes back what a run did, by a run of its own; taking that back is doing it again. One that waits is ended first, so that it does
 * not go on with what is gone.
 */
export async function undoRun(
  runtime: Runtime,
  runId: string,
  options: UndoOptions & RunListener & { readonly startedBy?: string | undefined },
): Promise<Result<Undo, readonly Diagnostic[]>> {
  const found = await findRun(runtime.platform, runId);
  if (!found.ok) return err([found.error]);
  const unreachable = refuseUnreachable(found.value, runtime);
  if (unreachable !== undefined) return err([unreachable]);
  const isElsewhere = refuseElsewhere(found.value, runtime.platform.host) !== undefined;
  const ended = await endIfWaiting(runtime, runId);
  if (!ended.ok) return ended;
  const alone = await endOthers(runtime, runId);
  if (!alone.ok) return alone;
  const plan = await planUndo(runtime, runId, options);
  if (!plan.ok || plan.value.blocks === 0) return plan.ok ? ok({ plan: plan.value }) : plan;
  const scope = { runId, ...defined({ path: options.only, to: options.to }) };
  const { onEvents, onOutput, startedBy } = options;
  // By a worker where the files are.
  if (found.value.queue !== null || isElsewhere) {
    const queue = queueAfter(found.value, runtime.platform.host);
    const queued = await queueUndo(runtime, plan.value, scope, { queue, ...defined({ startedBy }) });
    return queued.ok ? ok({ plan: plan.value, runId: queued.value }) : err([problem("undo-refused", queued.error)]);
  }
  const run = await startUndo(runtime, plan.value, scope, { onEvents, onOutput, ...defined({ startedBy }) });
  if (!run.ok) return err([problem("undo-refused", run.error)]);
  return ok({ plan: plan.value, runId: run.value.runId, run: run.value });
}

/** An undo that its process has left is not to go on later, on what this one has made of the files. */
async function endOthers(runtime: Runtime, runId: string): Promise<Result<void, readonly Diagnostic[]>> {
  const { platform } = runtime;
  const unended = ["running", "paused", "sleeping"] as const;
  for (const summary of await (await platform.journal()).list({ undoOf: runId, statuses: unended })) {
    const other = summary.runId;
    if (isHeld(summary, platform)) {
      const message = `${other} is undoing ${runId} already.`;
      return err([problem("undo-running", message, { kind: "end-run", runId: other })]);
    }
    const ended = await endIfWaiting(runtime, other);
    if (!ended.ok) return ended;
  }
  return ok(undefined);
}

/** So that a run does not go on with what is taken back. */
export async function endIfWaiting(runtime: Runtime, runId: string): Promise<Result<void, readonly Diagnostic[]>> {
  const { platform } = runtime;
  const found = await findRun(platform, runId);
  if (!found.ok) return err([found.error]);
  const status = statusOf(found.value, platform);
  if (status === "success" || status === "failure" || status === "running") return ok(undefined);
  const cancelled = await cancelRun(runtime, runId, { onEvents() {}, onOutput() {} });
  if (!cancelled.ok) return err([cancelled.error]);
  // What is left of it to be done is done where its files are, and first.
  const elsewhere = cancelled.value === "recorded" ? refuseElsewhere(found.value, platform.host) : undefined;
  if (elsewhere !== undefined) return err([elsewhere]);
  if (cancelled.value === "posted") await waitForRun(platform, runId, cancelPatienceMs);
  return ok(undefined);
}
