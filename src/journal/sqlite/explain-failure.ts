import { isDamage } from "../damage.ts";
import { JournalError } from "../journal.ts";
import { SqliteFailure } from "./driver.ts";

/** SQLite's result codes for what lies outside of the program. */
const outside = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  protocol: 15,
  notADatabase: 26,
} as const;

/** Extended: no space for the file that the processes share. */
const sharedMemoryFull = 4874;

const elsewhere = "or choose another state directory with FROND_STATE_DIR";

/** Whether it lasts only as long as another process is in the middle of something. */
export function isBusy(failure: unknown): boolean {
  if (!(failure instanceof SqliteFailure)) return false;
  return failure.kind === outside.busy || failure.kind === outside.locked || failure.kind === outside.protocol;
}

/** Whether the reason has nothing to do with what was asked. */
export function isOutside(failure: unknown): boolean {
  if (!(failure instanceof SqliteFailure)) return failure instanceof JournalError;
  return Object.values(outside).some((code) => code === failure.kind);
}

/** As one line for the user; a failure that is nobody's but the program's stays as it is. */
export function explainFailure(failure: unknown, file: string): unknown {
  if (isDamage(failure)) return damaged(file, failure);
  if (!(failure instanceof SqliteFailure)) return failure;
  if (failure.resultCode === sharedMemoryFull) return diskFull(file, failure);
  switch (failure.kind) {
    case outside.busy:
    case outside.locked:
    case outside.protocol:
      return new JournalError("busy", `Another process keeps ${file} locked. Try again when it has finished.`, failure);
    case outside.full:
      return diskFull(file, failure);
    case outside.readOnly:
      return readOnly(file, failure);
    case outside.corrupt:
    case outside.notADatabase:
      return damaged(file, failure);
    case outside.cantOpen:
      return new JournalError(
        "unusable",
        `${file} can't be opened. Check who may read and write it, ${elsewhere}.`,
        failure,
      );
    default:
      return new JournalError(
        "unusable",
        `${file} can't be used: ${failure.message}. Check the disk, ${elsewhere}.`,
        failure,
      );
  }
}

export function diskFull(file: string, cause?: unknown): JournalError {
  return new JournalError("full", `There is no space left on the disk of ${file}. Free some, ${elsewhere}.`, cause);
}

export function readOnly(file: string, cause?: unknown): JournalError {
  const advice = `Make it and its directory writable, ${elsewhere}.`;
  return new JournalError("read-only", `${file} can't be written to. ${advice}`, cause);
}

export function notAFile(file: string): JournalError {
  return new JournalError("unusable", `${file} is not a file. Move it away, ${elsewhere}.`);
}

export function removed(file: string, cause?: unknown): JournalError {
  const message = `${file} has been removed or replaced while it was in use. Try again, with what is there now.`;
  return new JournalError("removed", message, cause);
}

export function damaged(file: string, cause?: unknown): JournalError {
  const advice = "Restore it from a copy, or move it away to begin with an empty one.";
  return new JournalError("corrupt", `${file} is damaged, or not a journal of Frond. ${advice}`, cause);
}
