import { closeSync, existsSync } from "node:fs";
import { rmdir, unlink } from "node:fs/promises";
import type { FileProblem, FileState, FileSystem, RootedPath } from "../../block/ports.ts";
import { shownPath } from "../../block/rooted-path.ts";
import { isSliceOver, nextSlice } from "../../util/time-slice.ts";
import { compareDirectories } from "./compare-directories.ts";
import {
  describeEntry,
  listNames,
  makeDirectory,
  makeLink,
  removeEntry,
  renameEntry,
  setEntryMode,
} from "./directory-entries.ts";
import { readUmask } from "./file-modes.ts";
import { partsOf } from "./file-paths.ts";
import { type Attempt, explainFailure, Refusal, refuseMissing } from "./file-problems.ts";
import type { DirectoryUse, HeldDirectory, HoldDirectory } from "./held-directory.ts";
import { hashRegularFile, readPieces, readRegularFile } from "./read-regular-file.ts";
import { replaceFile } from "./replace-file.ts";
import { openFiles, walkFrom } from "./walk-directories.ts";

/**
 * No symbolic link below the root is ever followed. A file that may only be read can be replaced, renamed and removed all the
 * same: the permissions of its directory decide. The set-user-id and set-group-id bits of modes are neither told nor set. `seenAs`, on
 * Linux, is the root of another process, whose files they are then.
 */
export function createFileSystem(platform: NodeJS.Platform = process.platform, seenAs = ""): FileSystem {
  const hold = platform === "linux" && existsSync(openFiles) ? walkFrom(seenAs) : compareDirectories(platform);
  const umask = readUmask();
  const modes = { newFileMode: 0o666 & ~umask, newDirectoryMode: 0o777 & ~umask };
  const withSignal = (signal: AbortSignal): FileSystem => ({ ...modes, ...operations(hold, signal), withSignal });
  return withSignal(new AbortController().signal);
}

type Operations = Omit<FileSystem, "newFileMode" | "newDirectoryMode" | "withSignal">;

function operations(hold: HoldDirectory, signal: AbortSignal): Operations {
  const using = (at: RootedPath, done: string): DirectoryUse => {
    return { path: shownPath(at), done, changes: false, signal };
  };

  function change(at: RootedPath, done: string, action: EntryAction<void>): Promise<FileProblem | undefined> {
    const use = { ...using(at, done), changes: true };
    return answer(use, () => inParent(hold, at, use, action).then(() => undefined));
  }

  return {
    look(at) {
      const use = using(at, "looked at");
      return answer(use, () => look(hold, at, use));
    },
    read(at, maxBytes) {
      const use = using(at, "read");
      return answer(use, () =>
        inParent(hold, at, use, (directory, name) => readRegularFile(directory, name, use, maxBytes)),
      );
    },
    hash(at) {
      const use = using(at, "read");
      return answer(use, () => inParent(hold, at, use, (directory, name) => hashRegularFile(directory, name, use)));
    },
    async readPieces(at, onPiece) {
      const use = using(at, "read");
      let thrown: { readonly error: unknown } | undefined;
      const passOn = (piece: Uint8Array): Promise<void> =>
        onPiece(piece).catch((error: unknown) => {
          thrown = { error };
          throw error;
        });
      const read = await answer(use, () =>
        inParent(hold, at, use, (directory, name) => readPieces(directory, name, use, passOn)),
      );
      // What whoever takes the pieces can't do is no problem of the file.
      if (thrown !== undefined) throw thrown.error;
      return read;
    },
    list(at, maxNames = mostNames) {
      const use = using(at, "listed");
      return answer(use, () => list(hold, at, use, maxNames));
    },
    async replace(at, bytes, mode, temporary) {
      if (!isName(temporary)) throw new RangeError(`'${temporary}' cannot be the name of a temporary file`);
      return await change(at, "written", (directory, name, use) =>
        replaceFile(directory, name, use, { bytes, mode, temporary }),
      );
    },
    remove: (at) => change(at, "removed", removeEntry),
    removeTree(at) {
      const use = { ...using(at, "removed"), changes: true };
      return answer(use, async () => {
        const { kind } = await look(hold, at, use);
        if (kind === "missing") return undefined;
        if (kind === "directory") await empty(hold, at.root, partsOf(at.path), use);
        return await inParent(hold, at, use, removeEntry).then(() => undefined);
      });
    },
    makeDirectory: (at, mode) => change(at, "made", (directory, name) => makeDirectory(directory, name, mode)),
    makeLink: (at, target) => change(at, "made", (directory, name) => makeLink(directory, name, target)),
    setMode: (at, mode) =>
      change(at, "given another mode", (directory, name, use) => setEntryMode(directory, name, use, mode)),
    rename: (from, to) =>
      change(from, `renamed to '${shownPath(to)}'`, (directory, name, attempt) =>
        inParent(hold, to, { ...using(to, "made"), changes: true }, (target, newName) =>
          renameEntry(
            { directory, name, path: shownPath(from) },
            { directory: target, name: newName, path: shownPath(to) },
            attempt,
          ),
        ),
      ),
  };
}

/** Sorting more of them would hold up everything else. */
const mostNames = 100_000;

type EntryAction<T> = (directory: HeldDirectory, name: string, use: DirectoryUse) => Promise<T>;

/** Where throwing ends: a problem becomes a value. */
async function answer<T>(attempt: Attempt, action: () => Promise<T>): Promise<T | FileProblem> {
  try {
    return await action();
  } catch (error) {
    return explainFailure(error, attempt);
  }
}

async function look(hold: HoldDirectory, { root, path }: RootedPath, use: DirectoryUse): Promise<FileState> {
  const parts = partsOf(path);
  const name = parts.pop() ?? ".";
  try {
    return await inDirectory(hold, root, parts, use, async (directory) => describeEntry(directory, name));
  } catch (error) {
    if (error instanceof Refusal && error.problem.kind === "missing") return { kind: "missing" };
    throw error;
  }
}

async function list(
  hold: HoldDirectory,
  at: RootedPath,
  use: DirectoryUse,
  maxNames: number,
): Promise<readonly string[]> {
  const { kind } = await look(hold, at, use);
  if (kind === "missing") throw refuseMissing(use);
  if (kind === "file" || kind === "other") throw new Refusal("unusable", `'${use.path}' is not a directory`);
  return await inDirectory(hold, at.root, partsOf(at.path), use, (directory) => listNames(directory, use, maxNames));
}

/** Every directory is held while it is emptied, so that no link put in its place leads anywhere else. */
async function empty(hold: HoldDirectory, root: string, parts: readonly string[], use: DirectoryUse): Promise<void> {
  await inDirectory(hold, root, parts, use, async (directory) => {
    for (const name of await listNames(directory, use, Number.POSITIVE_INFINITY)) {
      use.signal.throwIfAborted();
      if (describeEntry(directory, name).kind !== "directory") await unlink(directory.pathTo(name));
      else {
        await empty(hold, root, [...parts, name], use);
        await rmdir(directory.pathTo(name));
      }
    }
  });
}

async function inParent<T>(
  hold: HoldDirectory,
  { root, path }: RootedPath,
  use: DirectoryUse,
  action: EntryAction<T>,
): Promise<T> {
  const parts = partsOf(path);
  const name = parts.pop();
  if (name === undefined) throw new Refusal("forbidden", `'${path}' names no file`);
  return await inDirectory(hold, root, parts, use, (directory) => action(directory, name, use));
}

/**
 * The signal is looked at here so that no operation can forget it. Most of an operation is done without a turn through the event loop,
 * so whoever does many, one after the other, gives others their turn here.
 */
async function inDirectory<T>(
  hold: HoldDirectory,
  root: string,
  parts: readonly string[],
  use: DirectoryUse,
  action: (directory: HeldDirectory) => Promise<T>,
): Promise<T> {
  await (isSliceOver() ? nextSlice() : undefined);
  use.signal.throwIfAborted();
  const directory = hold(root, parts, use);
  try {
    const result = await action(directory);
    directory.confirm();
    return result;
  } finally {
    closeSync(directory.fd);
  }
}

function isName(text: string): boolean {
  return !text.includes("/") && partsOf(text).length === 1;
}
