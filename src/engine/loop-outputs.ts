import type { Value, ValueMap } from "../expression/value.ts";
import type { LoopInside, RunNode } from "./run-node.ts";

/** The outputs of a loop all of whose passes have ended. They follow from the passes, so no event repeats them. */
export function loopOutputs({ block, inside }: RunNode): ValueMap {
  const { passes } = inside as LoopInside;
  const results: Value[] = [];
  const failedKeys: Value[] = [];
  const failedElements: Value[] = [];
  for (const { record, element, key } of passes) {
    const { metadata, outputs } = record;
    results.push(metadata.skipped ? null : outputs);
    if (!metadata.failed) continue;
    failedKeys.push(element?.key ?? key);
    failedElements.push(element?.value ?? null);
  }
  return Object.assign(Object.create(null) as Record<string, Value>, {
    results,
    count: passes.length,
    failed_keys: failedKeys,
    ...(block?.definition.repeat === undefined
      ? { failed_elements: failedElements }
      : { last: results.at(-1) ?? null }),
  });
}
