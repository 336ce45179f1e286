import { closeSync, constants, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { hasCode } from "../files/file-problems.ts";
import { bootId, pidNamespace } from "../machine.ts";
import { findProcess, isLiving } from "../processes/process-identity.ts";

/**
 * Who needs a name to be taken that would be free otherwise. A mount on a name ends when the name is removed, so the name must
 * stay until the last sandbox has ended that has a mount there, whatever process that sandbox is of.
 *
 * Each holder has a file `hold-...` in a directory of this name. A holder that leaves makes a file `end-...`, removes its hold and
 * looks for others: only when there is none does it remove the name. A new one makes its hold and then waits until nobody is
 * about to remove. Of two that do both at once at least one sees the other.
 */
export const holdersName = "frond-sandbox";

const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW, O_DIRECTORY, O_RDONLY } = constants;
const mostTries = 200;
const waitMs = 5;
let holds = 0;

export interface Hold {
  /** `removeName` is called when nobody else needs the name. */
  leave(removeName: () => void): void;
}

/** Joins the holders in a directory, which stays open until the hold is left. Throws ENOENT when it has been removed. */
export function joinHolders(directory: number): Hold {
  const path = `/proc/self/fd/${directory}/${holdersName}`;
  const self = `${ownName()}.${++holds}`;
  const holders = enter(path, self);
  const at = `/proc/self/fd/${holders}`;
  for (let waits = 0; othersIn(at, "end-", self).length > 0; waits++) {
    if (waits === mostTries) throw new Error("another process does not finish what it removes");
    pause(waitMs);
  }
  return {
    leave(removeName) {
      try {
        touch(`${at}/end-${self}`);
        unlinkSync(`${at}/hold-${self}`);
        if (othersIn(at, "hold-", self).length === 0) removeName();
      } finally {
        ignoring(() => unlinkSync(`${at}/end-${self}`));
        closeSync(holders);
        ignoring(() => rmdirSync(path));
      }
    },
  };
}

/** The directory of the holders, open, with our hold in it. */
function enter(path: string, self: string): number {
  for (let tries = 0; ; tries++) {
    makeIfMissing(path);
    let holders: number | undefined;
    try {
      holders = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      touch(`/proc/self/fd/${holders}/hold-${self}`);
      return holders;
    } catch (error) {
      if (holders !== undefined) closeSync(holders);
      // The last of the others has just removed it.
      if (!hasCode(error, "ENOENT") || tries === mostTries) throw error;
    }
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Of living processes; what dead ones have left is removed. */
function othersIn(holders: string, prefix: string, self: string): string[] {
  return readdirSync(holders).filter((name) => {
    if (!name.startsWith(prefix) || name === `${prefix}${self}`) return false;
    if (isOfLiving(name.slice(prefix.length))) return true;
    ignoring(() => unlinkSync(`${holders}/${name}`));
    return false;
  });
}

function ownName(): string {
  return [process.pid, findProcess(process.pid)?.startTime ?? "", ...machine()].join(".");
}

function machine(): string[] {
  return [bootId(), pidNamespace()].map((text) => text.replaceAll(/[^\w]/g, ""));
}

/** Of another container that runs since the same start of the machine it can't be told. */
function isOfLiving(name: string): boolean {
  const [pid, startTime = "", boot, namespace] = name.split(".");
  const [ourBoot, ourNamespace] = machine();
  if (boot !== ourBoot) return false;
  return namespace !== ourNamespace || isLiving(Number(pid), startTime) !== false;
}

function makeIfMissing(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function touch(path: string): void {
  closeSync(openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600));
}

function ignoring(action: () => void): void {
  try {
    action();
  } catch {
    // Another process was first, or nothing can be written any more: the next sandbox here tries again.
  }
}
