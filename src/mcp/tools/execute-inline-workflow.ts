import * as z from "zod";
import type { Source } from "../../diagnostic/source.ts";
import type { Workflows } from "../../library/workflows.ts";
import { defined } from "../../util/defined.ts";
import { defineTool, type Tool } from "../tool.ts";
import { runSchema, startParameters } from "./parameters.ts";
import { startAsAsked } from "./start-as-asked.ts";

/** A workflow that is no file. */
export function inlineSource(text: string, workflows: Workflows): Source {
  return { name: "inline.yaml", text, isInline: true, ...defined({ reach: workflows.inlineReach() }) };
}

export const executeInlineWorkflow: Tool = defineTool({
  name: "execute_inline_workflow",
  title: "Run a workflow given as text",
  description:
    "Runs a workflow from its YAML text; else like execute_workflow. get_workflow_schema tells how to write one, validate_workflow_yaml checks it.",
  toolset: "core",
  effect: "runs",
  repliesWithRun: true,
  takesText: true,
  outputSchema: runSchema,
  parameters: () =>
    z.strictObject({
      workflow_yaml: z.string().min(1),
      ...startParameters,
    }),
  call: (args, call, context) =>
    startAsAsked(
      args,
      (workflows) => workflows.checkInSlices(inlineSource(args.workflow_yaml, workflows)),
      call,
      context,
    ),
});
