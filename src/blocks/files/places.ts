import { resolve } from "node:path";
import type { BlockFiles, FileChange } from "../../block/block-files.ts";
import { BlockCannotRun } from "../../block/define-block.ts";
import type { FilePlace, FileState } from "../../block/ports.ts";
import { shownPath } from "../../block/shown-path.ts";
import { OperationFailed, orFail } from "./file-operation.ts";

export { shownPath } from "../../block/shown-path.ts";

export function absolutePath({ root, path }: FilePlace): string {
  return resolve(root, path);
}

export function childOf({ root, path }: FilePlace, name: string): FilePlace {
  return { root, path: path === "" ? name : `${path}/${name}` };
}

export function isWithin(place: FilePlace, directory: FilePlace): boolean {
  return `${absolutePath(place)}/`.startsWith(`${absolutePath(directory).replace(/\/$/, "")}/`);
}

/** What lies at a place where devices have no business. A link is there for itself, not for what it leads to. */
export async function lookAtEntry(files: BlockFiles, place: FilePlace): Promise<Exclude<FileState, { kind: "other" }>> {
  const state = orFail(await files.look(place));
  if (state.kind === "other") throw new BlockCannotRun(`'${shownPath(place)}' is neither a file nor a directory`);
  return state;
}

/** The same where links have none either. */
export async function lookAt(
  files: BlockFiles,
  place: FilePlace,
): Promise<Exclude<FileState, { kind: "link" | "other" }>> {
  const state = await lookAtEntry(files, place);
  if (state.kind !== "link") return state;
  throw new BlockCannotRun(`'${shownPath(place)}' is a symbolic link, and links are not followed`);
}

/** The same where a file is, or nothing yet. */
export async function lookForFile(
  files: BlockFiles,
  place: FilePlace,
): Promise<Exclude<FileState, { kind: "link" | "other" | "directory" }>> {
  const state = await lookAt(files, place);
  if (state.kind === "directory") throw new OperationFailed(`'${shownPath(place)}' is a directory, not a file`);
  return state;
}

/** Whether a file lies there with these bytes and, unless any will do, this mode. */
export async function isSameFile(
  files: BlockFiles,
  place: FilePlace,
  { bytes, mode }: { readonly bytes: Uint8Array; readonly mode?: number },
): Promise<boolean> {
  const found = orFail(await files.look(place));
  if (found.kind !== "file" || found.size !== bytes.length || (mode ?? found.mode) !== found.mode) return false;
  return Buffer.compare(orFail(await files.read(place, bytes.length)).bytes, bytes) === 0;
}

/** A file at a path that ends with a slash would not be what was meant. */
export function refuseDirectoryName(path: string): void {
  if (path.endsWith("/")) throw new BlockCannotRun(`'${path}' names a directory; add the name of the file`);
}

/** The directories to be made before something can be made at the place. */
export async function planParents(files: BlockFiles, place: FilePlace, allowed: boolean): Promise<FileChange[]> {
  const { missing, nearest } = await findParents(files, place);
  const { kind } = await lookAt(files, nearest);
  if (kind === "file") throw new OperationFailed(`'${shownPath(nearest)}' is a file, not a directory`);
  const parent = missing.at(-1);
  if (parent !== undefined && !allowed) throw new OperationFailed(`there is no directory '${shownPath(parent)}'`);
  return missing.map((directory) => ({ kind: "make-directory", place: directory }));
}

/**
 * Waits for everybody else in this process who does something at one of the places, or makes a directory on the way to one.
 * Taken in the order of their paths, so that no two wait for each other.
 */
export async function exclusively<T>(
  files: BlockFiles,
  places: readonly FilePlace[],
  action: () => Promise<T>,
): Promise<T> {
  const byPath = new Map<string, FilePlace>();
  for (const place of places) {
    const { missing } = await findParents(files, place);
    for (const taken of [place, ...missing]) byPath.set(absolutePath(taken), taken);
  }
  const paths = [...byPath.keys()].sort();
  const take = (index: number): Promise<T> => {
    const place = byPath.get(paths[index] ?? "");
    return place === undefined ? action() : files.exclusively(place, () => take(index + 1));
  };
  return take(0);
}

/** The directories on the way to a place that are missing, and the nearest thing above them that is not. */
async function findParents(
  files: BlockFiles,
  place: FilePlace,
): Promise<{ readonly missing: readonly FilePlace[]; readonly nearest: FilePlace }> {
  const missing: FilePlace[] = [];
  for (let parent = parentOf(place); ; parent = parentOf(parent)) {
    const found = parent.path === "" ? undefined : await files.look(parent);
    if (found?.kind !== "missing") return { missing, nearest: parent };
    missing.unshift(parent);
  }
}

function parentOf({ root, path }: FilePlace): FilePlace {
  return { root, path: path.slice(0, Math.max(0, path.lastIndexOf("/"))) };
}
