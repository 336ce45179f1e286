import * as z from "zod";
import { listCheckpoints as listAll } from "../../service/checkpoints.ts";
import { isReachable } from "../reach-run.ts";
import { result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { cursor, limit } from "./parameters.ts";

export const listCheckpoints: Tool = defineTool({
  name: "list_checkpoints",
  title: "List checkpoints",
  description:
    "Lists questions that wait for an answer and interrupted runs, newest first. Next: resume_workflow with a checkpoint_id.",
  toolset: "checkpoints",
  effect: "reads",
  parameters: z.strictObject({ workflow_name: z.string().optional(), limit, cursor }),
  async call(args, _call, door) {
    const { checkpoints, total, next } = await listAll(door.outside, door.catalog, {
      ...(args.workflow_name === undefined ? {} : { workflows: [args.workflow_name] }),
      limit: args.limit,
      ...(args.cursor === undefined ? {} : { after: args.cursor }),
      isWanted: (workspace) => isReachable(workspace, door),
    });
    return result({ checkpoints, total, ...(next === undefined ? {} : { next_cursor: next }) });
  },
});
