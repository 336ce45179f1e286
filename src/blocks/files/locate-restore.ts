import type { BlockFiles } from "../../block/block-files.ts";
import { BlockCannotRun } from "../../block/define-block.ts";
import type { RootedPath } from "../../block/ports.ts";

/** Where a path leads that may be changed; or why it may not, which keeps nobody from restoring the others. */
export function locateRestore(
  files: BlockFiles,
  path: string,
  unsafe: boolean,
): RootedPath | { readonly reason: string } {
  try {
    return files.locateForChange(path, unsafe);
  } catch (error) {
    if (!(error instanceof BlockCannotRun)) throw error;
    return { reason: error.message };
  }
}
