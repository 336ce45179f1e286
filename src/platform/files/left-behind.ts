import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { bootId, pidNamespace } from "../machine.ts";
import { isOurs } from "./ownership.ts";

/** How the name of a directory begins that is of use to this process only. */
export function ownPrefix(kind: string): string {
  return `${prefixOf(kind)}${process.pid}-`;
}

/** Those directories of a kind whose processes are gone: killed, or they would have removed them. */
export function leftBehind(parent: string, kind: string): readonly string[] {
  const prefix = prefixOf(kind);
  return namesIn(parent)
    .filter((name) => name.startsWith(prefix) && !isTaken(Number(name.slice(prefix.length).split("-")[0])))
    .map((name) => join(parent, name))
    .filter((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false });
      return found?.isDirectory() === true && isOurs(found);
    });
}

/** Ids of processes mean something only on one machine, until it is started again, and in one namespace. */
function prefixOf(kind: string): string {
  const here = createHash("sha256").update(`${bootId()} ${pidNamespace()}`).digest("hex").slice(0, 8);
  return `frond-${kind}-${here}-`;
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isTaken(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
