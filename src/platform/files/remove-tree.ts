import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Some tools make what they write read-only, down to its directories, which then can't be emptied. */
export async function removeTree(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    await openForOwner(directory);
    await rm(directory, { recursive: true, force: true });
  }
}

async function openForOwner(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await openForOwner(join(directory, entry.name));
  }
}
