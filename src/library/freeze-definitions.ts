import { allBlocks } from "../definition/all-blocks.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { fileOfKey, nameOfKey } from "../definition/workflow-path.ts";
import type { FrozenDefinition } from "../engine/events.ts";
import { childKey } from "../plan/block-shape.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Workflows } from "./workflows.ts";

/** The texts of a workflow and of everything it is known to call, by key, so that the run means the same to its end. */
export function freezeDefinitions(
  root: WorkflowDefinition,
  rootKey: string,
  workflows: Workflows,
): Record<string, FrozenDefinition> {
  const frozen: Record<string, FrozenDefinition> = {};
  const open = [{ key: rootKey, definition: root }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { key, definition } = next;
    if (Object.hasOwn(frozen, key)) continue;
    frozen[key] = freeze(definition);
    for (const block of allBlocks(definition)) {
      const called = childKey(block);
      const child = called === undefined ? undefined : workflows.callable(called);
      if (called !== undefined && child !== undefined) open.push({ key: called, definition: child });
    }
  }
  return frozen;
}

function freeze({ source: { name, text, reach } }: WorkflowDefinition): FrozenDefinition {
  return { file: name, text, ...defined({ reach }) };
}

/** The text of a workflow that was not known when the run started. */
export function findLate(workflows: Workflows, key: string): Result<FrozenDefinition, string> {
  const isFile = fileOfKey(key) !== undefined;
  const plan = isFile ? workflows.planOf(key) : workflows.findByName(nameOfKey(key)).plan;
  if (plan !== undefined) return ok(freeze(plan.definition));
  const [first] = isFile ? [workflows.explainMissing(key)] : workflows.findByName(nameOfKey(key)).diagnostics;
  return err(
    first === undefined
      ? `No workflow is named '${nameOfKey(key)}'.`
      : [first.message, first.fix].filter(Boolean).join(" "),
  );
}
