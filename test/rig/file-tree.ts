import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Everything below a directory by its path: contents of files, targets of links. The scratch directory is left out. */
export function readTree(root: string, below = ""): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = join(below, name);
    const stats = lstatSync(join(root, path));
    if (path === ".scratch") continue;
    if (stats.isDirectory()) Object.assign(tree, { [`${path}/`]: "directory" }, readTree(root, path));
    else if (stats.isSymbolicLink()) tree[path] = `link to ${readlinkSync(join(root, path))}`;
    else tree[path] = stats.isFile() ? readFileSync(join(root, path)).toString("latin1") : "special";
  }
  return tree;
}

export function clearDirectory(root: string): void {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
}
