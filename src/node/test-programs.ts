import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { removeTree } from "./remove-tree.ts";

/** Variants of a PATH in which some programs can't be found. */
export interface PathVariants {
  without(programs: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** A directory that holds one of the programs gives way to one with links to everything else in it; the others stay. */
export function createPathVariants(path: string): PathVariants {
  const made = new Map<string, Promise<string>>();
  let root: Promise<string> | undefined;
  let count = 0;

  async function linksTo(directory: string, hidden: ReadonlySet<string>): Promise<string> {
    root ??= mkdtemp(join(tmpdir(), "frond-case-path-"));
    const links = join(await root, String(count++));
    await mkdir(links);
    for (const name of await readdir(directory)) {
      if (!hidden.has(name)) await symlink(join(directory, name), join(links, name));
    }
    return links;
  }

  async function make(hidden: ReadonlySet<string>): Promise<string> {
    const directories: string[] = [];
    for (const directory of path.split(delimiter).filter((part) => part !== "")) {
      const holdsOne = [...hidden].some((name) => existsSync(join(directory, name)));
      directories.push(holdsOne ? await linksTo(directory, hidden) : directory);
    }
    return directories.join(delimiter);
  }

  return {
    without(programs) {
      const key = [...new Set(programs)].sort().join("\0");
      const known = made.get(key) ?? make(new Set(programs));
      made.set(key, known);
      return known;
    },
    async remove() {
      if (root !== undefined) await removeTree(await root);
    },
  };
}
