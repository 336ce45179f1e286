import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { removeTree } from "./files/remove-tree.ts";

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
    // A thousand small steps, which take many times as long when each is waited for.
    mkdirSync(links);
    for (const name of readdirSync(directory)) {
      if (!hidden.has(name)) symlinkSync(join(directory, name), join(links, name));
    }
    return links;
  }

  async function make(hidden: ReadonlySet<string>): Promise<string> {
    const directories: string[] = [];
    // On many systems /bin is another name for /usr/bin.
    const seen = new Map<string, string>();
    for (const directory of path.split(delimiter).filter((part) => part !== "")) {
      const holdsOne = [...hidden].some((name) => existsSync(join(directory, name)));
      const real = holdsOne ? realpathSync(directory) : directory;
      const shown = seen.get(real) ?? (holdsOne ? await linksTo(real, hidden) : directory);
      seen.set(real, shown);
      directories.push(shown);
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
