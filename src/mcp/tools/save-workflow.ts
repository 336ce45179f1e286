import * as z from "zod";
import { toData } from "../../diagnostic/diagnostic.ts";
import { prepareSave, save } from "../../library/save-workflow.ts";
import { defined } from "../../util/defined.ts";
import { exampleInputs } from "../example-inputs.ts";
import { forPerson } from "../for-person.ts";
import { chooseWorkspace } from "../reach-run.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { explainForModel } from "../word-advice.ts";

export const saveWorkflow: Tool = defineTool({
  name: "save_workflow",
  title: "Save a workflow",
  description: "Checks and keeps a workflow in .frond/workflows: execute_workflow runs it by name.",
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
    const { name } = plan.definition;
    return result({
      workflow: name,
      path: file,
      ...(isWritten ? {} : { unchanged: true }),
      trusted,
      ...(warnings.length === 0 ? {} : { warnings: warnings.map(explainForModel).map(toData) }),
      message: trusted
        ? `Run it with execute_workflow(${JSON.stringify({ workflow: name, ...defined({ inputs: exampleInputs(plan), workspace: args.workspace }) })}).`
        : `It is not trusted. ${forPerson.trustProject({ project: directory.value })}`,
    });
  },
});
