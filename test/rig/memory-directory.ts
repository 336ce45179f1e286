import { accessSync, constants } from "node:fs";
import { tmpdir } from "node:os";

/**
 * A directory for temporary ones whose files are in memory where the system has such: to make every change last on a disk takes most of
 * the time of tests that make many.
 */
export function memoryDirectory(): string {
  try {
    accessSync("/dev/shm", constants.R_OK | constants.W_OK | constants.X_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}
