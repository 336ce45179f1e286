import { statSync } from "node:fs";
import { removed } from "./explain-failure.ts";

/**
 * Gives a function that throws a `JournalError` once the path leads no longer to the file that it leads to now. What is written to
 * a file without a name is lost, and to one with another name nobody finds it.
 */
export function createSameFileCheck(file: string): () => void {
  const identity = identify(file);
  return () => {
    const found = identify(file);
    if (found !== identity && found !== "unknown") throw removed(file);
  };
}

function identify(file: string): string {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "none" : "unknown";
  }
}
