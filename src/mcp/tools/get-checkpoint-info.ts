import * as z from "zod";
import { getCheckpoint } from "../../service/checkpoints.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";

export const getCheckpointInfo: Tool = defineTool({
  name: "get_checkpoint_info",
  title: "Describe a checkpoint",
  description: "What a checkpoint asks, the schema of its answer, and how far its run has come. Next: resume_workflow.",
  toolset: "checkpoints",
  effect: "reads",
  parameters: z.strictObject({ checkpoint_id: z.string().min(1) }),
  async call({ checkpoint_id: id }, _call, door) {
    const info = await getCheckpoint(door.outside, door.catalog, id);
    if (!info.found) return result(info);
    const reached = await reachRun(info.run_id, door);
    return reached.ok ? result(info, "detailed") : refuse(reached.error);
  },
});
