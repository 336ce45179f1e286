import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fsync,
  linkSync,
  openSync,
  read,
  readFileSync,
  type Stats,
  statSync,
  write,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { hasCode } from "./file-problems.ts";

/**
 * What takes a few microseconds is done at once, for a turn through the event loop costs more; what may have to wait for the disk, or
 * moves many bytes, is waited for.
 */

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const [readAsync, writeAsync, syncAsync] = [promisify(read), promisify(write), promisify(fsync)];
const pieceBytes = 1_000_000;
const fewBytes = 64_000;

/** What tells bytes from any others. */
export interface Digest {
  readonly sha256: string;
  readonly size: number;
}

export const digestPattern: RegExp = /^[0-9a-f]{64}$/;

export function digestOf(bytes: Uint8Array): Digest {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
}

/** Nothing when there is no such file. */
export function statFile(path: string): Stats | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found : undefined;
}

/** Whether a file holds exactly these bytes. A crash of the system may have left others under the name. */
export async function holdsBytes(path: string, { sha256, size }: Digest): Promise<boolean> {
  if (statFile(path)?.size !== size) return false;
  const bytes = createHash("sha256");
  const isRead = await readPieces(path, size, (piece) => void bytes.update(piece));
  return isRead && bytes.digest("hex") === sha256;
}

/** All bytes of a file; nothing when it can't be read. */
export async function readWhole(path: string): Promise<Uint8Array | undefined> {
  const found = statFile(path);
  if (found === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  const isRead = await readPieces(path, found.size, (piece) => void pieces.push(Uint8Array.from(piece)));
  return isRead ? Buffer.concat(pieces) : undefined;
}

async function readPieces(path: string, size: number, onPiece: (piece: Uint8Array) => void): Promise<boolean> {
  try {
    const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      if (size <= fewBytes) {
        onPiece(readFileSync(file));
        return true;
      }
      const piece = Buffer.allocUnsafe(pieceBytes);
      for (;;) {
        const { bytesRead } = await readAsync(file, piece, 0, piece.length, null);
        if (bytesRead === 0) return true;
        onPiece(piece.subarray(0, bytesRead));
      }
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** A new file for its owner's eyes only, as a descriptor. */
export function createPrivate(path: string): number {
  return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
}

export async function writeWhole(file: number, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const piece = bytes.subarray(written, written + pieceBytes);
    written += bytes.length <= fewBytes ? writeSync(file, piece) : (await writeAsync(file, piece)).bytesWritten;
  }
}

/** Makes bytes last through a crash of the system. */
export function syncFile(file: number): Promise<void> {
  return syncAsync(file);
}

/** The same of what has a name, or of the names in a directory. */
export async function syncPath(path: string): Promise<void> {
  const file = openSync(path, O_RDONLY | O_NOFOLLOW);
  try {
    await syncAsync(file);
  } catch (error) {
    // Some file systems cannot sync a directory; they have no better promise to give.
    if (!hasCode(error, "EINVAL", "ENOTSUP", "EOPNOTSUPP")) throw error;
  } finally {
    closeSync(file);
  }
}

/** Another name for a file: `unlinkable` where the file system has no such thing, or no more of them for this file. */
export function linkFile(from: string, to: string): "linked" | "exists" | "missing" | "unlinkable" {
  try {
    linkSync(from, to);
    return "linked";
  } catch (error) {
    if (hasCode(error, "EEXIST")) return "exists";
    if (hasCode(error, "ENOENT")) return "missing";
    if (hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV")) return "unlinkable";
    throw error;
  }
}
