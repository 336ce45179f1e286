import { pick, type Random } from "../crash/random.ts";
import { names, oddNames, type TreeEntry } from "./random-tree.ts";

export interface KnownEntry {
  readonly kind: "file" | "directory" | "link";
  /** Whether an edit of its text can be made. */
  readonly isText?: boolean;
  /** Whether it holds a map that something can be merged into. */
  readonly isMap?: boolean;
}

/**
 * What lies in a part of the workspace once the steps so far have been taken, as far as those who write the next step have to know to write one
 * that succeeds. That it is right is not needed: a step that can't be taken fails, and that is taken back too.
 */
export class AreaModel {
  readonly top: string;
  /** Whether commands may change it: what git ignores is not looked at by those who watch commands. */
  readonly forCommands: boolean;
  readonly #known: Map<string, KnownEntry>;
  #made = 0;

  constructor(top: string, entries: Iterable<readonly [string, KnownEntry]>, forCommands: boolean) {
    this.top = top;
    this.forCommands = forCommands;
    this.#known = new Map(entries);
  }

  static of(top: string, entries: readonly TreeEntry[], forCommands = true): AreaModel {
    const known = entries.map((entry): [string, KnownEntry] => {
      if (entry.kind !== "file") return [entry.path, { kind: entry.kind }];
      const isPlain = /^[\x20-\x7e\r\n]*$/.test(entry.content);
      const isMap = entry.path.endsWith(".json") && entry.content.startsWith("{");
      return [entry.path, { kind: "file", isText: isPlain, isMap }];
    });
    return new AreaModel(top, known, forCommands);
  }

  copy(): AreaModel {
    const copy = new AreaModel(this.top, this.#known, this.forCommands);
    copy.#made = this.#made;
    return copy;
  }

  /** Takes what another one knows for its own: everything since has been taken back. */
  become(other: AreaModel): void {
    this.#known.clear();
    for (const [path, entry] of other.#known) this.#known.set(path, entry);
  }

  get(path: string): KnownEntry | undefined {
    return this.#known.get(path);
  }

  find(random: Random, fits: (entry: KnownEntry, path: string) => boolean): string | undefined {
    const fitting = [...this.#known].filter(([path, entry]) => path !== this.top && fits(entry, path));
    return fitting.length === 0 ? undefined : pick(random, fitting)[0];
  }

  /** A path at which nothing lies, in a directory that is there. */
  free(random: Random): string {
    const directories = [...this.#known].filter(([, { kind }]) => kind === "directory");
    const parent = pick(random, directories)[0];
    const path = `${parent}/${pick(random, random(12) === 0 ? oddNames : names)}`;
    return this.#known.has(path) ? `${parent}/new ${this.#made++}` : path;
  }

  /** With directories on the way that are missing, now and then. */
  freeDeep(random: Random): string {
    const path = this.free(random);
    return random(3) === 0
      ? `${path}/${pick(random, ["deep", "x"])}/${pick(random, random(12) === 0 ? oddNames : names)}`
      : path;
  }

  put(path: string, entry: KnownEntry): void {
    for (let parent = parentOf(path); parent.length > this.top.length; parent = parentOf(parent)) {
      this.#known.set(parent, { kind: "directory" });
    }
    this.#known.set(path, entry);
  }

  remove(path: string): void {
    for (const one of [...this.#known.keys()]) if (isWithin(one, path)) this.#known.delete(one);
  }

  copyTo(from: string, to: string): void {
    for (const [path, entry] of [...this.#known]) {
      if (isWithin(path, from)) this.put(to + path.slice(from.length), entry);
    }
  }

  move(from: string, to: string): void {
    this.copyTo(from, to);
    this.remove(from);
  }

  holds(path: string, fits: (entry: KnownEntry, path: string) => boolean): boolean {
    return [...this.#known].some(([one, entry]) => isWithin(one, path) && fits(entry, one));
  }
}

export function isWithin(path: string, around: string): boolean {
  return path === around || path.startsWith(`${around}/`);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
