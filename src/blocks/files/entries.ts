import type { BlockFiles, FileChange } from "../../block/block-files.ts";
import { BlockCannotRun } from "../../block/define-block.ts";
import type { FileState, RootedPath } from "../../block/ports.ts";
import { absolutePath, parentOf, shownPath } from "../../block/rooted-path.ts";
import { OperationFailed, orFail } from "./file-operation.ts";

/** What lies at a path where devices have no business. A link is there for itself, not for what it leads to. */
export async function lookAtEntry(files: BlockFiles, at: RootedPath): Promise<Exclude<FileState, { kind: "other" }>> {
  const state = orFail(await files.look(at));
  if (state.kind === "other") throw new BlockCannotRun(`'${shownPath(at)}' is neither a file nor a directory`);
  return state;
}

/** The same where links have none either. */
export async function lookAt(
  files: BlockFiles,
  at: RootedPath,
): Promise<Exclude<FileState, { kind: "link" | "other" }>> {
  const state = await lookAtEntry(files, at);
  if (state.kind !== "link") return state;
  throw new BlockCannotRun(`'${shownPath(at)}' is a symbolic link, and links are not followed`);
}

/** The same where a file is, or nothing yet. */
export async function lookForFile(
  files: BlockFiles,
  at: RootedPath,
): Promise<Exclude<FileState, { kind: "link" | "other" | "directory" }>> {
  const state = await lookAt(files, at);
  if (state.kind === "directory") throw new OperationFailed(`'${shownPath(at)}' is a directory, not a file`);
  return state;
}

/** Whether a file lies there with these bytes and, unless any will do, this mode. */
export async function isSameFile(
  files: BlockFiles,
  at: RootedPath,
  { bytes, mode }: { readonly bytes: Uint8Array; readonly mode?: number },
): Promise<boolean> {
  const found = orFail(await files.look(at));
  if (found.kind !== "file" || found.size !== bytes.length || (mode ?? found.mode) !== found.mode) return false;
  return Buffer.compare(orFail(await files.read(at, bytes.length)).bytes, bytes) === 0;
}

/** A file at a path that ends with a slash would not be what was meant. */
export function refuseDirectoryName(path: string): void {
  if (path.endsWith("/")) throw new BlockCannotRun(`'${path}' names a directory; add the name of the file`);
}

/** The directories to be made before something can be made at the path. */
export async function planParents(files: BlockFiles, at: RootedPath, allowed: boolean): Promise<FileChange[]> {
  const { missing, nearest } = await findParents(files, at);
  const { kind } = await lookAt(files, nearest);
  if (kind === "file") throw new OperationFailed(`'${shownPath(nearest)}' is a file, not a directory`);
  const parent = missing.at(-1);
  if (parent !== undefined && !allowed) throw new OperationFailed(`there is no directory '${shownPath(parent)}'`);
  return missing.map((directory) => ({ kind: "make-directory", at: directory }));
}

/**
 * Waits for everybody else in this process who does something at one of the paths, or makes a directory on the way to one.
 * Taken in the order of their paths, so that no two wait for each other.
 */
export async function exclusively<T>(
  files: BlockFiles,
  paths: readonly RootedPath[],
  action: () => Promise<T>,
): Promise<T> {
  const byPath = new Map<string, RootedPath>();
  for (const at of paths) {
    const { missing } = await findParents(files, at);
    for (const taken of [at, ...missing]) byPath.set(absolutePath(taken), taken);
  }
  const order = [...byPath.keys()].sort();
  const take = (index: number): Promise<T> => {
    const at = byPath.get(order[index] ?? "");
    return at === undefined ? action() : files.exclusively(at, () => take(index + 1));
  };
  return take(0);
}

/** The directories on the way to a path that are missing, and the nearest thing above them that is not. */
async function findParents(
  files: BlockFiles,
  at: RootedPath,
): Promise<{ readonly missing: readonly RootedPath[]; readonly nearest: RootedPath }> {
  const missing: RootedPath[] = [];
  for (let parent = parentOf(at); ; parent = parentOf(parent)) {
    const found = parent.path === "" ? undefined : await files.look(parent);
    if (found?.kind !== "missing") return { missing, nearest: parent };
    missing.unshift(parent);
  }
}
