import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  type Stats,
} from "node:fs";
import { nameOf, systemPath } from "../file-paths.ts";
import { openFiles } from "../walk-directories.ts";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** Nothing when nothing is there. Never follows a link. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(systemPath(path), { throwIfNoEntry: false });
  } catch {
    // A directory on the way is no directory any more, or closed.
    return undefined;
  }
}

/** Whether it is certain that nothing is there, and not only that it can't be told. */
export function isGone(path: string): boolean {
  try {
    return lstatSync(systemPath(path), { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

export function isPresent(path: string): boolean {
  return lookAt(path) !== undefined;
}

export function readTarget(path: string): string | undefined {
  try {
    return nameOf(readlinkSync(systemPath(path), "buffer"));
  } catch {
    return undefined;
  }
}

/**
 * Opens a regular file for reading, if it is the one that lies at this path: where a directory on the way has been replaced by a link,
 * it would be somebody else's. Whoever puts a FIFO there does not make us wait.
 */
export function openRegular(path: string): number | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(systemPath(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fstatSync(fd).isFile() && isAt(fd, path)) return fd;
  } catch {
    // It is gone, or may not be read.
  }
  if (fd !== undefined) closeSync(fd);
  return undefined;
}

function isAt(fd: number, path: string): boolean {
  if (process.platform !== "linux") return true;
  return nameOf(readlinkSync(`${openFiles}/${fd}`, "buffer")) === path;
}

export function readWholeFile(path: string): Uint8Array | undefined {
  const fd = openRegular(path);
  if (fd === undefined) return undefined;
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

const smallBytes = 10_000;

export function readSmallFile(path: string): string | undefined {
  const fd = openRegular(path);
  if (fd === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(smallBytes);
    return nameOf(bytes.subarray(0, readSync(fd, bytes)));
  } finally {
    closeSync(fd);
  }
}

/** Tells a file from any other that was or will be at its path; nothing if it may still change without that being seen. */
export function stampOf(path: string): string | undefined {
  const now = Date.now();
  const stats = lookAt(path);
  if (stats === undefined || isRacy(stats, now)) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return [size, mtimeMs, ctimeMs, ino].join(" ");
}

/** More than a tick of the clock by which the system stamps files. */
const tickMs = 50;
/** Some file systems know only seconds, or even two of them. */
const coarseMs = 2_100;

type ChangeTimes = Pick<Stats, "ctimeMs" | "mtimeMs">;

/** Whether a change after this moment might leave a file with the stamps that it has. */
export function isRacy(times: ChangeTimes, moment: number): boolean {
  return times.ctimeMs > moment - (isCoarse(times) ? coarseMs : tickMs);
}

/** For how long from this moment on a change might do so. Nothing where that is too long to wait for. */
export function racyMs(times: ChangeTimes, moment: number): number | undefined {
  const left = times.ctimeMs + tickMs - moment;
  return isCoarse(times) || left > tickMs ? undefined : left;
}

function isCoarse({ ctimeMs, mtimeMs }: ChangeTimes): boolean {
  return ctimeMs % 1000 === 0 && mtimeMs % 1000 === 0;
}
