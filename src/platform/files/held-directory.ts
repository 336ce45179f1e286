import type { Stats } from "node:fs";
import { type FileHandle, lstat } from "node:fs/promises";
import { type Attempt, hasCode } from "./file-problems.ts";

/** A directory below a trusted root, open, with the names in it. */
export interface HeldDirectory {
  readonly handle: FileHandle;
  /** A path to a name in it, or to itself by the name `.`. What the name stands for may be a link: follow none. */
  pathTo(name: string): string | Buffer;
  /** Opens what has this name unless it is a link. */
  open(name: string, flags: number, mode?: number): Promise<FileHandle>;
  /** Refuses when its paths may have meant another directory, where that can happen at all. */
  confirm(): Promise<void>;
}

/** Opens the directory of these names below the root; for a change so that it can be synced. */
export type HoldDirectory = (root: string, parts: readonly string[], use: DirectoryUse) => Promise<HeldDirectory>;

export interface DirectoryUse extends Attempt {
  readonly changes: boolean;
  /** Whoever goes on for long looks at it on the way. */
  readonly signal: AbortSignal;
}

/** Makes what happened to the names in a directory last through a crash of the system. */
export async function syncDirectory({ handle }: HeldDirectory): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot sync a directory; they have no better promise to give.
    if (!hasCode(error, "EINVAL", "ENOTSUP", "EOPNOTSUPP")) throw error;
  }
}

/** What has this name in a directory, a link itself included. */
export async function lookAt(directory: HeldDirectory, name: string): Promise<Stats | undefined> {
  try {
    return await lstat(directory.pathTo(name));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
