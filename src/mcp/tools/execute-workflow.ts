import * as z from "zod";
import { chooseWorkspace } from "../reach-run.ts";
import { refuse } from "../reply.ts";
import { startHere } from "../start-here.ts";
import { defineTool, type Tool } from "../tool.ts";
import { idempotencyKey, inputs, responseFormat, runSchema, waitingOf, waitSeconds, workspace } from "./parameters.ts";

export const executeWorkflow: Tool = defineTool({
  name: "execute_workflow",
  title: "Run a workflow",
  description:
    "Runs a workflow of the library and gives its outputs, or which block failed and why. status paused: it asks something, answer with resume_workflow. status running: call get_run.",
  toolset: "core",
  effect: "runs",
  outputSchema: runSchema,
  parameters: () =>
    z.strictObject({
      workflow: z.string().min(1).describe("Name; see list_workflows"),
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
      checked: engine.workflows.findByName(args.workflow),
      inputs: args.inputs,
      workspace: directory.value,
      idempotencyKey: args.idempotency_key,
    };
    return startHere(start, waitingOf(args), call, door);
  },
});
