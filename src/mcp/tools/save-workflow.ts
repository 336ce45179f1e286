import * as z from "zod";
import { toData } from "../../diagnostic/diagnostic.ts";
import { describeWorkflow } from "../../library/describe-workflow.ts";
import { limitsSchema } from "../../library/plain-schema.ts";
import { type PreparedSave, prepareSave, save } from "../../library/save-workflow.ts";
import { defined } from "../../util/defined.ts";
import { exampleOf } from "../example-value.ts";
import { forPerson } from "../for-person.ts";
import { chooseWorkspace } from "../reach-run.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { explainForModel } from "../word-advice.ts";

export const saveWorkflow: Tool = defineTool({
  name: "save_workflow",
  title: "Save a workflow",
  description: "Checks a workflow and keeps it in .frond/workflows, for execute_workflow to run by name.",
  toolset: "authoring",
  effect: "steers",
  takesText: true,
  parameters: () =>
    z.strictObject({
      workflow_yaml: z.string(),
      overwrite: z.boolean().default(false),
      workspace: z.string().optional(),
    }),
  async call(args, _call, context) {
    const directory = chooseWorkspace(args.workspace, context);
    if (!directory.ok) return refuse(directory.error);
    const { workflows, platform } = context.openRuntime(directory.value);
    const request = { text: args.workflow_yaml, workspace: directory.value, overwrite: args.overwrite };
    const prepared = await prepareSave(request, workflows, platform);
    if (!prepared.ok) return refuse(...prepared.error);
    const saved = await save(prepared.value, true, platform);
    if (!saved.ok) return refuse(saved.error);
    const { file, plan, warnings } = prepared.value;
    const { trusted, isWritten } = saved.value;
    return result({
      workflow: plan.definition.name,
      path: file,
      ...(isWritten ? {} : { unchanged: true }),
      trusted,
      ...(warnings.length === 0 ? {} : { warnings: warnings.map(explainForModel).map(toData) }),
      message: trusted
        ? `Run it with execute_workflow(${JSON.stringify(callOf(prepared.value, args.workspace))}).`
        : `It is not trusted. ${forPerson.trustProject({ project: directory.value })}`,
    });
  },
});

/** With what it can't be called without. */
function callOf({ plan }: PreparedSave, workspace: string | undefined): object {
  const { name, inputs } = describeWorkflow(plan, () => undefined);
  const needed = Object.entries(inputs).filter(([, { required }]) => required);
  const examples = needed.map(([input, limits]) => [input, exampleOf(limitsSchema(limits))]);
  return {
    workflow: name,
    ...(needed.length === 0 ? {} : { inputs: Object.fromEntries(examples) }),
    ...defined({ workspace }),
  };
}
