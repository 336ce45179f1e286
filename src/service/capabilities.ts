import type { Capability } from "../block/define-block.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { childName, type FindWorkflow } from "../plan/block-shape.ts";

/** What a workflow can touch of the outside, through everything it calls; a child that is not known could do anything. */
export function capabilitiesOf(root: WorkflowDefinition, find: FindWorkflow): readonly (Capability | "unknown")[] {
  const found = new Set<Capability | "unknown">();
  const seen = new Set<WorkflowDefinition>();
  const open = [root];
  for (let definition = open.pop(); definition !== undefined; definition = open.pop()) {
    if (seen.has(definition)) continue;
    seen.add(definition);
    for (const block of definition.blocks) {
      for (const capability of block.type.capabilities) found.add(capability);
      if (block.type.behaviour.kind !== "nested") continue;
      const name = childName(block);
      const child = name === undefined ? undefined : find(name);
      if (child === undefined) found.add("unknown");
      else open.push(child);
    }
  }
  return [...found].sort();
}
