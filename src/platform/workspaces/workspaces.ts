import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { lstat, mkdir, readdir, realpath, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { MadeWorkspace, WorkspaceSource, Workspaces } from "../../block/workspaces.ts";
import { makeDirectories } from "../../util/make-directories.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { explainUnmakable, isWritable } from "../../util/unmakable-directory.ts";
import { isOurs } from "../files/ownership.ts";
import { removeTree } from "../files/remove-tree.ts";
import { checkOut, type GitTools } from "./check-out.ts";

const ownerOnly = 0o700;
const partialPattern = /^(.+)\.[0-9a-f-]{36}\.partial$/;

/**
 * Each in a directory with the id of its run. One is made beside its place and put there when it is whole, so that what a dead process
 * has left, or still writes to, is never taken for a workspace.
 */
export function createWorkspaces(directory: string, tools: GitTools): Workspaces {
  const at = (runId: string): string => {
    if (!/^[\w-][\w.-]*$/.test(runId)) throw new RangeError(`'${runId}' cannot be the name of a directory`);
    return join(directory, runId);
  };

  async function remove(runId: string): Promise<void> {
    const own = at(runId);
    for (const name of list(directory)) if (runOf(name) === runId) await removeTree(join(directory, name));
    await removeTree(own);
  }

  async function makeIn(partial: string, source: WorkspaceSource | "none", runId: string, signal: AbortSignal) {
    await mkdir(partial, { mode: ownerOnly });
    return source === "none" ? ok(undefined) : checkOut(partial, source, tools, { runId, signal });
  }

  return {
    async make(source, runId, signal): Promise<Result<MadeWorkspace, string>> {
      const own = at(runId);
      const partial = `${own}.${randomUUID()}.partial`;
      try {
        makeDirectories(directory, ownerOnly);
        if (!isOurs(lstatSync(directory))) throw new Error(`${directory} belongs to another user`);
        await remove(runId);
        const made = await makeIn(partial, source, runId, signal);
        signal.throwIfAborted();
        if (!made.ok) {
          await removeTree(partial);
          return made;
        }
        await rename(partial, own);
        return ok({ workspace: await realpath(own), ...(made.value === undefined ? {} : { commit: made.value }) });
      } catch (error) {
        await removeTree(partial).catch(() => {});
        signal.throwIfAborted();
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`The workspace ${own} can't be made: ${why}.`, { cause: error });
      }
    },
    async sizes() {
      const sizes = new Map<string, number>();
      for (const name of list(directory)) {
        const runId = runOf(name);
        sizes.set(runId, (sizes.get(runId) ?? 0) + (await sizeOf(join(directory, name))));
      }
      return sizes;
    },
    ownerOf: (workspace) => {
      const name = basename(workspace);
      return isSame(dirname(workspace), directory) && list(directory).includes(name) ? name : undefined;
    },
    remove,
    examine() {
      const why = explainUnusable(directory);
      return why === undefined ? ok(directory) : err(`${directory} ${why}`);
    },
  };
}

function explainUnusable(directory: string): string | undefined {
  if (!existsSync(directory)) return explainUnmakable(directory)?.problem;
  const found = lstatSync(directory);
  if (!isOurs(found)) return "belongs to another user.";
  if (!found.isDirectory()) return "is not a directory.";
  return isWritable(directory) ? undefined : "can't be written to.";
}

function runOf(name: string): string {
  return partialPattern.exec(name)?.[1] ?? name;
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isSame(one: string, other: string): boolean {
  try {
    const [first, second] = [lstatSync(`${one}/`), lstatSync(`${other}/`)];
    return first.ino === second.ino && first.dev === second.dev;
  } catch {
    return false;
  }
}

/** What goes away meanwhile is not counted. */
async function sizeOf(path: string): Promise<number> {
  try {
    const found = await lstat(path);
    const own = (found.blocks ?? 0) * 512;
    if (!found.isDirectory()) return own;
    let sum = own;
    for (const name of await readdir(path)) sum += await sizeOf(join(path, name));
    return sum;
  } catch {
    return 0;
  }
}
