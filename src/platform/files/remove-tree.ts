import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "./file-problems.ts";

const mostTries = 5;

/** Some tools make what they write read-only, down to its directories, which then can't be emptied. */
export async function removeTree(directory: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await rm(directory, { recursive: true, force: true });
    } catch (error) {
      // What Node has begun to remove beside what it could not goes on, and may be in the way once more.
      if (!hasCode(error, "EACCES", "EPERM", "ENOTEMPTY") || tries === mostTries) throw error;
      await openForOwner(directory);
    }
  }
}

async function openForOwner(directory: string): Promise<void> {
  try {
    await chmod(directory, 0o700);
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (entry.isDirectory()) await openForOwner(join(directory, entry.name));
    }
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}
