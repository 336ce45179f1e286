import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isSamePath, nameOf, systemPath } from "./file-paths.ts";
import { type Attempt, Refusal, refuseLinkedRoot, refuseRoot, refuseWay } from "./file-problems.ts";
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

  return (root, parts, use) => {
    const realRoot = realRootOf(root);
    if (!isSamePath(realRoot, root)) throw refuseLinkedRoot(root);
    refuseDetours(realRoot, parts, use);
    const directory = join(realRoot, ...parts);
    const fd = openSync(systemPath(directory), O_RDONLY | O_DIRECTORY | noFollow);
    const pathTo = (name: string) => systemPath(join(directory, name));

    function confirm(): void {
      refuseDetours(realRoot, parts, use);
      refuseOther(fd, pathTo("."), use);
      // The real path on macOS may differ from the name in upper and lower case, so there only its kernel can be the judge.
      if (!kernelJudges && nameOf(realpathSync.native(pathTo("."), "buffer")) !== directory) {
        throw new Refusal("forbidden", `a directory on the way to '${use.path}' was replaced by a link meanwhile`);
      }
    }

    function openFile(name: string, flags: number, mode?: number): number {
      const file = openSync(pathTo(name), flags | noFollow, mode);
      try {
        if (!kernelJudges) {
          confirm();
          refuseOther(file, pathTo(name), use);
        }
        return file;
      } catch (error) {
        closeSync(file);
        throw error;
      }
    }

    const held: HeldDirectory = { fd, pathTo, open: openFile, confirm };
    try {
      confirm();
      return held;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  };
}

function realRootOf(root: string): string {
  try {
    return realpathSync.native(root);
  } catch (error) {
    throw refuseRoot(root, error);
  }
}

function refuseDetours(realRoot: string, parts: readonly string[], attempt: Attempt): void {
  for (const index of parts.keys()) {
    const way = parts.slice(0, index + 1);
    const found = lookAt(systemPath(join(realRoot, ...way)));
    if (!found?.isDirectory()) throw refuseWay(way, found, attempt);
  }
}

function refuseOther(opened: number, path: string | Buffer, { path: shown }: Attempt): void {
  const lying = lookAt(path);
  const { dev, ino } = fstatSync(opened, { bigint: true });
  if (lying?.dev !== dev || lying.ino !== ino) {
    throw new Refusal("forbidden", `something on the way to '${shown}' was replaced meanwhile`);
  }
}

function lookAt(path: string | Buffer): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}
