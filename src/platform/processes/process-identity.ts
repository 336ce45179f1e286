import type { ProcessIdentity } from "../../block/ports.ts";
import { bootId, pidNamespace } from "../machine.ts";
import { askPs } from "./ask-ps.ts";
import { readTableEntry } from "./process-table.ts";

export interface FoundProcess {
  readonly startTime: string;
  /** A zombie: nobody has asked for its end yet, and until then its id is given to nobody else. */
  readonly hasEnded: boolean;
}

/** Nothing when there is no such process or nothing can be learned of it. */
export function findProcess(pid: number): FoundProcess | undefined {
  if (process.platform === "linux") return readTableEntry(pid);
  return isTaken(pid) ? askPs(pid) : undefined;
}

/** Nothing when it can't be told. */
export function isLiving(pid: number, startTime: string): boolean | undefined {
  if (!isTaken(pid)) return false;
  const found = findProcess(pid);
  if (found === undefined || startTime === "") return undefined;
  return !found.hasEnded && found.startTime === startTime;
}

/** Start times may count from the start of the machine and ids are given per namespace, so both are part of an identity. */
export function identifyProcess(pid: number): ProcessIdentity {
  return identityHere(pid, bootId() === "" ? "" : (findProcess(pid)?.startTime ?? ""));
}

/** Of a process whose start time is known, and empty where it is not. */
export function identityHere(pid: number, startTime: string): ProcessIdentity {
  return { pid, startTime: startTime === "" || bootId() === "" ? "" : `${startTime}${place()}` };
}

/** The start time alone, of a process that was identified since this boot and in this namespace; else nothing. */
export function startTimeHere({ startTime }: ProcessIdentity): string | undefined {
  return startTime.endsWith(place()) ? startTime.slice(0, -place().length) : undefined;
}

function place(): string {
  return ` ${bootId()} ${pidNamespace()}`;
}

function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Whoever is not ours to signal is there all the same.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
