import { statfsSync } from "node:fs";
import { diskFull, removed } from "./explain-failure.ts";

/**
 * What has to stay free. SQLite's processes share a file in memory, and where the disk has no block left for a page of it, the
 * system kills whoever touches that page: so nothing is begun that could come near to it.
 */
const reserveBytes = 16 * 1024 * 1024;

/** Throws a `JournalError` when there is no space to write this much, or when the file is gone. The path says on which disk. */
export function requireSpace(file: string, bytes: number, path: string = file): void {
  const { blocks, bavail, bsize } = askSystem(path, file);
  // Some file systems do not count.
  if (blocks === 0) return;
  // Content is written twice: into the log, and from there into the database.
  if (bavail * bsize < reserveBytes + 2 * bytes) throw diskFull(file);
}

function askSystem(path: string, file: string): { blocks: number; bavail: number; bsize: number } {
  try {
    return statfsSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return { blocks: 0, bavail: 0, bsize: 0 };
    throw removed(file, error);
  }
}
