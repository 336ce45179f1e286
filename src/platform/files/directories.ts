import { realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { guardedDirectory } from "../../util/guarded-directory.ts";
import { err, ok, type Result } from "../../util/result.ts";

/** The real path of a directory, or why it can't be used. */
export function realDirectory(path: string): Result<string, string> {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? ok(real) : err(`'${path}' is not a directory.`);
  } catch (error) {
    return err(
      `'${path}' can't be used: ${(error as NodeJS.ErrnoException).code === "ENOENT" ? "it does not exist" : String(error)}.`,
    );
  }
}

/**
 * The same for a directory that must lie inside another. `root` is a real path already. What only git may change, and what Frond
 * runs, would be open to everybody who works there.
 */
export function directoryInside(root: string, path: string): Result<string, string> {
  const real = realDirectory(resolve(root, path));
  if (!real.ok) return real;
  const inside = real.value === root || real.value.startsWith(root.endsWith(sep) ? root : root + sep);
  if (!inside) return err(`'${path}' is outside the workspace '${root}'.`);
  const guarded = real.value
    .slice(root.length)
    .split(sep)
    .find((part) => guardedDirectory(part) !== undefined);
  return guarded === undefined ? real : err(`'${path}' is in '${guarded}', where no workflow works.`);
}
