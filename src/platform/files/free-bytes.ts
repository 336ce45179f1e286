import { existsSync, statfsSync } from "node:fs";
import { nearestParent } from "../../util/unmakable-directory.ts";

/** How much is free on the disk of a directory, or where it would be made; nothing where that is not counted. */
export function freeBytes(directory: string): number | undefined {
  try {
    const { blocks, bavail, bsize } = statfsSync(existsSync(directory) ? directory : nearestParent(directory));
    return blocks === 0 ? undefined : bavail * bsize;
  } catch {
    return undefined;
  }
}
