import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { isSamePath, systemPath } from "./file-paths.ts";
import { type Attempt, hasCode, refuseLinkedRoot, refuseRoot, refuseWay } from "./file-problems.ts";
import type { DirectoryUse, HeldDirectory, HoldDirectory } from "./held-directory.ts";

/**
 * Every step starts from the directory that is already open, so it does not matter what its name means by now: what openat()
 * does for programs that have it. A name in the last one is used through its descriptor too, so that nothing swapped in on the
 * way is ever reached.
 */

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
/** Linux's flag to hold a directory without reading it, which passing through does not need; Node does not name it. */
const O_PATH = 0x200000;
export const openFiles = "/proc/self/fd";

/** `seenAs` is what stands for `/`: the root of another process, for files as that one sees them. */
export function walkFrom(seenAs: string): HoldDirectory {
  return (root, parts, use) => walk(seenAs, root, parts, use);
}

async function walk(seenAs: string, root: string, parts: readonly string[], use: DirectoryUse): Promise<HeldDirectory> {
  const flagsOf = (step: number): number => {
    const access = use.changes && step === parts.length ? O_RDONLY : O_PATH;
    return access | O_DIRECTORY | (step === 0 ? 0 : O_NOFOLLOW);
  };
  let handle = await openRoot(seenAs, root, flagsOf(0));
  for (const [index] of parts.entries()) {
    const passed = handle;
    try {
      handle = await openStep(passed, parts.slice(0, index + 1), flagsOf(index + 1), use);
    } finally {
      await passed.close();
    }
  }
  const pathTo = (name: string) => pathOfStep(handle, name);
  return {
    handle,
    pathTo,
    open: (name, flags, mode) => open(pathTo(name), flags | O_NOFOLLOW, mode),
    confirm: () => Promise.resolve(),
  };
}

function pathOfStep({ fd }: FileHandle, name: string): string | Buffer {
  return systemPath(`${openFiles}/${fd}/${name}`);
}

/** A root was a real path when it was chosen; whoever may write beside it can have put a link in its place since. */
async function openRoot(seenAs: string, root: string, flags: number): Promise<FileHandle> {
  const handle = await open(`${seenAs}${root}`, flags).catch((error: unknown) => {
    throw refuseRoot(root, error);
  });
  try {
    if (!isSamePath(await readlink(`${openFiles}/${handle.fd}`), root)) throw refuseLinkedRoot(root);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openStep(
  directory: FileHandle,
  way: readonly string[],
  flags: number,
  attempt: Attempt,
): Promise<FileHandle> {
  const step = pathOfStep(directory, way.at(-1) as string);
  try {
    return await open(step, flags);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) throw error;
    // Linux answers ENOTDIR for a link where a directory must be; only the words depend on this look.
    throw refuseWay(way, await lstat(step).catch(() => undefined), attempt);
  }
}
