import { type Problem, problem } from "../diagnostic/problem.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { findRun } from "../runs/read-run.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { followRun } from "../views/follow-run.ts";
import { type Call, wantsEnd } from "./call.ts";
import { cancelHere } from "./cancel-here.ts";
import { describeNow } from "./describe-now.ts";
import { nextCalls, nextCallsWithForms } from "./next-calls.ts";
import { refuse, runResult, type ToolReply, type Waiting } from "./reply.ts";
import { reportProgress } from "./report-progress.ts";
import type { ServerContext } from "./server-context.ts";

/**
 * Waits for a run and says how it stands. The same for every tool that runs something: its result when it ends soon; a task where
 * the client takes tasks; its questions to a person where the client can ask one; else how it stands, with the next call.
 */
export async function awaitRun(
  runId: string,
  waiting: Waiting,
  call: Call,
  context: ServerContext,
  declined: ReadonlySet<string> = new Set(),
): Promise<ToolReply> {
  const { taskAfterMs = Number.POSITIVE_INFINITY } = call;
  const ended = await waitWithProgress(runId, Math.min(waiting.waitSeconds * 1000, taskAfterMs), call, context);
  if (call.signal.aborted && wantsEnd(call.signal)) await cancelForClient(runId, context);
  const nextSteps = call.elicits ? nextCallsWithForms : nextCalls;
  const described = await describeNow(runId, waiting.format, context, { nextSteps, ...defined({ ended }) });
  if (!described.ok) return refuse(described.error);
  const { status, pending = [] } = described.value;
  if (status === "success" || status === "failure") return runResult(described.value, waiting.format);
  if (call.taskAfterMs !== undefined) return { kind: "task", runId };
  // A question to the model is never held back until a person has answered another.
  const isAsked = status === "paused" && call.elicits && pending.every(({ audience }) => audience === "human");
  const questions = pending.filter(({ checkpoint_id: id }) => !declined.has(id));
  if (isAsked && questions.length > 0) return { kind: "questions", runId, questions, waiting };
  return runResult(described.value, waiting.format);
}

/** One that another process drives for itself is left alone; what this server has left to workers is not. */
async function cancelForClient(runId: string, context: ServerContext): Promise<void> {
  const hosted = context.host.find(runId);
  if (hosted !== undefined) return hosted.run.cancel("cancelled by the client");
  const found = context.settings.queuesRuns ? await findRun(context.platform, runId) : undefined;
  if (!found?.ok || found.value.queue === null) return;
  await cancelRun(context.openRuntime(found.value.workspace), runId, { ...cancelHere(context), by: "the client" });
}

/** Waits for a run and tells a client that asked for it how far it has come, whichever process drives it. Gives it where it has ended here. */
export async function waitWithProgress(
  runId: string,
  longestMs: number,
  call: Call,
  context: ServerContext,
): ReturnType<ServerContext["host"]["wait"]> {
  const { host } = context;
  const stopTelling = call.progress === undefined ? undefined : await tellProgress(runId, call, context);
  try {
    return await host.wait(runId, longestMs, call.signal);
  } finally {
    stopTelling?.();
  }
}

async function tellProgress(
  runId: string,
  call: Call,
  { host, platform, catalog }: ServerContext,
): Promise<() => void> {
  const hosted = host.find(runId);
  const followed = hosted === undefined ? await followRun(platform, catalog, runId) : undefined;
  const watched = hosted ?? followed;
  const stopReporting = watched === undefined ? undefined : await reportProgress(watched, call);
  return () => {
    stopReporting?.();
    followed?.stop();
  };
}

/** Nothing new is begun by a server that is about to end. */
export function refuseWhenClosing({ host }: ServerContext): Result<void, Problem> {
  return host.isClosing
    ? err(problem("closing", "This server is shutting down.", "Call again once it is back."))
    : ok(undefined);
}
