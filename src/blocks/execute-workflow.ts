import * as z from "zod";
import type { BlockType } from "../block/define-block.ts";
import type { ValueMap } from "../expression/value.ts";
import { once } from "../util/once.ts";

export const executeWorkflow: BlockType = {
  type: "ExecuteWorkflow",
  aliases: ["Workflow"],
  summary: "Runs another workflow inside this run; its outputs become the block's, its blocks can be reached below it.",
  otherNames: {
    ...{ name: "workflow", workflow_name: "workflow", file: "workflow", path: "workflow", uses: "workflow" },
    ...{ with: "inputs", args: "inputs", arguments: "inputs", params: "inputs", parameters: "inputs" },
  },
  inputs: once(() =>
    z.strictObject({
      workflow: z
        .string()
        .min(1)
        .describe("Name of the workflow to run, or a path from this file that begins with ./ or ../"),
      inputs: z.record(z.string(), z.unknown()).default({}).describe("Inputs of that workflow; it sees nothing else"),
      workspace: z
        .string()
        .min(1)
        .optional()
        .describe("A directory inside the workspace to run it in; default: the same workspace"),
    }),
  ),
  outputs: once(() => z.looseObject({}).describe("The outputs the workflow declares")),
  defaultOutputs: {},
  timeoutInput: { name: "timeout_ms", unit: "ms" },
  capabilities: [],
  undo: "not_needed",
  onInterrupted: "rerun",
  behaviour: {
    kind: "nested",
    nameInput: "workflow",
    argumentsInput: "inputs",
    workspaceInput: "workspace",
    child: ({ workflow, inputs, workspace }) => ({
      workflow: workflow as string,
      inputs: inputs as ValueMap,
      ...(typeof workspace === "string" ? { workspace } : {}),
    }),
  },
};
