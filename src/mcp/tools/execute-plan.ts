import * as z from "zod";
import { toData } from "../../diagnostic/diagnostic.ts";
import { type OpenedPlan, openPlan } from "../../plans/open-plan.ts";
import { failureChoices } from "../../plans/structured-plan.ts";
import { defined } from "../../util/defined.ts";
import { inSlices } from "../../util/time-slice.ts";
import { foresee } from "../foresee.ts";
import { chooseWorkspace } from "../reach-run.ts";
import { refuse, result, type ToolReply } from "../reply.ts";
import { startAndAwait } from "../start-and-await.ts";
import { defineTool, type Tool } from "../tool.ts";
import { explainForModel } from "../word-advice.ts";
import { inputs, runSchema, startParameters, waitingOf } from "./parameters.ts";

const steps = z.record(z.string(), z.unknown());

export const executePlan: Tool = defineTool({
  name: "execute_plan",
  title: "Run a plan",
  description:
    "Runs a plan of steps, and rolls back what they changed when one fails. {steps: [{step_id, action_type, description, depends_on, ...}]}; action_type: create_file and modify_file (path, content or old_text and new_text), delete_file, read_file, run_command (command), get_user_input (prompt), browser_act (action, url, target), or a block type with inputs. Without depends_on steps run in order. All problems are told at once, before anything runs. Next: get_run, undo_run.",
  toolset: "plans",
  effect: "runs",
  repliesWithRun: true,
  takesText: true,
  outputSchema: runSchema,
  parameters: () =>
    z.strictObject({
      plan: z.union([z.string().min(1), z.array(steps), steps]).describe("Steps, {steps}, or a text with either"),
      ...startParameters,
      inputs: inputs.describe("Of the plan's own inputs; its commands find them as variables"),
      compile: z.boolean().optional().describe("Only show the workflow that it comes to"),
      on_failure: z.enum(failureChoices).optional().describe("Default: rollback"),
      budget: steps.optional().describe("max_cost_usd, max_tokens, max_duration, max_blocks, on_exceeded"),
    }),
  async call(args, call, context) {
    const directory = chooseWorkspace(args.workspace, context);
    if (!directory.ok) return refuse(directory.error);
    const workspace = directory.value;
    const runtime = context.openRuntime(workspace);
    const request = { plan: args.plan, onFailure: args.on_failure, budget: args.budget };
    const opened = await inSlices(openPlan(request, runtime.workflows));
    if (!opened.ok) return refuse(...opened.error);
    if (args.compile) return showWorkflow(opened.value);
    const { checked } = opened.value;
    const start = { runtime, checked, inputs: args.inputs, workspace, idempotencyKey: args.idempotency_key };
    const waiting = waitingOf(args);
    const reply = await (args.dry_run ? foresee(start, waiting, call) : startAndAwait(start, waiting, call, context));
    return reply.kind === "result" ? { ...reply, data: { ...reply.data, ...remarksOn(opened.value) } } : reply;
  },
});

/** Longer ones do not fit into a reply as a whole, and half a workflow is of no use. */
const longestText = 30_000;

function showWorkflow(opened: OpenedPlan): ToolReply {
  const { name, text } = opened;
  const isShort = text.length <= longestText;
  const message = isShort
    ? "Nothing was run. Keep it with save_workflow, run it with execute_inline_workflow, or make the same call without compile."
    : `Nothing was run. The workflow has ${text.length} characters, too many for a reply. To run it, make the same call without compile.`;
  const workflow = isShort ? { workflow_yaml: text } : {};
  return result({ status: "compiled", workflow: name, ...workflow, ...remarksOn(opened), message }, "detailed");
}

/** Which block a step is, where that is not plain to see, and what could be better. */
function remarksOn({ steps, warnings }: OpenedPlan): object {
  const renamed = steps.flatMap(({ id, block }) => (id === undefined || isPlain(id, block) ? [] : [[id, block]]));
  return defined({
    block_ids: renamed.length === 0 ? undefined : Object.fromEntries(renamed),
    warnings: warnings.length === 0 ? undefined : warnings.map(explainForModel).map(toData),
  });
}

function isPlain(id: string, block: string): boolean {
  return block === id || block === `step_${id}`;
}
