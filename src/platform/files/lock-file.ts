import { rmSync, statSync, writeFileSync } from "node:fs";
import { hasCode } from "./file-problems.ts";

/** What is done under a lock takes milliseconds: one that is older was left by a process that died in the midst of it. */
const staleMs = 5_000;
const patienceMs = 7_000;
const pauseMs = 5;

/** One process at a time, among those that use the same lock file. Waits without giving way to anything else: only for short work. */
export function whileLocked<T>(file: string, action: () => T): T {
  const began = performance.now();
  while (!tryLock(file)) {
    if (performance.now() - began > patienceMs) throw new Error(`another process holds ${file}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
  try {
    return action();
  } finally {
    rmSync(file, { force: true });
  }
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
