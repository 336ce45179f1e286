import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { FrozenDefinition } from "../engine/events.ts";
import { childName } from "../plan/block-shape.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Workflows } from "./workflows.ts";

/** The texts of a workflow and of everything it is known to call, so that the run means the same to its end. */
export function freezeDefinitions(root: WorkflowDefinition, workflows: Workflows): Record<string, FrozenDefinition> {
  const frozen: Record<string, FrozenDefinition> = {};
  const open = [root];
  for (let definition = open.pop(); definition !== undefined; definition = open.pop()) {
    if (Object.hasOwn(frozen, definition.name)) continue;
    frozen[definition.name] = { file: definition.source.name, text: definition.source.text };
    for (const block of definition.blocks) {
      const name = childName(block);
      const child = name === undefined ? undefined : workflows.callable(name);
      if (child !== undefined) open.push(child);
    }
  }
  return frozen;
}

/** The text of a workflow that was not known when the run started. */
export function findLate(workflows: Workflows, name: string): Result<FrozenDefinition, string> {
  const checked = workflows.findByName(name);
  if (checked.plan !== undefined) {
    const { source } = checked.plan.definition;
    return ok({ file: source.name, text: source.text });
  }
  const [first] = checked.diagnostics;
  return err(
    first === undefined ? `No workflow is named '${name}'.` : [first.message, first.fix].filter(Boolean).join(" "),
  );
}
