import * as z from "zod";
import { describeWorkflow } from "../../library/describe-workflow.ts";
import { findInWorkspace } from "../../library/find-in-workspace.ts";
import { defined } from "../../util/defined.ts";
import { inSlices } from "../../util/time-slice.ts";
import { describeChoice } from "../describe-library.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";

export const getWorkflowInfo: Tool = defineTool({
  name: "get_workflow_info",
  title: "Describe a workflow",
  description:
    "What a workflow takes, gives, does and can touch: inputs, outputs, blocks with what they wait for. Next: execute_workflow.",
  toolset: "core",
  effect: "reads",
  parameters: () => z.strictObject({ workflow: z.string().min(1).describe("Name; see list_workflows") }),
  async call({ workflow }, _call, { openRuntime, settings }) {
    const { workflows } = openRuntime(settings.workspace);
    const { plan, diagnostics } = await inSlices(findInWorkspace(workflow, "check", settings.workspace, workflows));
    if (plan === undefined) return refuse(...diagnostics);
    const { name, source: file } = plan.definition;
    const found = workflows.library.find(name);
    const entry = found?.file === file.name ? found : workflows.entryOf(file.name);
    const info = describeWorkflow(plan, (other) => workflows.callable(other), entry);
    return result({ ...info, ...defined({ source: entry?.source }), ...describeChoice(diagnostics) }, "detailed");
  },
});
