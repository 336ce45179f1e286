import type { BlockFiles, FileChange } from "../../block/block-files.ts";
import type { FilePlace } from "../../block/ports.ts";
import { isSameFile, lookForFile, planParents } from "./places.ts";

/** What makes a file hold these bytes; nothing when it does so already. */
export async function planFile(
  files: BlockFiles,
  place: FilePlace,
  bytes: Uint8Array,
  createParents: boolean,
): Promise<FileChange[]> {
  await lookForFile(files, place);
  if (await isSameFile(files, place, { bytes })) return [];
  return [...(await planParents(files, place, createParents)), { kind: "write", place, bytes }];
}
