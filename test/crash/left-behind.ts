import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** What a command that is told to stop may take, and more. */
const patienceMs = 10_000;
const pauseMs = 50;

/** Processes that know of a directory and do not end. */
export async function findLeftBehind(directory: string): Promise<readonly number[]> {
  for (const deadline = performance.now() + patienceMs; ; await delay(pauseMs)) {
    const left = findProcesses(directory);
    if (left.length === 0 || performance.now() > deadline) return left;
  }
}

/** By their environment, which they share with those that started them. Where there is no /proc to look into, none. */
function findProcesses(directory: string): number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environmentOf(pid).includes(directory)).map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    // It has ended meanwhile, or belongs to somebody else.
    return "";
  }
}
