import type { BlockDefinition } from "../definition/workflow-definition.ts";
import { expressionsWithin, referencesOf } from "./collect-references.ts";
import type { PlannedBlock } from "./plan.ts";

/** The blocks that a block, with what is inside it, reads only where an expression may do without them. */
export function readOnlyIfNeeded(reader: BlockDefinition): ReadonlySet<string> {
  const ifNeeded = new Set<string>();
  const always = new Set<string>();
  for (const { reference } of referencesOf(expressionsWithin(reader))) {
    if (reference.root !== "blocks") continue;
    (reference.mayGoUnread === true ? ifNeeded : always).add(String(reference.keys[0]));
  }
  for (const id of always) ifNeeded.delete(id);
  return ifNeeded;
}

/** Whether its own condition can skip it. One about the elements of a loop skips elements, never the loop. */
export function canBeSkipped({ definition, conditionPerElement }: PlannedBlock): boolean {
  return definition.condition !== undefined && !conditionPerElement;
}
