import * as z from "zod";
import { chooseWorkspace } from "../reach-run.ts";
import { refuse } from "../reply.ts";
import { startHere } from "../start-here.ts";
import { defineTool, type Tool } from "../tool.ts";
import { idempotencyKey, inputs, responseFormat, runSchema, waitingOf, waitSeconds, workspace } from "./parameters.ts";

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
      idempotency_key: idempotencyKey,
      workspace,
    }),
  async call(args, call, door) {
    const directory = chooseWorkspace(args.workspace, door);
    if (!directory.ok) return refuse(directory.error);
    const engine = door.openEngine(directory.value);
    const start = {
      engine,
      checked: engine.workflows.checkText({ name: inlineName, text: args.workflow_yaml }),
      inputs: args.inputs,
      workspace: directory.value,
      idempotencyKey: args.idempotency_key,
    };
    return startHere(start, waitingOf(args), call, door);
  },
});
