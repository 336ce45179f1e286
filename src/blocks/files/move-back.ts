import type { FileChange } from "../../block/block-files.ts";
import { BlockCannotRun, type BlockContext } from "../../block/define-block.ts";
import type { RootedPath } from "../../block/ports.ts";
import { shownPath } from "../../block/rooted-path.ts";
import { isSameState } from "../../changes/effects.ts";
import type { EntryState } from "../../changes/recorded-change.ts";
import { lookAtEntry, planParents } from "./entries.ts";
import { OperationFailed } from "./file-operation.ts";
import { type Conflict, describeFound } from "./find-restores.ts";
import { refuseProtected, walkTree } from "./walk-tree.ts";

/** Something that goes back as a whole. */
export interface WantedMove {
  /** Where it lies, as it is written. */
  readonly path: string;
  readonly from: RootedPath;
  readonly to: RootedPath;
  readonly expect?: EntryState;
}

export type FoundMove =
  | { readonly kind: "already" }
  | { readonly kind: "movable"; readonly changes: readonly FileChange[] }
  | { readonly kind: "conflict"; readonly conflict: Conflict };

export async function findMove(move: WantedMove, context: BlockContext): Promise<FoundMove> {
  const { path, from, to } = move;
  try {
    const [present, target] = [await lookAtEntry(context.files, from), await lookAtEntry(context.files, to)];
    const refuse = (reason: string): FoundMove => ({
      kind: "conflict",
      conflict: { path, reason, found: describeFound(present) },
    });
    if (present.kind === "missing") {
      return target.kind !== "missing" && fits(target, move) ? { kind: "already" } : refuse("it was deleted since");
    }
    if (!fits(present, move)) return refuse("it was changed since");
    if (target.kind !== "missing") return refuse(`it can't go back to '${shownPath(to)}', which exists`);
    if (present.kind === "directory") refuseProtected(context, await walkTree(context, from));
    const parents = await planParents(context.files, to, true);
    return { kind: "movable", changes: [...parents, { kind: "rename", from, to }] };
  } catch (error) {
    // Others can go back all the same.
    if (!(error instanceof OperationFailed || error instanceof BlockCannotRun)) throw error;
    return { kind: "conflict", conflict: { path, reason: error.message, found: "" } };
  }
}

function fits(found: EntryState, { expect }: WantedMove): boolean {
  return expect === undefined || isSameState(found, expect);
}
