import { randomUUID } from "node:crypto";
import { cp, lstat, mkdir, readdir, readFile, realpath, rename, rmdir, unlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Scratch, ScratchOrigin } from "../../block/ports.ts";
import { scratchDirectory } from "../../block/scratch-directory.ts";
import { isOurs } from "./ownership.ts";
import { removeTree } from "./remove-tree.ts";
import { takeSmallFile } from "./take-small-file.ts";

const ignoreName = ".gitignore";
const ignoreEverything = "*\n";
const ownerOnly = 0o700;
/** Of a file that is taken. */
const mostBytes = 1_000_000;
const ownOnlyFile = 0o600;
/** Another run may remove the shared directory between our two steps; it cannot keep on doing so by chance. */
const attempts = 5;

/**
 * `.scratch/<run id>` in the workspace. All runs share `.scratch`, so making and removing it expects others to do the same at
 * the same time. It is only ever used when it is a real directory and ours: through a link it would be anywhere, and its owner
 * could put a link in the place of what is in it. The run's own directory is never one that was there before, unless the run may
 * have made it in another process.
 */
export function createScratch(workspace: string, runId: string, origin: ScratchOrigin = {}): Scratch {
  const { mayExist = false, copyOf } = origin;
  for (const id of [runId, copyOf ?? runId]) {
    if (!/^[\w-][\w.-]*$/.test(id)) throw new RangeError(`'${id}' cannot be the name of a directory`);
  }
  const shared = join(workspace, scratchDirectory);
  const own = join(shared, runId);
  const partial = `${own}.partial`;
  let making: Promise<string> | undefined;
  let isMade = false;

  async function makeOwn(): Promise<void> {
    if (mayExist && (await isOwnDirectory(own))) return;
    const kept = copyOf === undefined ? undefined : join(shared, copyOf);
    if (kept !== undefined && (await isOwnDirectory(kept))) await copyKept(kept, partial, own);
    else if (mayExist) await makeOrUse(own);
    else await mkdir(own, { mode: ownerOnly });
  }

  async function make(): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        await makeOrUse(shared);
        await writeIgnore(shared);
        await makeOwn();
        isMade = true;
        break;
      } catch (error) {
        if (attempt === attempts || codeOf(error) !== "ENOENT") throw error;
      }
    }
    const expected = join(await realpath(workspace), scratchDirectory, runId);
    if ((await realpath(own)) !== expected)
      throw new Error(`'${shared}' was replaced by a link while it was being made`);
    return own;
  }

  function path(): Promise<string> {
    making ??= make();
    return making;
  }

  return {
    path,
    async write(name, bytes) {
      const file = join(await path(), basename(name));
      // A link that lies there is replaced, not followed.
      const temporary = `${file}.${randomUUID()}`;
      await writeFile(temporary, bytes, { flag: "wx", mode: ownOnlyFile });
      await rename(temporary, file);
      return file;
    },
    async take(name) {
      return isMade ? takeSmallFile(join(own, name), mostBytes) : undefined;
    },
    async remove() {
      if (!(await isOwnDirectory(shared))) return;
      if (mayExist) await removeTree(partial);
      if (isMade || (mayExist && (await isOwnDirectory(own)))) await removeTree(own);
      await removeIfUnused(shared);
    },
    async removeIfEmpty() {
      if (!(await isOwnDirectory(shared))) return;
      if (mayExist) await removeTree(partial);
      if (isMade || (mayExist && (await isOwnDirectory(own)))) await rmdir(own).catch(orNotEmpty);
      await removeIfUnused(shared);
    },
  };
}

/** Whole or not at all, so that whoever finds it after a crash need not ask. */
async function copyKept(kept: string, partial: string, own: string): Promise<void> {
  await removeTree(partial);
  await cp(kept, partial, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  await rename(partial, own);
}

async function makeOrUse(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: ownerOnly });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const found = await lstat(path);
    if (found.isSymbolicLink())
      throw new Error(`'${path}' is a symbolic link; remove it, so that Frond can use a directory`);
    if (!found.isDirectory()) throw new Error(`'${path}' is not a directory; remove it, so that Frond can make one`);
    if (!isOurs(found)) throw new Error(`'${path}' belongs to another user; remove it, so that Frond can make its own`);
  }
}

async function writeIgnore(directory: string): Promise<void> {
  try {
    await writeFile(join(directory, ignoreName), ignoreEverything, { flag: "wx" });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

async function removeIfUnused(directory: string): Promise<void> {
  try {
    const ignore = join(directory, ignoreName);
    const isUsed = (await readdir(directory)).some((entry) => entry !== ignoreName);
    if (isUsed || (await readFile(ignore, "utf8")) !== ignoreEverything) return;
    await unlink(ignore);
    await rmdir(directory);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return;
    // Another run has just moved in; it still needs what was taken away.
    if (code === "ENOTEMPTY" || code === "EEXIST") return writeIgnore(directory);
    throw error;
  }
}

async function isOwnDirectory(path: string): Promise<boolean> {
  try {
    const found = await lstat(path);
    return found.isDirectory() && isOurs(found);
  } catch {
    return false;
  }
}

function orNotEmpty(error: unknown): void {
  const code = codeOf(error);
  if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOENT") throw error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
