import { basename, dirname } from "node:path";
import type { FileState, RootedPath } from "../block/ports.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";

/** What lies at a path instead of what lies there on the disk. */
export interface OverlayEntry {
  readonly state: FileState;
  /** Of a file that was written. */
  readonly bytes?: Uint8Array;
  /** Of what was moved here, or has another mode: where it lies on the disk. A directory without it was made here, and holds only what was put there. */
  readonly source?: RootedPath;
  /** What it depends on, if nobody knows what lies there. */
  readonly unknown?: string;
}

export type Place =
  | { readonly kind: "entry"; readonly entry: OverlayEntry }
  /** It is as on the disk, there. */
  | { readonly kind: "below"; readonly at: RootedPath }
  /** The way to it ends before. */
  | ({ readonly kind: "nowhere"; readonly unknown?: string } & WayEnd);

export interface WayEnd {
  readonly name: string;
  readonly end: FileState;
}

interface PlacedEntry {
  readonly at: RootedPath;
  readonly entry: OverlayEntry;
}

const missing: OverlayEntry = { state: { kind: "missing" } };

/** What an overlay holds: the entries that differ from the disk, by directory and name. */
export class OverlayLayer {
  readonly #directories = new Map<string, Map<string, PlacedEntry>>();

  find(at: RootedPath): Place {
    const entry = this.#get(dirname(absolutePath(at)), basename(absolutePath(at)));
    const around = this.findWithout(at);
    return entry === undefined || around.kind === "nowhere" ? around : { kind: "entry", entry };
  }

  /** What would lie at a path if nothing had been changed there itself, only around it. */
  findWithout(at: RootedPath): Place {
    const absolute = absolutePath(at);
    const parts = absolute.split("/").filter((part) => part !== "");
    const name = parts.pop() ?? "";
    let directory = "/";
    // Where the directory that has been reached lies on the disk, if it does.
    let below: RootedPath | undefined = { root: "/", path: "" };
    let isMoved = false;
    for (const part of parts) {
      const entry = this.#get(directory, part);
      directory = directory === "/" ? `/${part}` : `${directory}/${part}`;
      if (entry === undefined) {
        if (below === undefined) return nowhere(directory, at, missing.state);
        below = childOf(below, part);
        continue;
      }
      if (entry.unknown !== undefined) return { ...nowhere(directory, at, missing.state), unknown: entry.unknown };
      if (entry.state.kind !== "directory") return nowhere(directory, at, entry.state);
      below = entry.source;
      isMoved = true;
    }
    if (below === undefined) return { kind: "entry", entry: missing };
    return { kind: "below", at: isMoved ? childOf(below, name) : at };
  }

  set(at: RootedPath, entry: OverlayEntry): void {
    const absolute = absolutePath(at);
    const directory = dirname(absolute);
    const names = this.#directories.get(directory) ?? new Map<string, PlacedEntry>();
    this.#directories.set(directory, names.set(basename(absolute), { at, entry }));
  }

  /** What was removed in a directory before it stays on record, also when another one is made in its place. */
  remove(at: RootedPath): void {
    this.set(at, missing);
  }

  /** With all that was changed inside it. */
  move(from: RootedPath, to: RootedPath, entry: OverlayEntry): void {
    const inside = this.#take(absolutePath(from));
    this.set(from, missing);
    this.#take(absolutePath(to));
    this.set(to, entry);
    for (const [path, moved] of inside) {
      this.set({ root: to.root, path: to.path === "" ? path : `${to.path}/${path}` }, moved);
    }
  }

  /** By name, in one directory. */
  *entriesIn(at: RootedPath): Generator<readonly [string, OverlayEntry]> {
    for (const [name, { entry }] of this.#directories.get(absolutePath(at)) ?? []) yield [name, entry];
  }

  /** All of them, in the order of their paths. */
  all(): readonly PlacedEntry[] {
    const entries = [...this.#directories.values()].flatMap((names) => [...names.values()]);
    return entries.sort((a, b) => (absolutePath(a.at) < absolutePath(b.at) ? -1 : 1));
  }

  #get(directory: string, name: string): OverlayEntry | undefined {
    return this.#directories.get(directory)?.get(name)?.entry;
  }

  /** Takes away all below a path; gives it by the path from there. */
  #take(absolute: string): (readonly [string, OverlayEntry])[] {
    const taken: (readonly [string, OverlayEntry])[] = [];
    for (const [directory, names] of this.#directories) {
      if (directory !== absolute && !directory.startsWith(`${absolute}/`)) continue;
      const way = directory.slice(absolute.length + 1);
      for (const [name, { entry }] of names) taken.push([way === "" ? name : `${way}/${name}`, entry]);
      this.#directories.delete(directory);
    }
    return taken;
  }
}

function childOf({ root, path }: RootedPath, name: string): RootedPath {
  return { root, path: path === "" ? name : `${path}/${name}` };
}

function nowhere(absolute: string, at: RootedPath, end: FileState): Extract<Place, { kind: "nowhere" }> {
  const inRoot = at.root !== "/" && absolute.startsWith(`${at.root}/`);
  const name = inRoot ? absolute.slice(at.root.length + 1) : shownPath({ root: "/", path: absolute.slice(1) });
  return { kind: "nowhere", name, end };
}
