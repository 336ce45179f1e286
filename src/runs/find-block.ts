import { suggestName } from "../diagnostic/did-you-mean.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { isLoop, type RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import { err, ok, type Result } from "../util/result.ts";

/** The block at an address from the root, such as `deploy/build` or `lint/2`. */
export function findBlock(state: RunState, path: string): Result<RunNode, Problem> {
  const node = state.nodes.get(path);
  if (node?.parent !== undefined) return ok(node);
  const known = [...state.nodes.keys()].filter((address) => address !== "");
  const top = known.filter((address) => !address.includes("/"));
  const message = `${state.started.runId} has no block '${path}'.`;
  return err(problem("unknown-block", message, suggestName(path, known, "block", top)));
}

/** Whether other blocks are, or will be, inside it: it is a loop, a group or another workflow. */
export function holdsBlocks(node: RunNode): boolean {
  return node.block === undefined || isLoop(node) || node.block.definition.type.behaviour.kind !== "leaf";
}

/** Whether a block may still come: those inside another are known only once that one has started. */
export function mayCome(state: RunState, path: string): boolean {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const around = state.nodes.get(path.slice(0, end));
    if (around !== undefined) return holdsBlocks(around) && !around.ended;
  }
  return false;
}
