import { allBlocks } from "../definition/all-blocks.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { PlanSource } from "../engine/state.ts";
import { childKey, type FindWorkflow } from "../plan/block-shape.ts";
import type { Plan } from "../plan/plan.ts";
import { secretsNamedIn } from "../plan/secret-references.ts";
import { knownWorkflows } from "./known-workflows.ts";

/** Names of the secrets that a workflow, and everything it is known to call, speaks of. */
export function secretsOf(root: WorkflowDefinition, find: FindWorkflow): string[] {
  const names = new Set<string>();
  for (const definition of knownWorkflows(root, find)) {
    for (const block of allBlocks(definition)) for (const name of secretsNamedIn(block)) names.add(name);
  }
  return [...names].sort();
}

/** Of those, the ones it can't do without: read by blocks that run in any case, unless something fails before. */
export function secretsNeededBy(root: Plan, plans: PlanSource): string[] {
  const names = new Set<string>();
  const seen = new Set<Plan>();
  const open = [root];
  for (let plan = open.pop(); plan !== undefined; plan = open.pop()) {
    if (seen.has(plan)) continue;
    seen.add(plan);
    for (const { definition, group } of certainBlocks(plan)) {
      if (group !== undefined) open.push(group);
      for (const name of secretsNamedIn(definition)) names.add(name);
      const child = childKey(definition);
      const called = child === undefined ? undefined : plans(child);
      if (called?.ok) open.push(called.value);
    }
  }
  return [...names].sort();
}

/** Blocks without a condition or a loop that wait for none with one, unless they run without it too. */
function certainBlocks({ blocks }: Plan): readonly Plan["blocks"][number][] {
  const certain = new Set<number>();
  for (const { index, definition, edges } of blocks.toSorted((one, other) => one.wave - other.wave)) {
    const waitsForCertain = edges.every(({ on, required }) => !required || certain.has(on));
    if (definition.condition === undefined && definition.forEach === undefined && waitsForCertain) certain.add(index);
  }
  return blocks.filter(({ index }) => certain.has(index));
}
