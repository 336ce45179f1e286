import * as z from "zod";
import { allDiagnostics, describeValidation } from "../../library/validate-workflow.ts";
import { inSlices } from "../../util/time-slice.ts";
import { result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { explainForModel } from "../word-advice.ts";
import { inlineSource } from "./execute-inline-workflow.ts";

export const validateWorkflowYaml: Tool = defineTool({
  name: "validate_workflow_yaml",
  title: "Check a workflow",
  description:
    "Checks the YAML text of a workflow and says everything that is wrong at once, with line, column and what to write instead. Nothing is run. Next: execute_inline_workflow.",
  toolset: "authoring",
  effect: "reads",
  parameters: () => z.strictObject({ yaml_content: z.string().min(1) }),
  async call({ yaml_content: text }, _call, { openRuntime, settings }) {
    const runtime = openRuntime(settings.workspace);
    const checked = await inSlices(runtime.workflows.checkInSlices(inlineSource(text, runtime.workflows)));
    const diagnostics = await allDiagnostics(checked, runtime.platform);
    return result(describeValidation(checked, diagnostics.map(explainForModel), runtime.workflows, false));
  },
});
