import { lstatSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathBelow } from "../../util/path-below.ts";
import { realPath } from "../files/file-paths.ts";
import type { HeldMount } from "./holder.ts";

/**
 * What an isolated command sees otherwise than through the overlay mount. In shared directories it writes to the real ones. What git keeps
 * of the repository can only be read: it can't be journaled, so that what a command does there could be neither dropped nor undone;
 * and a commit that is there although its files were dropped would be worse than one that is refused. The same holds for the
 * project's workflows, which no block changes.
 */
export function workspaceMounts(workspace: string, shared: readonly string[]): readonly HeldMount[] {
  const writable = shared.flatMap((path): HeldMount[] => {
    const inside = pathBelow(workspace, path);
    return inside === undefined || inside === "" || realPath(path) !== path
      ? []
      : [{ kind: "writable", what: path, where: join("merged", inside) }];
  });
  const readOnly = [...gitPaths(workspace), join(workspace, ".frond")].flatMap((path): HeldMount[] => {
    // A link is none of them, and what it leads to is mounted where it is.
    if (realPath(path) !== path) return [];
    const inside = pathBelow(workspace, path);
    return [{ kind: "read-only", what: path, where: inside === undefined ? path : join("merged", inside) }];
  });
  return [...writable, ...readOnly];
}

/** Where git would find the repository of the workspace: `.git` in it or above, and what that names. */
function gitPaths(workspace: string): readonly string[] {
  const found = findUpwards(workspace);
  if (found === undefined) return [];
  const named = /^gitdir: (.+)$/m.exec(readText(found))?.[1];
  if (named === undefined) return [found];
  const own = realPath(resolve(dirname(found), named));
  if (own === undefined) return [found];
  const common = readText(join(own, "commondir")).trim();
  const shared = common === "" ? undefined : realPath(resolve(own, common));
  return [...new Set([found, ...(shared === undefined ? [] : [shared]), own])];
}

function findUpwards(directory: string): string | undefined {
  const path = join(directory, ".git");
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  return directory === "/" ? undefined : findUpwards(dirname(directory));
}

/** Empty for a directory. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** What is mounted below a directory, and is not seen through an overlay mount of it. */
export function mountsBelow(directory: string): readonly string[] {
  const points = readText("/proc/self/mountinfo")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "");
  return points.map(decodeOctal).filter((point) => (pathBelow(directory, point) ?? "") !== "");
}

function decodeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
