import type { BlockFiles, FileChange } from "../../block/block-files.ts";
import type { RootedPath } from "../../block/ports.ts";
import { isSameFile, lookForFile, planParents } from "./entries.ts";

/** What makes a file hold these bytes; nothing when it does so already. */
export async function planFile(
  files: BlockFiles,
  at: RootedPath,
  bytes: Uint8Array,
  createParents: boolean,
): Promise<FileChange[]> {
  await lookForFile(files, at);
  if (await isSameFile(files, at, { bytes })) return [];
  return [...(await planParents(files, at, createParents)), { kind: "write", at, bytes }];
}
