import type { BlockContext } from "../../block/define-block.ts";
import type { FilePlace, FileState } from "../../block/ports.ts";
import { OperationFailed, orFail } from "./file-operation.ts";
import { absolutePath, childOf, shownPath } from "./places.ts";

export interface TreeEntry {
  readonly place: FilePlace;
  readonly state: FileState;
}

const mostEntries = 10_000;
/** All of it is in memory at once: what is written, or what is kept so that it can be put back. */
export const mostBytesOfTree = 100_000_000;

/** Everything at and below a place, a directory before what is in it. No link is followed. */
export async function walkTree({ files }: BlockContext, top: FilePlace): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  const ahead = [top];
  for (let place = ahead.pop(); place !== undefined; place = ahead.pop()) {
    const state = orFail(await files.look(place));
    entries.push({ place, state });
    if (state.kind !== "directory") continue;
    const names = await files.list(place, mostEntries);
    if ("message" in names && names.kind === "too-large") throw tooManyEntries(top);
    for (const name of orFail(names).toReversed()) ahead.push(childOf(place, name));
    if (entries.length + ahead.length > mostEntries) throw tooManyEntries(top);
  }
  return entries;
}

function tooManyEntries(top: FilePlace): OperationFailed {
  const most = mostEntries.toLocaleString("en-US");
  return new OperationFailed(`'${shownPath(top)}' holds more than ${most} entries; use a Shell block for it`);
}

export function refuseLargeTree(top: FilePlace, entries: readonly TreeEntry[]): void {
  const bytes = entries.reduce((sum, { state }) => sum + (state.kind === "file" ? state.size : 0), 0);
  if (bytes <= mostBytesOfTree) return;
  const most = mostBytesOfTree.toLocaleString("en-US");
  throw new OperationFailed(`'${shownPath(top)}' holds more than ${most} bytes; use a Shell block for it`);
}

/** What lies below a directory is out of bounds too if it is so by itself: `.git`, `.frond` and Frond's own state. */
export function refuseProtected({ files }: BlockContext, entries: readonly TreeEntry[]): void {
  for (const { place } of entries) files.locateForChange(absolutePath(place), true);
}
