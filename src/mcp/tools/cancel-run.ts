import * as z from "zod";
import { cancelRun as cancel, cancelPatienceMs } from "../../runs/cancel-run.ts";
import { describeUnread } from "../../views/response.ts";
import { describeNow } from "../await-run.ts";
import { cancelHere } from "../cancel-here.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { runSchema } from "./parameters.ts";

export const cancelRun: Tool = defineTool({
  name: "cancel_run",
  title: "Cancel a run",
  description:
    "Ends a run early, whichever process drives it: running blocks are stopped, what they changed stays. Blocks under `finally` still run, for 30 s at most; a second call ends them too. Next: get_run for what it had done.",
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
    return described.ok ? result(described.value) : refuse(described.error);
  },
});
