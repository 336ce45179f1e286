import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, open } from "node:fs/promises";
import { hasCode } from "./file-problems.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const pieceBytes = 1_000_000;

/** What tells bytes from any others. */
export interface Digest {
  readonly sha256: string;
  readonly size: number;
}

export const digestPattern: RegExp = /^[0-9a-f]{64}$/;

export function digestOf(bytes: Uint8Array): Digest {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
}

/** Whether a file holds exactly these bytes. A crash of the system may have left others under the name. */
export async function holdsBytes(path: string, { sha256, size }: Digest): Promise<boolean> {
  const bytes = createHash("sha256");
  const read = await readFile(path, async (piece) => void bytes.update(piece), size);
  return read === size && bytes.digest("hex") === sha256;
}

/** All bytes of a file; nothing when it can't be read. */
export async function readWhole(path: string): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  const read = await readFile(path, async (piece) => void pieces.push(Uint8Array.from(piece)));
  return read === undefined ? undefined : Buffer.concat(pieces);
}

/** How many bytes were read; nothing when it can't be read, or has another size. */
async function readFile(
  path: string,
  onPiece: (piece: Uint8Array) => Promise<void>,
  expected?: number,
): Promise<number | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const { size } = await file.stat();
    if (expected !== undefined && size !== expected) return undefined;
    const piece = Buffer.allocUnsafe(Math.min(size + 1, pieceBytes));
    for (let read = 0; ; ) {
      const { bytesRead } = await file.read(piece, 0, piece.length);
      if (bytesRead === 0) return read;
      await onPiece(piece.subarray(0, bytesRead));
      read += bytesRead;
    }
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** A new file for its owner's eyes only. */
export function createPrivate(path: string): Promise<FileHandle> {
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
}

export async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes.subarray(written, written + pieceBytes))).bytesWritten;
  }
}

/** Makes the bytes of a file, or the names in a directory, last through a crash of the system. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW);
  try {
    await file.sync();
  } catch (error) {
    // Some file systems cannot sync a directory; they have no better promise to give.
    if (!hasCode(error, "EINVAL", "ENOTSUP", "EOPNOTSUPP")) throw error;
  } finally {
    await file.close();
  }
}

/** Another name for a file: `unlinkable` where the file system has no such thing, or no more of them for this file. */
export async function linkFile(from: string, to: string): Promise<"linked" | "exists" | "missing" | "unlinkable"> {
  try {
    await link(from, to);
    return "linked";
  } catch (error) {
    if (hasCode(error, "EEXIST")) return "exists";
    if (hasCode(error, "ENOENT")) return "missing";
    if (hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV")) return "unlinkable";
    throw error;
  }
}
