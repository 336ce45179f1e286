import { accessSync, constants } from "node:fs";
import { tmpdir } from "node:os";

const sharedMemory = "/dev/shm";
let directories: readonly [string, ...string[]] | undefined;

/** Where short-lived files go, best first: memory, then the disk for what memory has no room for. */
export function memoryDirectories(): readonly [string, ...string[]] {
  directories ??= isWritable(sharedMemory) ? [sharedMemory, tmpdir()] : [tmpdir()];
  return directories;
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
