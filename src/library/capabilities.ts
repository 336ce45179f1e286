import type { Capability } from "../block/define-block.ts";
import { allBlocks } from "../definition/all-blocks.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type FindWorkflow, knownChild } from "../plan/block-shape.ts";
import { knownWorkflows } from "./known-workflows.ts";
import { takesCommands } from "./takes-commands.ts";

/** `takes commands`: who calls it decides which program runs. */
type FoundCapability = Capability | "takes commands" | "unknown";

/** What a workflow can touch of the outside, through everything it calls; a child that is not known could do anything. */
export function capabilitiesOf(root: WorkflowDefinition, find: FindWorkflow): readonly FoundCapability[] {
  const found = new Set<FoundCapability>();
  if (takesCommands(root, find)) found.add("takes commands");
  for (const definition of knownWorkflows(root, find)) {
    for (const block of allBlocks(definition)) {
      for (const capability of block.type.capabilities) found.add(capability);
      if (block.type.behaviour.kind === "nested" && knownChild(block, find) === undefined) found.add("unknown");
    }
  }
  return [...found].sort();
}
