import { closeSync, openSync, readdirSync, readlinkSync, statSync, truncateSync } from "node:fs";
import { waitFor } from "./wait-for.ts";

/** A file of any size that takes no space; whoever reads it finds zeros. */
export function makeSparse(path: string, bytes: number): void {
  closeSync(openSync(path, "a"));
  truncateSync(path, bytes);
}

/** What would be another if it had been written to or replaced. */
export function identity(path: string): object {
  const { ino, size, mode, mtimeMs, ctimeMs } = statSync(path);
  return { ino, size, mode, mtimeMs, ctimeMs };
}

/** Resolves while a process, by default this one, has the file open. */
export async function untilOpened(path: string, pid: number | "self" = "self"): Promise<void> {
  await waitFor(`${path} to be read`, () => openBy(pid).includes(path));
}

function openBy(pid: number | "self"): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // Closed by now.
      return [];
    }
  });
}
