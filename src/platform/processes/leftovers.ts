import type { ProcessIdentity } from "../../block/ports.ts";
import { isOfDeadEngine } from "./engine-mark.ts";
import { ProcessGroup } from "./process-group.ts";
import { findProcess, startTimeHere } from "./process-identity.ts";
import { type LivingProcess, listProcesses } from "./process-table.ts";

const longAgo = Number.NEGATIVE_INFINITY;

/**
 * Ends what is left of commands whose engine has died. While a session has members nobody is given its leader's id, so a leader
 * that is there vouches for all of them by its start time. Where it has gone the session could be a later one of the same id; then
 * it is ended only if a member carries the mark of an engine that is dead, because such a process is left over whosever it was.
 */
export async function endLeftovers(processes: readonly ProcessIdentity[], graceMs: number): Promise<void> {
  const fromHere = processes.filter((process) => startTimeHere(process) !== undefined);
  if (fromHere.length === 0) return;
  const living = listProcesses();
  const left = fromHere.filter((process) => isLeft(process, living));
  const leaders = new Set(left.map(({ pid }) => pid));
  await Promise.all(
    [...leaders].map((leader) => new ProcessGroup(leader, () => {}, { startedAt: longAgo }).end(graceMs)),
  );
}

function isLeft(process: ProcessIdentity, living: readonly LivingProcess[]): boolean {
  const leader = findProcess(process.pid);
  if (leader !== undefined) return leader.startTime === startTimeHere(process);
  return living.some(({ id, session }) => session === process.pid && isOfDeadEngine(id));
}
