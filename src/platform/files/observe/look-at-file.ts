import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { nameOf, systemPath } from "../file-paths.ts";
import { openFiles } from "../walk-directories.ts";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** Nothing when nothing is there. Never follows a link. */
export function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(systemPath(path), { bigint: true, throwIfNoEntry: false });
  } catch {
    // A directory on the way is no directory any more, or closed.
    return undefined;
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
  const now = nowNs();
  const stats = lookAt(path);
  if (stats === undefined || isRacy(stats, now)) return undefined;
  const { size, mtimeNs, ctimeNs, ino } = stats;
  return [size, mtimeNs, ctimeNs, ino].join(" ");
}

/** Wall time as files are stamped with it. */
export function nowNs(): bigint {
  return BigInt(Date.now()) * 1_000_000n;
}

/** More than a tick of the clock by which the system stamps files. */
const tickNs = 50_000_000n;
/** Some file systems know only seconds, or even two of them. */
const coarseNs = 2_100_000_000n;
const secondNs = 1_000_000_000n;

/** Whether a change after this moment might leave a file with the stamps that it has. */
export function isRacy({ ctimeNs, mtimeNs }: Pick<BigIntStats, "ctimeNs" | "mtimeNs">, moment: bigint): boolean {
  const isCoarse = ctimeNs % secondNs === 0n && mtimeNs % secondNs === 0n;
  return ctimeNs > moment - (isCoarse ? coarseNs : tickNs);
}
