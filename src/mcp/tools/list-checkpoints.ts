import * as z from "zod";
import { defined } from "../../util/defined.ts";
import { type CheckpointData, listCheckpoints as listAll } from "../../views/checkpoints.ts";
import { fitPage } from "../fit-response.ts";
import { isReachable } from "../reach-run.ts";
import { result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { explainForModel } from "../word-advice.ts";
import { cursor, limit, pageRoom } from "./parameters.ts";

export const listCheckpoints: Tool = defineTool({
  name: "list_checkpoints",
  title: "List checkpoints",
  description: "Lists questions that wait for an answer and interrupted runs, newest first. Next: resume_workflow.",
  toolset: "checkpoints",
  effect: "reads",
  parameters: () => z.strictObject({ workflow: z.string().optional(), limit, cursor }),
  async call(args, _call, context) {
    const {
      checkpoints,
      total,
      next,
      problems = [],
    } = await listAll(context.platform, context.catalog, {
      ...(args.workflow === undefined ? {} : { workflows: [args.workflow] }),
      limit: args.limit,
      ...defined({ after: args.cursor }),
      isWanted: (workspace) => isReachable(workspace, context),
    });
    const page = fitPage(checkpoints.map(brief), pageRoom);
    const after = page.length < checkpoints.length ? page.at(-1)?.checkpoint_id : next;
    const unreadable = fitPage(
      problems.map(({ run_id, workflow, problem }) => ({ run_id, workflow, ...explainForModel(problem) })),
      problemRoom,
    );
    return result({
      checkpoints: page,
      total,
      ...defined({ next_cursor: after }),
      ...(unreadable.length === 0 ? {} : { problems: unreadable }),
    });
  },
});

/** Runs that can't be read are few, and must leave room for those that can. */
const problemRoom = 2_000;

const longestPrompt = 1_000;

/** A list is for choosing; get_checkpoint_info has the whole question. */
function brief(checkpoint: CheckpointData): CheckpointData {
  const { pause_prompt: prompt = "" } = checkpoint;
  if (prompt.length <= longestPrompt) return checkpoint;
  return { ...checkpoint, pause_prompt: `${prompt.slice(0, longestPrompt)}...` };
}
