import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { listProcesses } from "./process-table.ts";

const pauseMs = 5;
const patienceMs = 2000;

/**
 * Ends what has left its group and its session, as daemons do, and is still known by one of some texts in its environment, such as a
 * directory or a variable with its value, which must be in nobody else's. Where there is no process table, nothing is found.
 */
export async function endStrays(texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  const isStray = (id: number): boolean => {
    const environment = environmentOf(id);
    return texts.some((text) => environment.includes(text));
  };
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await delay(pauseMs)) {
    const strays = listProcesses().filter(({ id }) => id !== process.pid && isStray(id));
    for (const { id } of strays) kill(id);
    if (strays.length === 0) return;
  }
}

/** Every variable ends with a NUL. */
function environmentOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/environ`, "latin1");
  } catch {
    // It has ended, or is another user's.
    return "";
  }
}

function kill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It was faster.
  }
}
