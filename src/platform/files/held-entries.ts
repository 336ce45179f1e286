import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { hasCode } from "./file-problems.ts";

const { O_DIRECTORY, O_NOFOLLOW } = constants;
/** Linux's flag to hold a file without opening it for anything; Node does not name it. */
export const O_PATH = 0x200000;

/** A file or directory that stays the same one whatever its name means by now. */
export interface HeldEntry {
  readonly fd: number;
  readonly kind: "directory" | "file" | "link" | "other";
  readonly dev: bigint;
  readonly ino: bigint;
}

/** A path to a name in a held directory. What the name stands for may be a link: follow none. */
export function pathIn({ fd }: HeldEntry, name: string): string {
  return `/proc/self/fd/${fd}/${name}`;
}

/** Of a regular file, which must be small. */
export function readHeld({ fd }: HeldEntry): string {
  return readFileSync(`/proc/self/fd/${fd}`, "utf8");
}

/** The mount that the entry was found through, by the id that mount tables have for it. */
export function mountIdOf({ fd }: HeldEntry): string | undefined {
  return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
}

/**
 * Entries opened step by step, each from the directory that is already held, and no symbolic link followed. They stay open until
 * all are closed, so that none of their numbers is given to another file in the meantime.
 */
export class HeldEntries {
  readonly #found = new Map<string, HeldEntry>();
  readonly #root: string;
  readonly #opened: number[] = [];

  /** Paths are looked up from this directory, which may be the root of another process. */
  constructor(root = "/") {
    this.#root = root;
  }

  /** Nothing when nothing is there, or when the way to it leads through something else than directories. */
  find(path: string): HeldEntry | undefined {
    if (path === "/" || path === "") return this.#remember("/", () => this.#open(this.#root, O_DIRECTORY));
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf("/");
    const parent = this.find(path.slice(0, slash));
    if (parent?.kind !== "directory") return undefined;
    return this.#remember(path, () => this.#open(pathIn(parent, path.slice(slash + 1)), O_NOFOLLOW));
  }

  close(): void {
    for (const fd of this.#opened.splice(0)) closeSync(fd);
    this.#found.clear();
  }

  #remember(path: string, open: () => HeldEntry | undefined): HeldEntry | undefined {
    const entry = this.#found.get(path) ?? open();
    if (entry !== undefined) this.#found.set(path, entry);
    return entry;
  }

  #open(path: string, flags: number): HeldEntry | undefined {
    let fd: number;
    try {
      fd = openSync(path, O_PATH | flags);
    } catch (error) {
      if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
      throw error;
    }
    this.#opened.push(fd);
    const stats = fstatSync(fd, { bigint: true });
    return { fd, kind: kindOf(stats), dev: stats.dev, ino: stats.ino };
  }
}

function kindOf(stats: BigIntStats): HeldEntry["kind"] {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "directory";
  return stats.isFile() ? "file" : "other";
}
