import type { BlockDefinition, Effects, OnFailure } from "../definition/workflow-definition.ts";

/** Who wants to be able to undo what a block does. */
export interface UndoWish {
  /** What its own failure leads to. */
  readonly onFailure: OnFailure;
  /**
   * Something around it may undo it: a block of its workflow, or of one that calls it, leads to a rollback, or what holds it has
   * `rollback_block` or `retry.restore`.
   */
  readonly undoneAround: boolean;
  /** Whoever started the run wants all commands observed. */
  readonly observeAsked: boolean;
}

/** How what a block does to files becomes known. What its author says is the last word; else it is observed where somebody asks. */
export function effectiveEffects(block: BlockDefinition, wish: UndoWish): Effects {
  if (block.type.effects !== true) return "none";
  if (block.effects !== undefined) return block.effects;
  return undoesItself(block, wish.onFailure) || wish.undoneAround || wish.observeAsked ? "observe" : "none";
}

/** Whether a failed attempt of the block, its failure, or its budget leads to undoing what lies in it. */
export function undoesItself({ retry, budget }: BlockDefinition, onFailure: OnFailure): boolean {
  if (budget?.onExceeded === "rollback") return true;
  return retry?.restore === true || onFailure === "rollback" || onFailure === "rollback_block";
}
