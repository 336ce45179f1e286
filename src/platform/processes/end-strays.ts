import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { listProcesses } from "./process-table.ts";

const pauseMs = 5;
const patienceMs = 2000;

/**
 * Ends what has left its group and its session, as daemons do, and is still known by a directory that its environment names. That
 * directory must be nobody else's. Where there is no process table, nothing is found.
 */
export async function endStrays(directory: string): Promise<void> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await delay(pauseMs)) {
    const strays = listProcesses().filter(({ id }) => id !== process.pid && names(id, `${directory}/`));
    for (const { id } of strays) kill(id);
    if (strays.length === 0) return;
  }
}

function names(id: number, directory: string): boolean {
  try {
    return readFileSync(`/proc/${id}/environ`, "latin1").includes(directory);
  } catch {
    // It has ended, or is another user's.
    return false;
  }
}

function kill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It was faster.
  }
}
