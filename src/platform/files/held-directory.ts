import { fsync, lstatSync, type Stats } from "node:fs";
import { type Attempt, hasCode } from "./file-problems.ts";

/**
 * Here and in what works with it, what takes a few microseconds is done at once, for a turn through the event loop and the threads
 * behind it costs ten times as much, and a path takes dozens of such steps. What has to wait for the disk, or moves many bytes, is
 * waited for. Whoever does much looks at the time between two operations.
 */

/** A directory below a trusted root, open, with the names in it. */
export interface HeldDirectory {
  readonly fd: number;
  /** A path to a name in it, or to itself by the name `.`. What the name stands for may be a link: follow none. */
  pathTo(name: string): string | Buffer;
  /** Opens what has this name unless it is a link, as a descriptor to be closed. */
  open(name: string, flags: number, mode?: number): number;
  /** Refuses when its paths may have meant another directory, where that can happen at all. */
  confirm(): void;
}

/** Opens the directory of these names below the root; for a change so that it can be synced. */
export type HoldDirectory = (root: string, parts: readonly string[], use: DirectoryUse) => HeldDirectory;

export interface DirectoryUse extends Attempt {
  readonly changes: boolean;
  /** Whoever goes on for long looks at it on the way. */
  readonly signal: AbortSignal;
}

/** So many are read or written at once. */
export const fewBytes = 64_000;

/** Makes the bytes and the mode of a file last through a crash of the system. */
export function syncFile(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** The same for what happened to the names in a directory. */
export async function syncDirectory({ fd }: HeldDirectory): Promise<void> {
  try {
    await syncFile(fd);
  } catch (error) {
    // Some file systems cannot sync a directory; they have no better promise to give.
    if (!hasCode(error, "EINVAL", "ENOTSUP", "EOPNOTSUPP")) throw error;
  }
}

/** What has this name in a directory, a link itself included. */
export function lookAt(directory: HeldDirectory, name: string): Stats | undefined {
  return lstatSync(directory.pathTo(name), { throwIfNoEntry: false });
}
