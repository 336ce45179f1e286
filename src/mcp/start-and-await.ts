import { awaitRun } from "./await-run.ts";
import { type Call, starterOf } from "./call.ts";
import { describeChoice } from "./describe-library.ts";
import { refuseWith, type ToolReply, type Waiting } from "./reply.ts";
import type { ServerContext } from "./server-context.ts";
import { type StartRequest, startHere } from "./start-here.ts";

/** Starts a run that this server drives, and waits for it. */
export async function startAndAwait(
  start: StartRequest,
  waiting: Waiting,
  call: Call,
  context: ServerContext,
): Promise<ToolReply> {
  const runId = await startHere({ ...start, traceParent: call.traceParent }, starterOf(call), context);
  if (!runId.ok) return refuseWith(runId.error.problems, runId.error.next);
  const reply = await awaitRun(runId.value, waiting, call, context);
  const choice = describeChoice(start.checked.diagnostics);
  return reply.kind === "result" ? { ...reply, data: { ...reply.data, ...choice } } : reply;
}
