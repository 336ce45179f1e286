import * as z from "zod";
import { type BlockInfo, describeWorkflow, type WorkflowInfo } from "../../library/describe-workflow.ts";
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
  parameters: () => z.strictObject({ workflow: z.string().min(1).describe("Name or path; see list_workflows") }),
  async call({ workflow }, _call, { openRuntime, settings }) {
    const { workflows, platform } = openRuntime(settings.workspace);
    const { plan, diagnostics } = await inSlices(findInWorkspace(workflow, "check", settings.workspace, workflows));
    if (plan === undefined) return refuse(...diagnostics);
    const { name, source: file } = plan.definition;
    const found = workflows.library.find(name);
    const entry = found?.file === file.name ? found : workflows.entryOf(file.name);
    const { file: path, ...info } = brief(
      describeWorkflow(plan, (other) => workflows.callable(other), entry, platform.clock.now()),
    );
    const origin = entry?.source === "built-in" ? {} : { file: path };
    const source = defined({ source: entry?.source });
    return result({ ...info, ...origin, ...source, ...describeChoice(diagnostics) }, "detailed");
  },
});

type Brief = Omit<WorkflowInfo, "version" | "inputs" | "blocks" | "undo"> & {
  readonly inputs: object;
  readonly blocks: object;
};

/** Without what says nothing: it is read by a model, once for each workflow that it may choose. */
function brief({ version, inputs, blocks, undo: _, ...info }: WorkflowInfo): Brief {
  const needed = Object.entries(inputs).map(([name, { required, ...input }]) => [
    name,
    required || input.default === undefined ? { ...input, required } : input,
  ]);
  return {
    ...info,
    ...(version === "1.0" ? {} : { version }),
    inputs: Object.fromEntries(needed),
    blocks: blocks.map(briefBlock),
  };
}

function briefBlock({ depends_on: edges, blocks, ...block }: BlockInfo): object {
  const dependencies = edges.map(({ block: on, required }) => (required ? on : { block: on, required }));
  return {
    ...block,
    ...(dependencies.length === 0 ? {} : { depends_on: dependencies }),
    ...(blocks === undefined ? {} : { blocks: blocks.map(briefBlock) }),
  };
}
