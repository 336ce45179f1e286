import { inheritedGroup, lendingBits, showMode } from "../file-modes.ts";
import type { TouchedEntry } from "./compare-trees.ts";
import { kindOf } from "./entry-table.ts";
import type { Manifest } from "./manifest.ts";
import { noRow, rowsOf } from "./tree.ts";

/**
 * Entries whose set-user-id and set-group-id bits will not be what they were when a command is taken back: undo does not set them, and
 * takes them from a file that it restores. `restored` are the paths of all that undo puts back. What holds an entry stands before it.
 */
export function findLostBits(
  touched: readonly TouchedEntry[],
  restored: ReadonlySet<string>,
  manifest: Manifest,
): { path: string; why: string }[] {
  const found: { path: string; why: string }[] = [];
  /** Of touched directories, what undo leaves them with. */
  const left = new Map<string, number>();
  for (const { path, before, after } of touched) {
    if (before === undefined) continue;
    const mode = before.table.modes[before.row] as number;
    const isDirectory = kindOf(mode) === "directory";
    const isStillOne = after !== undefined && kindOf(after.mode) === kindOf(mode);
    let bits = 0;
    if (!restored.has(path)) bits = (after?.mode ?? mode) & lendingBits;
    else if (isDirectory && isStillOne) bits = after.mode & inheritedGroup;
    else if (isDirectory) bits = inheritedBits(path, left, manifest);
    if (isDirectory) left.set(path, bits);
    if (bits === (mode & lendingBits)) continue;
    found.push({ path, why: `its mode was ${showMode(mode)}, and set-user-id and set-group-id are not restored` });
  }
  return found;
}

/** What a directory has of the one that it is made in. */
function inheritedBits(path: string, left: ReadonlyMap<string, number>, manifest: Manifest): number {
  if (process.platform !== "linux") return 0;
  const parent = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
  return (left.get(parent) ?? modeOf(parent, manifest)) & inheritedGroup;
}

function modeOf(directory: string, { tree, mode }: Manifest): number {
  if (directory === "") return mode;
  const end = directory.lastIndexOf("/");
  const record = tree.get(directory.slice(0, Math.max(end, 0)));
  const [row = noRow] = rowsOf([directory.slice(end + 1)], record);
  return row === noRow ? 0 : (record?.table.modes[row] as number);
}
