import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { opendir, rename, unlink } from "node:fs/promises";
import type { FileState } from "../../block/ports.ts";
import { inheritedGroup, permissionBits } from "./file-modes.ts";
import { nameOf, systemPath } from "./file-paths.ts";
import { type Attempt, hasCode, Refusal, refuseMissing, refuseUnlessFile } from "./file-problems.ts";
import { type DirectoryUse, type HeldDirectory, lookAt, syncDirectory, syncFile } from "./held-directory.ts";
import { O_PATH } from "./held-entries.ts";
import { openFiles } from "./walk-directories.ts";

export function describeEntry(directory: HeldDirectory, name: string): FileState {
  const found = lookAt(directory, name);
  if (found === undefined) return { kind: "missing" };
  const mode = found.mode & permissionBits;
  if (found.isFile()) return { kind: "file", mode, size: found.size };
  if (found.isDirectory()) return { kind: "directory", mode };
  if (!found.isSymbolicLink()) return { kind: "other" };
  try {
    return { kind: "link", target: nameOf(readlinkSync(directory.pathTo(name), "buffer")) };
  } catch (error) {
    // It is no link any more.
    if (hasCode(error, "EINVAL", "ENOENT")) return describeEntry(directory, name);
    throw error;
  }
}

/** How many names are asked of the system at once. */
const namesAtOnce = 1_000;

export async function listNames(
  directory: HeldDirectory,
  { path, signal }: DirectoryUse,
  maxNames: number,
): Promise<readonly string[]> {
  const names: string[] = [];
  const opened = await opendir(directory.pathTo("."), bytesAsNames);
  try {
    for (let entry = await opened.read(); entry !== null; entry = await opened.read()) {
      signal.throwIfAborted();
      names.push(nameOf(entry.name as unknown as Buffer));
      if (names.length <= maxNames) continue;
      throw new Refusal("too-large", `'${path}' holds more than ${maxNames.toLocaleString("en-US")} entries`);
    }
  } finally {
    await opened.close();
  }
  return names.sort();
}

/** Node's types know no names of bytes here. */
const bytesAsNames = { encoding: "buffer" as BufferEncoding, bufferSize: namesAtOnce };

export async function removeEntry(directory: HeldDirectory, name: string, attempt: Attempt): Promise<void> {
  const found = lookAt(directory, name);
  if (found === undefined) throw refuseMissing(attempt);
  if (found.isDirectory()) {
    rmdirSync(directory.pathTo(name));
  } else {
    if (!found.isSymbolicLink()) refuseUnlessFile(found, name, attempt.path);
    // It may have to wait for the disk, which frees the space of the file.
    await unlink(directory.pathTo(name));
  }
  await syncDirectory(directory);
}

/** What we do with a directory of our own before it has its mode. */
const ownerMay = 0o700;

export async function makeDirectory(directory: HeldDirectory, name: string, mode: number): Promise<void> {
  const wanted = mode & permissionBits;
  mkdirSync(directory.pathTo(name), { mode: wanted | ownerMay });
  try {
    directory.confirm();
    const made = directory.open(name, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await setMode(made, wanted);
    } finally {
      closeSync(made);
    }
  } catch (error) {
    quietly(() => rmdirSync(directory.pathTo(name)));
    throw error;
  }
  await syncDirectory(directory);
}

export async function makeLink(directory: HeldDirectory, name: string, target: string): Promise<void> {
  symlinkSync(systemPath(target), directory.pathTo(name));
  try {
    directory.confirm();
  } catch (error) {
    quietly(() => unlinkSync(directory.pathTo(name)));
    throw error;
  }
  await syncDirectory(directory);
}

/** Whatever the umask took away, and without taking away what the directory inherited. */
async function setMode(made: number, wanted: number): Promise<void> {
  const { mode } = fstatSync(made);
  if ((mode & permissionBits) === wanted) return;
  fchmodSync(made, wanted | (mode & inheritedGroup));
  await syncFile(made);
}

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

/** What has the name is opened, so that no link that is put in its place meanwhile leads anywhere else. */
export async function setEntryMode(
  directory: HeldDirectory,
  name: string,
  attempt: Attempt,
  mode: number,
): Promise<void> {
  const found = lookAt(directory, name);
  if (found === undefined) throw refuseMissing(attempt);
  if (!found.isDirectory()) refuseUnlessFile(found, name, attempt.path);
  const wanted = mode & permissionBits;
  let entry: number;
  try {
    entry = directory.open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  } catch (error) {
    if (!hasCode(error, "EACCES") || process.platform !== "linux") throw error;
    return await setUnreadableMode(directory, name, attempt, wanted);
  }
  try {
    const opened = fstatSync(entry);
    if (!opened.isDirectory()) refuseUnlessFile(opened, name, attempt.path);
    directory.confirm();
    fchmodSync(entry, opened.isDirectory() ? wanted | (opened.mode & inheritedGroup) : wanted);
    await syncFile(entry);
  } finally {
    closeSync(entry);
  }
}

/** Its owner may not read it, but set its mode: through a handle that can do nothing else. */
async function setUnreadableMode(
  directory: HeldDirectory,
  name: string,
  { path }: Attempt,
  wanted: number,
): Promise<void> {
  const entry = directory.open(name, O_PATH);
  try {
    const held = fstatSync(entry);
    if (!held.isDirectory()) refuseUnlessFile(held, name, path);
    chmodSync(`${openFiles}/${entry}`, held.isDirectory() ? wanted | (held.mode & inheritedGroup) : wanted);
  } finally {
    closeSync(entry);
  }
  await syncDirectory(directory);
}

/** An entry of a directory, as a message shows it. */
export interface Entry {
  readonly directory: HeldDirectory;
  readonly name: string;
  readonly path: string;
}

export async function renameEntry(from: Entry, to: Entry, attempt: Attempt): Promise<void> {
  const moved = lookAt(from.directory, from.name);
  if (moved === undefined) throw refuseMissing(attempt);
  const found = lookAt(to.directory, to.name);
  if (found !== undefined) refuseOccupied(moved, found, from, to);
  try {
    await rename(from.directory.pathTo(from.name), to.directory.pathTo(to.name));
  } catch (error) {
    if (!moved.isDirectory() || !hasCode(error, "EINVAL")) throw error;
    throw new Refusal("unusable", `'${from.path}' can't be ${attempt.done}: that lies in it`);
  }
  await syncDirectory(to.directory);
  await syncDirectory(from.directory);
}

function refuseOccupied(moved: Stats, found: Stats, from: Entry, to: Entry): void {
  if (isSameFile(from, to)) {
    // Where upper and lower case are one, another spelling of the name is meant. Of two hard links the system moves neither.
    if (moved.isDirectory() || moved.nlink === 1) return;
    throw new Refusal("exists", `'${from.path}' and '${to.path}' are the same file`);
  }
  if (moved.isDirectory() || found.isDirectory()) {
    throw new Refusal("exists", `'${from.path}' can't be renamed to '${to.path}': that exists already`);
  }
  refuseUnlessFile(found, to.name, to.path);
}

function isSameFile(one: Entry, other: Entry): boolean {
  const [a, b] = [one, other].map(({ directory, name }) => lstatSync(directory.pathTo(name), { bigint: true }));
  return a?.dev === b?.dev && a?.ino === b?.ino;
}

/** Where something else has gone wrong, which is what counts. */
function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // It stays as it is.
  }
}
