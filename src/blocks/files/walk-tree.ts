import type { BlockContext } from "../../block/define-block.ts";
import type { FileState, RootedPath } from "../../block/ports.ts";
import { absolutePath, childOf, shownPath } from "../../block/rooted-path.ts";
import { OperationFailed, orFail } from "./file-operation.ts";

export interface TreeEntry {
  readonly at: RootedPath;
  readonly state: FileState;
}

const mostEntries = 10_000;
/** All of it is in memory at once: what is written, or what is kept so that it can be put back. */
export const mostBytesOfTree = 100_000_000;

/** Everything at and below a path, a directory before what is in it. No link is followed. */
export async function walkTree({ files }: BlockContext, top: RootedPath): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  const ahead = [top];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    const state = orFail(await files.look(at));
    entries.push({ at, state });
    if (state.kind !== "directory") continue;
    const names = await files.list(at, mostEntries);
    if ("message" in names && names.kind === "too-large") throw tooManyEntries(top);
    for (const name of orFail(names).toReversed()) ahead.push(childOf(at, name));
    if (entries.length + ahead.length > mostEntries) throw tooManyEntries(top);
  }
  return entries;
}

function tooManyEntries(top: RootedPath): OperationFailed {
  const most = mostEntries.toLocaleString("en-US");
  return new OperationFailed(`'${shownPath(top)}' holds more than ${most} entries; use a Shell block for it`);
}

export function refuseLargeTree(top: RootedPath, entries: readonly TreeEntry[]): void {
  const bytes = entries.reduce((sum, { state }) => sum + (state.kind === "file" ? state.size : 0), 0);
  if (bytes <= mostBytesOfTree) return;
  const most = mostBytesOfTree.toLocaleString("en-US");
  throw new OperationFailed(`'${shownPath(top)}' holds more than ${most} bytes; use a Shell block for it`);
}

/** What lies below a directory is out of bounds too if it is so by itself: `.git`, `.frond` and Frond's own state. */
export function refuseProtected({ files }: BlockContext, entries: readonly TreeEntry[]): void {
  for (const { at } of entries) files.locateForChange(absolutePath(at), true);
}
