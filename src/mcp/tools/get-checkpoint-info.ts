import * as z from "zod";
import { type FoundCheckpoint, getCheckpoint } from "../../views/checkpoints.ts";
import { nextCalls } from "../next-calls.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";

export const getCheckpointInfo: Tool = defineTool({
  name: "get_checkpoint_info",
  title: "Describe a checkpoint",
  description: "What a checkpoint asks, what its answer must be, and how far its run has come. Next: resume_workflow.",
  toolset: "checkpoints",
  effect: "reads",
  parameters: () => z.strictObject({ checkpoint_id: z.string().min(1) }),
  async call({ checkpoint_id: id }, _call, context) {
    const read = await getCheckpoint(context.platform, context.catalog, id);
    if (!read.ok) return refuse(read.error);
    const info = read.value;
    if (!info.found) return result({ ...info, message: notFound });
    const reached = await reachRun(info.run_id, context);
    if (!reached.ok) return refuse(reached.error);
    return result({ ...info, message: nextCall(info, reached.value.workspace) }, "detailed");
  },
});

const notFound =
  "It was never there, has been answered, or was deleted. Call list_checkpoints({}) for those there are.";

function nextCall(checkpoint: FoundCheckpoint, workspace: string): string {
  const { checkpoint_id, run_id, paused_block_id: block, pause_prompt: prompt, ...info } = checkpoint;
  if (block === undefined || prompt === undefined) {
    if (info.run_status === "interrupted") return nextCalls.takeOver(checkpoint_id);
    return `Call get_run(${JSON.stringify({ run_id })}) for how its run stands.`;
  }
  return nextCalls.answer([{ ...info, checkpoint_id, block, prompt, audience: info.audience ?? "llm" }], workspace);
}
