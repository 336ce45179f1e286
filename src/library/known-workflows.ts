import { allBlocks } from "../definition/all-blocks.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { childKey, type FindWorkflow } from "../plan/block-shape.ts";

/** A workflow and every one that it calls, directly or through others, as far as they are known; each once. */
export function* knownWorkflows(root: WorkflowDefinition, find: FindWorkflow): Generator<WorkflowDefinition> {
  const seen = new Set<WorkflowDefinition>();
  const open = [root];
  for (let definition = open.pop(); definition !== undefined; definition = open.pop()) {
    if (seen.has(definition)) continue;
    seen.add(definition);
    yield definition;
    for (const block of allBlocks(definition)) {
      const name = childKey(block);
      const child = name === undefined ? undefined : find(name);
      if (child !== undefined) open.push(child);
    }
  }
}
