import * as z from "zod";
import { describeWorkflow } from "../../library/describe-workflow.ts";
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
    const { plan, diagnostics } = await inSlices(workflows.findInSlices(workflow));
    if (plan === undefined) return refuse(...diagnostics);
    const source = workflows.library.find(workflow)?.source;
    const info = describeWorkflow(
      plan,
      (name) => workflows.callable(name),
      workflows.library.find(plan.definition.name),
    );
    return result({ ...info, ...defined({ source }), ...describeChoice(diagnostics) }, "detailed");
  },
});
