import { accessSync, chmodSync, constants, existsSync, lstatSync, type Stats, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { makeDirectories } from "../../util/make-directories.ts";
import { JournalError, type JournalErrorCode } from "../journal.ts";

/** Makes a directory that only we can look into, or tells why the one that is there can't be used. */
export function makeStateDirectory(directory: string): void {
  try {
    makeDirectories(directory, 0o700);
  } catch (error) {
    throw explainMissing(directory, error as NodeJS.ErrnoException);
  }
  const found = checkStateDirectory(directory);
  if ((found.mode & 0o077) !== 0) makePrivate(directory);
}

/** Tells why a directory that is there can't be used, as a `JournalError`. */
export function checkStateDirectory(directory: string): Stats {
  const found = lstatSync(directory);
  if (found.isSymbolicLink()) throw refusal(`${directory} is a symbolic link, which is not followed.`);
  // Everything is ours where files have no owner.
  const isOurs = process.geteuid === undefined || found.uid === process.geteuid();
  if (!isOurs) throw refusal(`${directory} belongs to another user.`);
  if (!found.isDirectory()) throw refusal(`${directory} is not a directory.`);
  return found;
}

/** Where a directory that is not there yet would be made. */
export function nearestParent(directory: string): string {
  let parent = dirname(directory);
  while (!existsSync(parent)) parent = dirname(parent);
  return parent;
}

export function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function makePrivate(directory: string): void {
  try {
    chmodSync(directory, 0o700);
  } catch {
    // On a disk that can't be written to it is as it is, and can still be read.
  }
}

/** Asks again, because the reason that the system gives for several directories at once can be a wrong one. */
function explainMissing(directory: string, error: NodeJS.ErrnoException): JournalError {
  const unfit = explainParent(directory, error);
  if (unfit !== undefined) return unfit;
  const code = error.code === "ENOSPC" ? "full" : "unusable";
  return refusal(`${directory} can't be made: ${error.message}.`, code, error);
}

/** Types of file systems that are not for files: proc and sysfs. Root is said to be allowed to write there. */
const systemTypes: readonly number[] = [0x9fa0, 0x62656572];

function isOfTheSystem(directory: string): boolean {
  try {
    return process.platform === "linux" && systemTypes.includes(statfsSync(directory).type);
  } catch {
    return false;
  }
}

/** Why a directory can't be made where it would be. */
export function explainParent(directory: string, cause?: unknown): JournalError | undefined {
  const parent = nearestParent(directory);
  const problem = `${directory} can't be made: ${parent}`;
  if (!statSync(parent).isDirectory()) return refusal(`${problem} is not a directory.`, "unusable", cause);
  if (isOfTheSystem(parent))
    return refusal(`${problem} shows the system, and takes no directories.`, "unusable", cause);
  return isWritable(parent) ? undefined : refusal(`${problem} can't be written to.`, "read-only", cause);
}

function refusal(problem: string, code: JournalErrorCode = "unusable", cause?: unknown): JournalError {
  return new JournalError(code, `The state directory ${problem} Choose another one with FROND_STATE_DIR.`, cause);
}
