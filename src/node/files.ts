import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { FileProblem, Files } from "../block/ports.ts";

/**
 * No symbolic link below the root is followed. Linux walks the path by descriptors and macOS refuses every link while opening,
 * so there nothing swapped in between is ever opened. Elsewhere the path is only looked at before and after the opening: a
 * program that swaps a directory for a link and back in step with all of these looks can still have a file outside read.
 */

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Without O_NONBLOCK the opening of a FIFO would wait for somebody to write to it. */
const readFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
/** O_NOFOLLOW_ANY of macOS, which Node does not name: a link anywhere in the path is an error. It excludes O_NOFOLLOW. */
const noFollowAny = 0x20000000;
const directoryFlags = O_RDONLY | O_NOFOLLOW | O_DIRECTORY;
const openFiles = "/proc/self/fd";

export function createFiles(platform: NodeJS.Platform = process.platform): Files {
  const openBelow = platform === "linux" && existsSync(openFiles) ? openStepByStep : openAndCompare(platform);
  return {
    async readBelow(root, relativePath, maxBytes) {
      try {
        const file = await openBelow(root, partsOf(relativePath), relativePath);
        try {
          return { bytes: await readRegularFile(file, relativePath, maxBytes) };
        } finally {
          await file.close();
        }
      } catch (error) {
        return error instanceof Refusal ? error.problem : describe(error, relativePath);
      }
    },
  };
}

/** Carries a problem out of the depths of this module. */
class Refusal extends Error {
  readonly problem: FileProblem;

  constructor(kind: FileProblem["kind"], message: string) {
    super(message);
    this.problem = { kind, message };
  }
}

function describe(error: unknown, path: string): FileProblem {
  const problem: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  switch (problem.code) {
    case "ENOENT":
    case "ENOTDIR":
      return { kind: "missing", message: `the file '${path}' does not exist` };
    case "ELOOP":
      return { kind: "forbidden", message: `'${path}' is a symbolic link, and links are not followed` };
    case "EACCES":
    case "EPERM":
      return { kind: "unreadable", message: `'${path}' may not be read: permission denied` };
    case "ENXIO":
      return { kind: "forbidden", message: `'${path}' is not a regular file` };
    case "ENAMETOOLONG":
      return { kind: "missing", message: `'${path}' is longer than a path can be` };
    default:
      return { kind: "unreadable", message: `'${path}' could not be read: ${problem.message}` };
  }
}

function partsOf(path: string): string[] {
  if (path.includes("\0")) throw new Refusal("forbidden", "the path contains a NUL character");
  if (isAbsolute(path)) throw new Refusal("forbidden", `'${path}' is an absolute path; a relative one is needed`);
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw new Refusal("forbidden", `'${path}' goes up with '..', which is not allowed`);
  if (parts.length === 0) throw new Refusal("forbidden", `'${path}' names no file`);
  return parts;
}

/**
 * Every step starts from the directory that is already open, so it does not matter what its name means by now: what openat()
 * does for programs that have it.
 */
async function openStepByStep(root: string, parts: readonly string[], path: string): Promise<FileHandle> {
  let directory = await openRoot(root);
  try {
    for (const part of parts.slice(0, -1)) {
      const next = await openStep(directory, part, directoryFlags, path);
      await directory.close();
      directory = next;
    }
    return await openStep(directory, parts.at(-1) as string, readFlags, path);
  } finally {
    await directory.close();
  }
}

async function openRoot(root: string): Promise<FileHandle> {
  try {
    return await open(root, O_RDONLY | O_DIRECTORY);
  } catch {
    throw new Refusal("missing", `the directory '${root}' does not exist or may not be read`);
  }
}

async function openStep(directory: FileHandle, part: string, flags: number, path: string): Promise<FileHandle> {
  const step = `${openFiles}/${directory.fd}/${part}`;
  try {
    return await open(step, flags);
  } catch (error) {
    // Linux answers ENOTDIR for a link where a directory must be; only the message depends on this look.
    const found = await lstat(step).catch(() => undefined);
    if (found?.isSymbolicLink()) {
      throw new Refusal("forbidden", `'${part}' in '${path}' is a symbolic link, and links are not followed`);
    }
    throw error;
  }
}

/** Where directories cannot be walked by descriptor: opens, then makes sure that what was opened is what lies there. */
function openAndCompare(platform: NodeJS.Platform): typeof openStepByStep {
  // The real path of a file on macOS may differ from its name in upper and lower case, so its kernel must be the judge.
  const [flags, refuse] =
    platform === "darwin" ? [O_RDONLY | O_NONBLOCK | noFollowAny, refuseLinks] : [readFlags, refuseDetours];
  return async (root, parts, path) => {
    const realRoot = await realpath(root);
    await refuse(realRoot, parts, path);
    const file = await open(join(realRoot, ...parts), flags);
    try {
      const opened = await file.stat();
      const lying = await lstat(join(realRoot, ...parts));
      if (opened.dev !== lying.dev || opened.ino !== lying.ino) {
        throw new Refusal("forbidden", `'${path}' was replaced while it was being opened`);
      }
      await refuse(realRoot, parts, path);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  };
}

async function refuseLinks(realRoot: string, parts: readonly string[], path: string): Promise<void> {
  let lying = realRoot;
  for (const part of parts) {
    lying = join(lying, part);
    if ((await lstat(lying)).isSymbolicLink()) {
      throw new Refusal("forbidden", `'${part}' in '${path}' is a symbolic link, and links are not followed`);
    }
  }
}

async function refuseDetours(realRoot: string, parts: readonly string[], path: string): Promise<void> {
  await refuseLinks(realRoot, parts, path);
  const straight = join(realRoot, ...parts);
  if ((await realpath(straight)) !== straight) {
    throw new Refusal("forbidden", `'${path}' was replaced by a link while it was being opened`);
  }
}

async function readRegularFile(file: FileHandle, path: string, maxBytes: number): Promise<Uint8Array> {
  const stats = await file.stat();
  if (stats.isDirectory()) throw new Refusal("forbidden", `'${path}' is a directory, not a file`);
  if (!stats.isFile()) throw new Refusal("forbidden", `'${path}' is not a regular file`);
  // The size is only a hint for the first buffer: a file may grow while it is read, and some have no size at all.
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(stats.size, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) {
      throw new Refusal("too-large", `'${path}' is larger than ${maxBytes.toLocaleString("en-US")} bytes`);
    }
    if (length === buffer.length) buffer = enlarge(buffer, Math.min(buffer.length * 2, maxBytes + 1));
  }
}

function enlarge(buffer: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  buffer.copy(larger);
  return larger;
}
