// What the tests need from outside of the repository is made ready once on a machine, by one process at a time.
import { mkdirSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export const cache = process.env.FROND_TEST_CACHE ?? join(homedir(), ".cache", "frond-tests");
const staleMs = 120_000;

/** Several tests may ask at the same time. */
export async function alone(action) {
  mkdirSync(cache, { recursive: true });
  const lock = join(cache, "lock");
  while (!take(lock)) await new Promise((resolve) => setTimeout(resolve, 100));
  try {
    await action();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function take(lock) {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    // Whoever took it was killed.
    if (Date.now() - since > staleMs) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
