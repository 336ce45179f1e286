import * as z from "zod";
import { defineTool, type Tool } from "../tool.ts";
import { idempotencyKeyParameter, inputs, responseFormat, runSchema, waitSeconds, workspace } from "./parameters.ts";
import { startAsAsked } from "./start-as-asked.ts";

export const inlineName = "inline.yaml";

export const executeInlineWorkflow: Tool = defineTool({
  name: "execute_inline_workflow",
  title: "Run a workflow given as text",
  description:
    "Runs a workflow from its YAML text; else like execute_workflow, resumable like any other. get_workflow_schema tells how to write one, validate_workflow_yaml checks it.",
  toolset: "core",
  effect: "runs",
  takesText: true,
  outputSchema: runSchema,
  parameters: () =>
    z.strictObject({
      workflow_yaml: z.string().min(1),
      inputs,
      response_format: responseFormat,
      wait_seconds: waitSeconds,
      idempotency_key: idempotencyKeyParameter,
      workspace,
    }),
  call: (args, call, context) =>
    startAsAsked(
      args,
      (workflows) => workflows.checkInSlices({ name: inlineName, text: args.workflow_yaml }),
      call,
      context,
    ),
});
