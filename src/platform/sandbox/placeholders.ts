import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hasCode } from "../files/file-problems.ts";
import { type HeldEntry, pathIn } from "../files/held-entries.ts";
import { holdersName, joinHolders } from "./placeholder-holders.ts";

const { O_CREAT, O_EXCL, O_WRONLY, O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const mostTries = 100;

/** A name that is taken so that something can be mounted there; free again after the last sandbox that needs it. */
export interface Placeholder {
  release(): void;
}

/**
 * A directory that is there because of us, or is empty; one of another's stays when it is released. Nothing where the name is
 * another's and in use, or can't be made by a command either.
 */
export function takeDirectory(parent: HeldEntry, name: string): Placeholder | undefined {
  // The entry is closed long before the sandbox ends.
  const around = openSync(`/proc/self/fd/${parent.fd}`, O_RDONLY | O_DIRECTORY);
  const path = `/proc/self/fd/${around}/${name}`;
  for (let tries = 0; ; tries++) {
    let directory: number | undefined;
    try {
      const isMade = makeDirectory(path, placeholderMode);
      directory = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (readdirSync(`/proc/self/fd/${directory}`).some((entry) => entry !== holdersName)) {
        closeSync(directory);
        break;
      }
      const hold = joinHolders(directory);
      const held = directory;
      return {
        release() {
          hold.leave(() => {});
          const isOurs = isMade || isMarked(held);
          closeSync(held);
          if (isOurs) removeDirectory(path);
          closeSync(around);
        },
      };
    } catch (error) {
      if (directory !== undefined) closeSync(directory);
      if (hasCode(error, ...unwritable, "ENOTDIR", "ELOOP")) break;
      // It was removed by the last of the others just now.
      if (!hasCode(error, "ENOENT") || tries === mostTries) throw error;
    }
  }
  closeSync(around);
  return undefined;
}

/** What makes `commondir` mean the directory that it lies in, as if there were none. */
export const inertPointer = ".";

/** A file `commondir` that changes nothing. Nothing where no command could make one either. */
export function takeCommonDirectory(gitDirectory: HeldEntry): Placeholder | undefined {
  let directory: number | undefined;
  try {
    directory = openSync(`/proc/self/fd/${gitDirectory.fd}`, O_RDONLY | O_DIRECTORY);
    const held = directory;
    const hold = joinHolders(held);
    const path = `/proc/self/fd/${held}/commondir`;
    makeFile(path, `${inertPointer}\n`);
    return {
      release() {
        hold.leave(() => {
          if (readFileSync(path, "utf8").trim() === inertPointer) unlinkSync(path);
        });
        closeSync(held);
      },
    };
  } catch (error) {
    if (directory !== undefined) closeSync(directory);
    if (hasCode(error, ...unwritable)) return undefined;
    throw error;
  }
}

/** Makes what may stay, because it means nothing: an empty directory of hooks, an empty file of settings. */
export function ensureEmpty(parent: HeldEntry, name: string, kind: "directory" | "file"): void {
  try {
    if (kind === "directory") makeDirectory(pathIn(parent, name));
    else makeFile(pathIn(parent, name), "");
  } catch (error) {
    if (!hasCode(error, ...unwritable)) throw error;
  }
}

/** What is not ours to write is not a command's of ours either. */
const unwritable = ["EACCES", "EPERM", "EROFS"];

/**
 * Who leaves last may be another process than the one that has made the directory, so the directory itself tells: it is made with
 * the sticky bit, which means nothing where only its owner writes, and which nobody else gives an empty `.git` or `.frond`.
 */
const sticky = 0o1000;
const placeholderMode = sticky | 0o755;

function isMarked(directory: number): boolean {
  return (fstatSync(directory).mode & sticky) !== 0;
}

/** Whether it was missing. */
function makeDirectory(path: string, mode = 0o777): boolean {
  try {
    mkdirSync(path, mode);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function makeFile(path: string, text: string): void {
  let fd: number;
  try {
    fd = openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o644);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return;
    throw error;
  }
  try {
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

/** Unless something was put into it, which is then for its owner to keep. */
function removeDirectory(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", ...unwritable)) throw error;
  }
}
