import type { BlockContext } from "../../block/define-block.ts";
import type { RootedPath } from "../../block/ports.ts";
import { OperationFailed } from "../files/file-operation.ts";
import { RefStore, type RefValue } from "./ref-store.ts";

/** A ref that moved, and where it is to be again. */
export interface RefToRestore {
  /** The git directory that holds it: `.git`, or one below `.git/worktrees` for the HEAD of a worktree. */
  readonly repository: RootedPath;
  /** In full, such as `refs/heads/main`, or `HEAD`. */
  readonly name: string;
  readonly expect: RefValue;
  readonly restore: RefValue;
}

export interface RefConflict {
  readonly repository: RootedPath;
  readonly name: string;
  readonly reason: string;
  readonly found: RefValue;
}

export interface RestoredRefs {
  readonly restored: number;
  /** Those that were where they belong. */
  readonly already: number;
  readonly conflicts: readonly RefConflict[];
}

/**
 * Puts refs back to where they were, each only if it is still where it was left. Index and work tree stay as they are. `force` takes
 * back those too that somebody else has moved since; where they were is in git's own log of them.
 */
export async function restoreRefs(
  context: BlockContext,
  refs: readonly RefToRestore[],
  { force = false }: { readonly force?: boolean } = {},
): Promise<RestoredRefs> {
  const conflicts: RefConflict[] = [];
  let restored = 0;
  let already = 0;
  for (const ref of refs.toSorted((one, other) => turnOf(one) - turnOf(other))) {
    const { repository, name } = ref;
    const done = await context.files.exclusively(repository, () => restore(context, ref, force));
    if (done === "restored") restored++;
    else if (done === "already") already++;
    else conflicts.push({ repository, name, ...done });
  }
  return { restored, already, conflicts };
}

/** HEAD leaves a branch before it is deleted; `refs/heads/a` is gone before `refs/heads/a/b` can be. */
function turnOf({ name, restore: value }: RefToRestore): number {
  if (!name.startsWith("refs/")) return 0;
  return value === null ? 1 : 2;
}

type Done = "restored" | "already" | Pick<RefConflict, "reason" | "found">;

async function restore(context: BlockContext, ref: RefToRestore, force: boolean): Promise<Done> {
  const { name, restore: wanted } = ref;
  try {
    const store = await RefStore.open(context, ref.repository);
    const found = await store.read(name);
    if (found === wanted) return "already";
    if (found !== ref.expect && !force) return { reason: explainMove(found), found };
    const user = wanted === null ? await store.worktreeOn(name) : undefined;
    if (user !== undefined) return { reason: `it is checked out in '${user}'`, found };
    const complaint = await store.move(name, found, wanted);
    return complaint === undefined ? "restored" : { reason: complaint, found };
  } catch (error) {
    if (!(error instanceof OperationFailed)) throw error;
    return { reason: error.message, found: null };
  }
}

function explainMove(found: RefValue): string {
  return found === null ? "it was deleted since" : `it was moved since, to ${found.replace(/^ref: /, "")}`;
}
