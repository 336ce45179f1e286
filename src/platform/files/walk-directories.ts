import { closeSync, constants, lstatSync, openSync, readlinkSync, type Stats } from "node:fs";
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

function walk(seenAs: string, root: string, parts: readonly string[], use: DirectoryUse): HeldDirectory {
  const flagsOf = (step: number): number => {
    const access = use.changes && step === parts.length ? O_RDONLY : O_PATH;
    return access | O_DIRECTORY | (step === 0 ? 0 : O_NOFOLLOW);
  };
  let fd = openRoot(seenAs, root, flagsOf(0));
  for (const [index] of parts.entries()) {
    const passed = fd;
    try {
      fd = openStep(passed, parts.slice(0, index + 1), flagsOf(index + 1), use);
    } finally {
      closeSync(passed);
    }
  }
  const pathTo = (name: string) => pathOfStep(fd, name);
  return {
    fd,
    pathTo,
    open: (name, flags, mode) => openSync(pathTo(name), flags | O_NOFOLLOW, mode),
    confirm: () => {},
  };
}

function pathOfStep(fd: number, name: string): string | Buffer {
  return systemPath(`${openFiles}/${fd}/${name}`);
}

/** A root was a real path when it was chosen; whoever may write beside it can have put a link in its place since. */
function openRoot(seenAs: string, root: string, flags: number): number {
  const fd = tryToOpen(`${seenAs}${root}`, flags, (error) => refuseRoot(root, error));
  try {
    if (!isSamePath(readlinkSync(`${openFiles}/${fd}`), root)) throw refuseLinkedRoot(root);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openStep(directory: number, way: readonly string[], flags: number, attempt: Attempt): number {
  const step = pathOfStep(directory, way.at(-1) as string);
  return tryToOpen(step, flags, (error) => {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return error;
    // Linux answers ENOTDIR for a link where a directory must be; only the words depend on this look.
    return refuseWay(way, lookAgain(step), attempt);
  });
}

function tryToOpen(path: string | Buffer, flags: number, explain: (error: unknown) => unknown): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    throw explain(error);
  }
}

function lookAgain(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
