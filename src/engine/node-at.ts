import type { RunNode } from "./run-node.ts";
import type { RunState } from "./state.ts";

export function nodeAt(state: RunState, path: string): RunNode {
  const node = state.nodes.get(path);
  if (node === undefined) throw new Error(`The run has no block at ${path}.`);
  return node;
}
