import * as z from "zod";
import { cancelRun as cancel, cancelPatienceMs } from "../../runs/cancel-run.ts";
import { defined } from "../../util/defined.ts";
import { describeUnread, type WorkflowResponse } from "../../views/response.ts";
import { callText } from "../call-text.ts";
import { cancelHere } from "../cancel-here.ts";
import { describeNow } from "../describe-now.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { runSchema } from "./parameters.ts";

export const cancelRun: Tool = defineTool({
  name: "cancel_run",
  title: "Cancel a run",
  description:
    "Ends a run early, whichever process drives it: running blocks are stopped, what they changed stays. `finally` still runs, 30 s at most; a second call ends that too. Next: get_run, undo_run.",
  toolset: "runs",
  effect: "steers",
  outputSchema: runSchema,
  parameters: () => z.strictObject({ run_id: z.string().min(1) }),
  async call(args, call, context) {
    const run = await reachRun(args.run_id, context);
    if (!run.ok) return refuse(run.error);
    const { runId, workspace } = run.value;
    const cancelled = await cancel(context.openRuntime(workspace), runId, cancelHere(context, call.signal));
    if (!cancelled.ok) return refuse(cancelled.error);
    if (cancelled.value === "ended-unread") return result(describeUnread(runId));
    if (cancelled.value === "posted") await context.host.wait(runId, cancelPatienceMs, call.signal);
    const described = await describeNow(runId, "minimal", context);
    if (!described.ok) return refuse(described.error);
    return result(describeCancelled(described.value, cancelled.value === "ended-before"));
  },
});

/** No more than its status: what it had done is read by those who want it. */
function describeCancelled(response: WorkflowResponse, wasOver: boolean): object {
  const { status, run_id = "", cancelled, running, failed_blocks: failed = [] } = response;
  const stopped = failed.filter(({ message }) => message === response.error).map(({ block }) => block);
  const was_running = wasOver || stopped.length === 0 ? undefined : stopped.slice(0, mostNames);
  const message = status === "running" || status === "queued" ? response.message : nextCall(run_id, wasOver);
  return { status, run_id, ...defined({ cancelled, running, was_running, message }) };
}

const mostNames = 10;

function nextCall(run_id: string, wasOver: boolean): string {
  const look = `${callText("get_run", { run_id })} tells what it had done`;
  return wasOver
    ? `It had ended before. ${look}.`
    : `${look}; ${callText("rerun_workflow", { run_id })} runs the rest.`;
}
