import { type BigIntStats, type Dirent, type FSWatcher, lstatSync, readdirSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Long enough for an editor to finish what it writes in steps. */
const quietMs = 100;
/** A directory that never rests is looked at all the same. */
const longestWaitMs = 1_000;
/** Some file systems tell nothing, so it is looked now and then whatever is told; more often where nothing can be told. */
const seeingMs = 5_000;
const blindMs = 2_000;
/** Looking takes at most this part of the time. */
const leastIdleFactor = 200;
/** More than anybody's workflows lie in; the rest of a mistaken path is not watched. */
const mostDirectories = 1_000;

/**
 * Tells when workflow files below some directories are added, changed or removed; the directories need not exist. What the file
 * system tells only says when to look: what has changed is found by looking, so that it counts for nothing how a file was
 * written, in what order things were told, or whether anything was told at all. What `also` gives counts like a file, for what else
 * decides about them. Keeps no process alive. Returns how to stop.
 */
export function watchDirectories(
  roots: readonly string[],
  onChange: () => void,
  also: () => string = () => "",
): () => void {
  const watching = new DirectoryWatch(roots, onChange, also);
  return () => watching.close();
}

interface Watched {
  readonly watcher: FSWatcher;
  /** Of the directory, which may be another one of the same path later. */
  readonly identity: string;
}

class DirectoryWatch {
  readonly #roots: readonly string[];
  readonly #onChange: () => void;
  readonly #also: () => string;
  readonly #watched = new Map<string, Watched>();
  #seen: string;
  #isBlind = false;
  #pollTimer: NodeJS.Timeout | undefined;
  #quietTimer: NodeJS.Timeout | undefined;
  #firstToldAt = 0;
  #isClosed = false;

  constructor(roots: readonly string[], onChange: () => void, also: () => string) {
    this.#roots = [...new Set(roots)];
    this.#onChange = onChange;
    this.#also = also;
    this.#seen = this.#look();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#quietTimer);
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  #lookSoon(): void {
    if (this.#isClosed) return;
    const now = performance.now();
    if (this.#quietTimer === undefined) this.#firstToldAt = now;
    clearTimeout(this.#quietTimer);
    const wait = Math.max(0, Math.min(quietMs, this.#firstToldAt + longestWaitMs - now));
    this.#quietTimer = setTimeout(() => this.#compare(), wait).unref();
  }

  #compare(): void {
    this.#quietTimer = undefined;
    const seen = this.#look();
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#onChange();
  }

  /** Everything that tells one state of the files from another. Watches each directory before it reads it, so nothing is missed. */
  #look(): string {
    const startedAt = performance.now();
    this.#isBlind = false;
    const found: string[] = [];
    const wanted = new Set<string>();
    for (const root of this.#roots) {
      const open = [root];
      for (let path = open.pop(); path !== undefined; path = open.pop()) {
        if (wanted.size >= mostDirectories) break;
        if (!this.#watch(path, wanted)) continue;
        for (const entry of readEntries(path)) {
          const inside = join(path, entry.name);
          if (entry.isDirectory()) open.push(inside);
          else if (isYaml(entry.name)) found.push(`${inside} ${describeFile(inside)}`);
        }
      }
    }
    for (const [path, { watcher }] of this.#watched) {
      if (wanted.has(path)) continue;
      watcher.close();
      this.#watched.delete(path);
    }
    const pause = Math.max(this.#isBlind ? blindMs : seeingMs, (performance.now() - startedAt) * leastIdleFactor);
    clearTimeout(this.#pollTimer);
    this.#pollTimer = setTimeout(() => this.#compare(), pause).unref();
    return [this.#also(), ...found.sort()].join("\n");
  }

  /** Whether there is such a directory. Of one that is not there, the nearest one above it is watched for its coming. */
  #watch(path: string, wanted: Set<string>): boolean {
    const identity = identify(path);
    if (identity === undefined) {
      const above = dirname(path);
      if (above !== path) this.#watch(above, wanted);
      return false;
    }
    wanted.add(path);
    const known = this.#watched.get(path);
    if (known?.identity === identity) return true;
    known?.watcher.close();
    this.#watched.delete(path);
    try {
      const watcher = watch(path, { persistent: false }, (type, name) => this.#hear(path, type, name));
      watcher.on("error", () => this.#forget(path));
      this.#watched.set(path, { watcher, identity });
    } catch {
      this.#isBlind = true;
    }
    return true;
  }

  #hear(path: string, type: string, name: string | null): void {
    // The last that is heard of a directory that is removed is its own name; one that comes after it may look the same.
    if (type === "rename" && name === basename(path)) this.#forget(path);
    else if (name === null || isYaml(name) || type === "rename") this.#lookSoon();
  }

  #forget(path: string): void {
    this.#watched.get(path)?.watcher.close();
    this.#watched.delete(path);
    this.#lookSoon();
  }
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/.test(name);
}

function readEntries(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    // Gone since, or not ours to read: as good as empty.
    return [];
  }
}

function describeFile(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return "gone";
  }
}

function identify(path: string): string | undefined {
  let stats: BigIntStats;
  try {
    stats = statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
  return stats.isDirectory() ? `${stats.dev} ${stats.ino} ${stats.birthtimeNs}` : undefined;
}
