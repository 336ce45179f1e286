import { readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { listProcesses } from "../processes/process-table.ts";

const pauseMs = 5;
const graceMs = 1000;
const patienceMs = 5000;

/**
 * Ends everything that lives in the mount namespace of a process but for that process, wherever it has gone otherwise: what leaves
 * its group and its session stays in the namespace. False when something is left after all.
 */
export async function endInside(holder: number): Promise<boolean> {
  const namespace = namespaceOf(holder);
  const begun = performance.now();
  const told = new Set<number>();
  for (;;) {
    const inside = listProcesses().filter(({ id }) => id !== holder && namespaceOf(id) === namespace);
    if (namespace === undefined || inside.length === 0) return namespace !== undefined;
    const passed = performance.now() - begun;
    if (passed > patienceMs) return false;
    for (const { id } of inside) {
      if (passed > graceMs) signal(id, "SIGKILL");
      else if (!told.has(id)) for (const name of ["SIGTERM", "SIGCONT"] as const) signal(id, name);
      told.add(id);
    }
    await delay(pauseMs);
  }
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`);
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It was faster.
  }
}
