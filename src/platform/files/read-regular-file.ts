import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, read, readSync, type Stats } from "node:fs";
import { promisify } from "node:util";
import { permissionBits } from "./file-modes.ts";
import { Refusal, refuseUnlessFile } from "./file-problems.ts";
import { type DirectoryUse, fewBytes, type HeldDirectory, lookAt } from "./held-directory.ts";

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
/** Without O_NONBLOCK the opening of a FIFO would wait for somebody to write to it. */
const readFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY;

export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

export function readRegularFile(
  directory: HeldDirectory,
  name: string,
  use: DirectoryUse,
  maxBytes: number,
): Promise<ReadFile> {
  return withRegularFile(directory, name, use, async (file, { size, mode }) => ({
    bytes: await readBytes(file, size, use, maxBytes),
    mode: mode & permissionBits,
  }));
}

export interface HashedFile {
  readonly sha256: string;
  readonly size: number;
  readonly mode: number;
}

/** Between two pieces others have their turn, and the signal is looked at. */
const pieceBytes = 1_000_000;
/** For a file that has grown, or has no size at all. */
const fewestBytes = 4096;

export async function hashRegularFile(directory: HeldDirectory, name: string, use: DirectoryUse): Promise<HashedFile> {
  const hash = createHash("sha256");
  const read = await readPieces(directory, name, use, async (piece) => void hash.update(piece));
  return { sha256: hash.digest("hex"), ...read };
}

export function readPieces(
  directory: HeldDirectory,
  name: string,
  use: DirectoryUse,
  onPiece: (piece: Uint8Array) => Promise<void>,
): Promise<Omit<HashedFile, "sha256">> {
  return withRegularFile(directory, name, use, async (file, { mode, size: told }) => {
    // Of a small file no large piece: thousands of them would keep the garbage collector busy for longer than all else takes.
    const piece = Buffer.allocUnsafe(Math.min(Math.max(told + 1, fewestBytes), pieceBytes));
    let size = 0;
    for (;;) {
      use.signal.throwIfAborted();
      const bytesRead = await readPiece(file, piece, 0, piece.length);
      if (bytesRead === 0) return { size, mode: mode & permissionBits };
      await onPiece(piece.subarray(0, bytesRead));
      size += bytesRead;
    }
  });
}

async function withRegularFile<T>(
  directory: HeldDirectory,
  name: string,
  { path }: DirectoryUse,
  action: (file: number, opened: Stats) => Promise<T>,
): Promise<T> {
  // Opening a device can do something by itself, so nothing is opened that has not been seen to be a file.
  const found = lookAt(directory, name);
  if (found === undefined) throw new Refusal("missing", `the file '${path}' does not exist`);
  refuseUnlessFile(found, name, path);
  const file = directory.open(name, readFlags);
  try {
    const opened = fstatSync(file);
    refuseUnlessFile(opened, name, path);
    return await action(file, opened);
  } finally {
    closeSync(file);
  }
}

const readAsync = promisify(read);

async function readPiece(file: number, buffer: Buffer, offset: number, length: number): Promise<number> {
  if (length <= fewBytes) return readSync(file, buffer, offset, length, null);
  return (await readAsync(file, buffer, offset, length, null)).bytesRead;
}

/** One more can be asked of Node in a single read. */
const mostBytes = 2 ** 31 - 2;

async function readBytes(
  file: number,
  size: number,
  { path, signal }: DirectoryUse,
  maxBytes: number,
): Promise<Uint8Array> {
  const limit = Math.min(maxBytes, mostBytes);
  // The size is only a hint for the first buffer: a file may grow while it is read, and some have no size at all.
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(size, limit) + 1);
  let length = 0;
  for (;;) {
    signal.throwIfAborted();
    const bytesRead = await readPiece(file, buffer, length, Math.min(buffer.length - length, pieceBytes));
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > limit) {
      throw new Refusal("too-large", `'${path}' is larger than ${limit.toLocaleString("en-US")} bytes`);
    }
    if (length === buffer.length) buffer = enlarge(buffer, Math.min(buffer.length * 2, limit + 1));
  }
}

function enlarge(buffer: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  buffer.copy(larger);
  return larger;
}
