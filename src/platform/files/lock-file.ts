import { rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { hasCode } from "./file-problems.ts";

/** A lock that is older was left by a process that died: nobody needs one for so long. */
const staleMs = 5_000;
const patienceMs = 7_000;
const pauseMs = 5;

/** One process at a time, among those that use the same lock file. Waits without giving way to anything else: only for short work. */
export function whileLocked<T>(file: string, action: () => T): T {
  const patience = createPatience(file);
  while (!tryLock(file)) {
    patience();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
  try {
    return action();
  } finally {
    rmSync(file, { force: true });
  }
}

/** The same for work that takes a little longer. Returns how to unlock. */
export async function lock(file: string): Promise<() => void> {
  const patience = createPatience(file);
  while (!tryLock(file)) {
    patience();
    await delay(pauseMs);
  }
  return () => rmSync(file, { force: true });
}

function createPatience(file: string): () => void {
  const began = performance.now();
  return () => {
    if (performance.now() - began > patienceMs) throw new Error(`another process holds ${file}`);
  };
}

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid}\n`, { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  const held = statSync(file, { throwIfNoEntry: false });
  if (held !== undefined && Date.now() - held.mtimeMs > staleMs) rmSync(file, { force: true });
  return false;
}
