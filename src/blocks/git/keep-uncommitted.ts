import type { BlockFiles, FileChange } from "../../block/block-files.ts";
import type { RootedPath } from "../../block/ports.ts";
import { childOf, shownPath } from "../../block/rooted-path.ts";
import { guardedDirectory } from "../../util/guarded-directory.ts";
import { lookAtEntry } from "../files/entries.ts";
import { OperationFailed, orFail } from "../files/file-operation.ts";
import type { GitAnswer } from "./repository.ts";

/** What `git status` tells of a worktree: NUL after each entry, names as they are, a move as the two that it is. */
export const statusOptions = ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=none"] as const;

export interface Uncommitted {
  /** They remove what the commit does not have, and what is not as in it: as changes, so that it is kept. */
  readonly changes: readonly FileChange[];
  /** Paths of the commit that are not as in it. */
  readonly changed: readonly string[];
}

/** Everything in a worktree that is not committed, but for what git ignores. */
export async function findUncommitted(files: BlockFiles, at: RootedPath, status: GitAnswer): Promise<Uncommitted> {
  if (!status.isWhole) throw new OperationFailed(`'${shownPath(at)}' contains too many changes to be kept`);
  const changes: FileChange[] = [];
  const changed: string[] = [];
  for (const entry of status.stdout.split("\0").filter(Boolean)) {
    const path = entry.slice(3).replace(/\/$/, "");
    const isNew = entry.startsWith("??") || entry.startsWith("A");
    if (!isNew) changed.push(path);
    await removeAll(files, childOf(at, path), isNew, changes);
  }
  return { changes, changed };
}

async function removeAll(files: BlockFiles, at: RootedPath, isNew: boolean, changes: FileChange[]): Promise<void> {
  const { kind } = await lookAtEntry(files, at);
  if (kind === "missing") {
    if (!isNew) return;
    throw new OperationFailed(`'${shownPath(at)}' can't be kept: its name is not text, or it has gone`);
  }
  const name = at.path.slice(at.path.lastIndexOf("/") + 1);
  if ((kind === "directory" && !isNew) || guardedDirectory(name) !== undefined) {
    throw new OperationFailed(`'${shownPath(at)}' is a repository of its own, which can't be kept; remove it first`);
  }
  if (kind === "directory") {
    for (const inside of orFail(await files.list(at))) await removeAll(files, childOf(at, inside), true, changes);
  }
  changes.push({ kind: "remove", at });
}
