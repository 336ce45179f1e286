import { type UndoWish, undoesItself } from "../plan/effective-effects.ts";
import type { RunNode } from "./run-node.ts";

/** Who may want to take back what a node does, as far as the texts tell. */
export function undoWishOf(node: RunNode, observeAsked: boolean): UndoWish {
  return { onFailure: node.block?.onFailure ?? "continue", undoneAround: isUndoneAround(node), observeAsked };
}

/** Whether a failure somewhere may lead to taking back what the node does, so that it must be possible. */
export function promisesUndo(node: RunNode): boolean {
  const { block } = node;
  return (block !== undefined && undoesItself(block.definition, block.onFailure)) || isUndoneAround(node);
}

function isUndoneAround(node: RunNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const { inside, block } = at;
    if (inside.kind === "workflow" && inside.plan.mayRollBack) return true;
    if (block !== undefined && undoesItself(block.definition, block.onFailure)) return true;
  }
  return false;
}
