import { chmodSync, lstatSync, type Stats } from "node:fs";
import { makeDirectories } from "../util/make-directories.ts";
import { explainUnfit, explainUnmakable } from "../util/unmakable-directory.ts";
import { JournalError, type JournalErrorCode } from "./journal.ts";

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
  const unfit = explainUnfit(directory, found);
  if (unfit !== undefined) throw refusal(`${directory} ${unfit}`);
  return found;
}

function makePrivate(directory: string): void {
  try {
    chmodSync(directory, 0o700);
  } catch {
    // On a disk that can't be written to it is as it is, and can still be read.
  }
}

function explainMissing(directory: string, error: NodeJS.ErrnoException): JournalError {
  const unfit = explainParent(directory, error);
  if (unfit !== undefined) return unfit;
  const code = error.code === "ENOSPC" ? "full" : "unusable";
  return refusal(`${directory} can't be made: ${error.message}.`, code, error);
}

/** Why a directory can't be made where it would be. */
export function explainParent(directory: string, cause?: unknown): JournalError | undefined {
  const unmakable = explainUnmakable(directory);
  if (unmakable === undefined) return undefined;
  const { problem, isReadOnly } = unmakable;
  return refusal(`${directory} ${problem}`, isReadOnly ? "read-only" : "unusable", cause);
}

function refusal(problem: string, code: JournalErrorCode = "unusable", cause?: unknown): JournalError {
  return new JournalError(code, `The state directory ${problem} Choose another one with FROND_STATE_DIR.`, cause);
}
