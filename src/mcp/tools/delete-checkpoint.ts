import * as z from "zod";
import { unknownCheckpoint } from "../../runs/answer-question.ts";
import { deleteCheckpoint as remove } from "../../views/checkpoints.ts";
import { cancelHere } from "../cancel-here.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";

export const deleteCheckpoint: Tool = defineTool({
  name: "delete_checkpoint",
  title: "Delete a checkpoint",
  description:
    "Leaves a checkpoint out of lists; a run whose last question it was is cancelled. Next: list_checkpoints.",
  toolset: "checkpoints",
  effect: "steers",
  parameters: () => z.strictObject({ checkpoint_id: z.string().min(1) }),
  async call({ checkpoint_id: id }, call, context) {
    const run = await reachRun(id, context);
    if (!run.ok) return refuse(run.error.code === "unknown-run" ? unknownCheckpoint(id) : run.error);
    const deleted = await remove(context.openRuntime(run.value.workspace), id, cancelHere(context, call.signal));
    return deleted.ok ? result(deleted.value) : refuse(deleted.error);
  },
});
