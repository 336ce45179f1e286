import type { Value, ValueMap } from "../expression/value.ts";
import { type FindWorkflow, knownChild } from "../plan/block-shape.ts";
import { isLoop, type RunNode } from "./run-node.ts";

/** Outputs of a block that did not run to its end: every declared name is there, and none looks like success. */
export function defaultOutputs(node: RunNode, find: FindWorkflow): ValueMap {
  const { block } = node;
  const outputs = Object.create(null) as Record<string, Value>;
  if (block === undefined) return outputs;
  const { definition } = block;
  if (isLoop(node)) {
    const own = definition.repeat === undefined ? { failed_elements: [] } : { last: null };
    return Object.assign(outputs, { results: [], count: 0, failed_keys: [], ...own });
  }
  Object.assign(outputs, definition.type.defaultOutputs);
  for (const file of definition.fileOutputs) outputs[file.name] = null;
  const inside = definition.group ?? knownChild(definition, find);
  for (const name of inside?.outputs.keys() ?? []) outputs[name] = null;
  return outputs;
}
