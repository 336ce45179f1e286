import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  type Stats,
  unlinkSync,
  write,
  writeSync,
} from "node:fs";
import { rename } from "node:fs/promises";
import { promisify } from "node:util";
import { permissionBits } from "./file-modes.ts";
import { hasCode, Refusal, refuseUnlessFile } from "./file-problems.ts";
import { type DirectoryUse, fewBytes, type HeldDirectory, lookAt, syncDirectory, syncFile } from "./held-directory.ts";
import { isOurs } from "./ownership.ts";

/**
 * The bytes are complete and on the disk before the name leads to them, and what the name led to before is never touched: a crash
 * leaves the old file or the new one, and at most the temporary one beside it. Other hard links to the old file keep its bytes.
 */

const { O_WRONLY, O_CREAT, O_EXCL } = constants;
/** Nobody else reads the bytes before the file has its own mode. */
const temporaryMode = 0o600;

export interface NewFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
  /** Name of the temporary file beside it. */
  readonly temporary: string;
}

export async function replaceFile(
  directory: HeldDirectory,
  name: string,
  { path, signal }: DirectoryUse,
  { bytes, mode, temporary }: NewFile,
): Promise<void> {
  if (temporary === name) throw new Refusal("forbidden", `'${path}' is the name of a temporary file of Frond's own`);
  const old = lookAt(directory, name);
  if (old?.isDirectory()) throw new Refusal("unusable", `'${path}' can't be written: it is a directory`);
  if (old !== undefined) refuseUnlessFile(old, name, path);
  const file = makeTemporary(directory, temporary, path, old);
  try {
    await fill(file, directory, { bytes, mode, old, signal });
    directory.confirm();
    signal.throwIfAborted();
    // It may have to wait for the disk: for what is being synced there, and for the space of the old file.
    await rename(directory.pathTo(temporary), directory.pathTo(name));
  } catch (error) {
    removeQuietly(directory, temporary);
    throw error;
  }
  await syncDirectory(directory);
}

function removeQuietly(directory: HeldDirectory, name: string): void {
  try {
    unlinkSync(directory.pathTo(name));
  } catch {
    // What went wrong before is what counts.
  }
}

function makeTemporary(directory: HeldDirectory, temporary: string, path: string, old: Stats | undefined): number {
  const make = () => directory.open(temporary, O_WRONLY | O_CREAT | O_EXCL, temporaryMode);
  try {
    return make();
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    const leftover = lookAt(directory, temporary);
    const isLeftByUs = leftover?.isFile() && (isOurs(leftover) || leftover.uid === old?.uid);
    if (!isLeftByUs) throw new Refusal("exists", `'${path}' can't be written: '${temporary}' beside it is in the way`);
    unlinkSync(directory.pathTo(temporary));
    return make();
  }
}

interface Filling extends Omit<NewFile, "temporary"> {
  readonly old: Stats | undefined;
  readonly signal: AbortSignal;
}

const pieceBytes = 1_000_000;
const writeAsync = promisify(write);

async function fill(file: number, directory: HeldDirectory, { bytes, mode, old, signal }: Filling): Promise<void> {
  try {
    directory.confirm();
    for (let written = 0; written < bytes.length; ) {
      signal.throwIfAborted();
      const piece = bytes.subarray(written, written + pieceBytes);
      written += piece.length <= fewBytes ? writeSync(file, piece) : (await writeAsync(file, piece)).bytesWritten;
    }
    signal.throwIfAborted();
    if (old !== undefined) keepOwner(file, old);
    fchmodSync(file, mode & permissionBits);
    await syncFile(file);
  } finally {
    closeSync(file);
  }
}

/** As far as we may: whoever could read their file before can do so after, also when it is replaced by root. */
function keepOwner(file: number, { uid, gid }: Stats): void {
  const made = fstatSync(file);
  if (made.uid === uid && made.gid === gid) return;
  for (const user of [uid, made.uid]) {
    try {
      return fchownSync(file, user, gid);
    } catch {
      // Not every user may give a file away.
    }
  }
}
