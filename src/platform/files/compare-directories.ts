import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isSamePath, nameOf, systemPath } from "./file-paths.ts";
import { type Attempt, hasCode, Refusal, refuseLinkedRoot, refuseRoot, refuseWay } from "./file-problems.ts";
import type { HeldDirectory, HoldDirectory } from "./held-directory.ts";

/**
 * Where directories cannot be walked by descriptor: the way is looked at before and after each use. macOS refuses every link
 * while it opens a file, so there no byte outside is read or written; elsewhere what was opened is compared with what lies there.
 * This is weaker than a walk: a program that swaps a directory for a link and back in step with all of these looks can still have
 * a name outside made, removed, renamed or replaced, and without macOS's flag have a file outside read.
 */

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
/** O_NOFOLLOW_ANY of macOS, which Node does not name: a link anywhere in the path is an error. It excludes O_NOFOLLOW. */
const noFollowAny = 0x20000000;

export function compareDirectories(platform: NodeJS.Platform): HoldDirectory {
  const kernelJudges = platform === "darwin";
  const noFollow = kernelJudges ? noFollowAny : O_NOFOLLOW;

  return async (root, parts, use) => {
    const realRoot = await realRootOf(root);
    if (!isSamePath(realRoot, root)) throw refuseLinkedRoot(root);
    await refuseDetours(realRoot, parts, use);
    const directory = join(realRoot, ...parts);
    const handle = await open(systemPath(directory), O_RDONLY | O_DIRECTORY | noFollow);
    const pathTo = (name: string) => systemPath(join(directory, name));

    async function confirm(): Promise<void> {
      await refuseDetours(realRoot, parts, use);
      await refuseOther(handle, pathTo("."), use);
      // The real path on macOS may differ from the name in upper and lower case, so there only its kernel can be the judge.
      if (!kernelJudges && nameOf(await realpath(pathTo("."), "buffer")) !== directory) {
        throw new Refusal("forbidden", `a directory on the way to '${use.path}' was replaced by a link meanwhile`);
      }
    }

    async function openFile(name: string, flags: number, mode?: number): Promise<FileHandle> {
      const file = await open(pathTo(name), flags | noFollow, mode);
      try {
        if (!kernelJudges) {
          await confirm();
          await refuseOther(file, pathTo(name), use);
        }
        return file;
      } catch (error) {
        await file.close();
        throw error;
      }
    }

    const held: HeldDirectory = { handle, pathTo, open: openFile, confirm };
    try {
      await confirm();
      return held;
    } catch (error) {
      await handle.close();
      throw error;
    }
  };
}

async function realRootOf(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (error) {
    throw refuseRoot(root, error);
  }
}

async function refuseDetours(realRoot: string, parts: readonly string[], attempt: Attempt): Promise<void> {
  for (const index of parts.keys()) {
    const way = parts.slice(0, index + 1);
    const found = await lookAt(systemPath(join(realRoot, ...way)));
    if (!found?.isDirectory()) throw refuseWay(way, found, attempt);
  }
}

async function refuseOther(opened: FileHandle, path: string | Buffer, { path: shown }: Attempt): Promise<void> {
  const lying = await lookAt(path);
  const { dev, ino } = await opened.stat({ bigint: true });
  if (lying?.dev !== dev || lying.ino !== ino) {
    throw new Refusal("forbidden", `something on the way to '${shown}' was replaced meanwhile`);
  }
}

async function lookAt(path: string | Buffer): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
