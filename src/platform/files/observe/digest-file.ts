import { createHash, type Hash } from "node:crypto";
import { closeSync, fstatSync, readSync } from "node:fs";
import { openRegular } from "./look-at-file.ts";

/** Which digests of a file's bytes are wanted: its own, the id that git gives to them, or both. */
export interface WantedDigests {
  readonly sha256?: boolean;
  /** In hexadecimal digits, as long as ids are in the repository. */
  readonly gitIdLength?: number;
}

export interface FileDigests {
  readonly size: number;
  readonly sha256: string;
  readonly gitId: string;
}

const pieceBytes = 1_000_000;
const piece = Buffer.allocUnsafe(pieceBytes);
export const sha1Digits = 40;

/** Nothing for a file that can't be read, or changes meanwhile. */
export function digestFile(path: string, wanted: WantedDigests, throwIfAborted: () => void): FileDigests | undefined {
  const fd = openRegular(path);
  if (fd === undefined) return undefined;
  try {
    const { size, ctimeNs } = fstatSync(fd, { bigint: true });
    const { gitIdLength } = wanted;
    const own = wanted.sha256 ? createHash("sha256") : undefined;
    const git = gitIdLength === undefined ? undefined : createHash(gitIdLength === sha1Digits ? "sha1" : "sha256");
    git?.update(`blob ${size}\0`);
    let read = 0;
    for (;;) {
      throwIfAborted();
      const count = readSync(fd, piece);
      if (count === 0) break;
      const bytes = piece.subarray(0, count);
      own?.update(bytes);
      git?.update(bytes);
      read += count;
    }
    const after = fstatSync(fd, { bigint: true });
    if (BigInt(read) !== size || after.ctimeNs !== ctimeNs) return undefined;
    return { size: read, sha256: hex(own), gitId: hex(git) };
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  } finally {
    closeSync(fd);
  }
}

function hex(hash: Hash | undefined): string {
  return hash?.digest("hex") ?? "";
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
