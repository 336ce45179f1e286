import type { Capability } from "../block/define-block.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type FindWorkflow, knownChild } from "../plan/block-shape.ts";
import { knownWorkflows } from "./known-workflows.ts";

/** What a workflow can touch of the outside, through everything it calls; a child that is not known could do anything. */
export function capabilitiesOf(root: WorkflowDefinition, find: FindWorkflow): readonly (Capability | "unknown")[] {
  const found = new Set<Capability | "unknown">();
  for (const { blocks } of knownWorkflows(root, find)) {
    for (const block of blocks) {
      for (const capability of block.type.capabilities) found.add(capability);
      if (block.type.behaviour.kind === "nested" && knownChild(block, find) === undefined) found.add("unknown");
    }
  }
  return [...found].sort();
}
