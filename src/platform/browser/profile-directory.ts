import { createHash } from "node:crypto";
import { lstat, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOurs } from "../files/ownership.ts";
import { removeTree } from "../files/remove-tree.ts";
import { bootId, pidNamespace } from "../machine.ts";

/** A new directory that only we can look into, for what a browser keeps while it runs. */
export async function makeProfile(): Promise<string> {
  await sweepProfiles();
  return mkdtemp(join(tmpdir(), `${prefix()}${process.pid}-`));
}

/** What was left by engines that have died. */
async function sweepProfiles(): Promise<void> {
  const own = prefix();
  const names = (await readdir(tmpdir()).catch(() => [])).filter((name) => name.startsWith(own));
  for (const name of names) {
    const pid = Number(name.slice(own.length).split("-")[0]);
    const path = join(tmpdir(), name);
    const found = isTaken(pid) ? undefined : await lstat(path).catch(() => undefined);
    // What can't be removed is a nuisance, and nothing that keeps a browser from starting.
    if (found?.isDirectory() && isOurs(found)) await removeTree(path).catch(() => {});
  }
}

/** Ids of processes mean something only there. */
function prefix(): string {
  const here = createHash("sha256").update(`${bootId()} ${pidNamespace()}`).digest("hex").slice(0, 8);
  return `frond-browser-${here}-`;
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
