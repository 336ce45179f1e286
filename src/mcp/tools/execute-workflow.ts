import * as z from "zod";
import { findInWorkspace } from "../../library/find-in-workspace.ts";
import { defineTool, type Tool } from "../tool.ts";
import { runSchema, startParameters } from "./parameters.ts";
import { startAsAsked } from "./start-as-asked.ts";

export const executeWorkflow: Tool = defineTool({
  name: "execute_workflow",
  title: "Run a workflow",
  description:
    "Runs a workflow of the library and gives its outputs, or which block failed and why. status paused: answer with resume_workflow; running: call get_run.",
  toolset: "core",
  effect: "runs",
  repliesWithRun: true,
  outputSchema: runSchema,
  parameters: () =>
    z.strictObject({
      workflow: z.string().min(1).describe("Name or path; see list_workflows"),
      ...startParameters,
    }),
  call: (args, call, context) =>
    startAsAsked(
      args,
      (workflows, directory) => findInWorkspace(args.workflow, "run", directory, workflows),
      call,
      context,
    ),
});
