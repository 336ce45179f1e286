import { constants, type Stats } from "node:fs";
import { type FileHandle, rename, unlink } from "node:fs/promises";
import { permissionBits } from "./file-modes.ts";
import { hasCode, Refusal, refuseUnlessFile } from "./file-problems.ts";
import { type DirectoryUse, type HeldDirectory, lookAt, syncDirectory } from "./held-directory.ts";
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
  const old = await lookAt(directory, name);
  if (old?.isDirectory()) throw new Refusal("unusable", `'${path}' can't be written: it is a directory`);
  if (old !== undefined) refuseUnlessFile(old, name, path);
  const file = await makeTemporary(directory, temporary, path, old);
  try {
    await fill(file, directory, { bytes, mode, old, signal });
    await directory.confirm();
    signal.throwIfAborted();
    await rename(directory.pathTo(temporary), directory.pathTo(name));
  } catch (error) {
    await unlink(directory.pathTo(temporary)).catch(() => undefined);
    throw error;
  }
  await syncDirectory(directory);
}

async function makeTemporary(
  directory: HeldDirectory,
  temporary: string,
  path: string,
  old: Stats | undefined,
): Promise<FileHandle> {
  const make = () => directory.open(temporary, O_WRONLY | O_CREAT | O_EXCL, temporaryMode);
  try {
    return await make();
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    const leftover = await lookAt(directory, temporary);
    const isLeftByUs = leftover?.isFile() && (isOurs(leftover) || leftover.uid === old?.uid);
    if (!isLeftByUs) throw new Refusal("exists", `'${path}' can't be written: '${temporary}' beside it is in the way`);
    await unlink(directory.pathTo(temporary));
    return await make();
  }
}

interface Filling extends Omit<NewFile, "temporary"> {
  readonly old: Stats | undefined;
  readonly signal: AbortSignal;
}

const pieceBytes = 1_000_000;

async function fill(file: FileHandle, directory: HeldDirectory, { bytes, mode, old, signal }: Filling): Promise<void> {
  try {
    await directory.confirm();
    for (let written = 0; written < bytes.length; ) {
      signal.throwIfAborted();
      const piece = bytes.subarray(written, written + pieceBytes);
      written += (await file.write(piece)).bytesWritten;
    }
    signal.throwIfAborted();
    if (old !== undefined) await keepOwner(file, old);
    await file.chmod(mode & permissionBits);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** As far as we may: whoever could read their file before can do so after, also when it is replaced by root. */
async function keepOwner(file: FileHandle, { uid, gid }: Stats): Promise<void> {
  const made = await file.stat();
  if (made.uid === uid && made.gid === gid) return;
  await file.chown(uid, gid).catch(() => file.chown(made.uid, gid).catch(() => undefined));
}
