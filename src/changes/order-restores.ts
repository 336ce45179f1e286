import type { FileChange, WrittenBytes } from "../block/block-files.ts";
import type { RootedPath } from "../block/ports.ts";
import { absolutePath, parentOf, shownPath } from "../block/rooted-path.ts";
import type { EntryState } from "./recorded-change.ts";

/** A path that is to become what it was. */
export interface Restore {
  readonly at: RootedPath;
  /** What lies there now. */
  readonly present: EntryState;
  readonly restore: RestoredState;
}

export type RestoredState =
  | { readonly kind: "missing" }
  /** Without bytes a file keeps those that it has. */
  | { readonly kind: "file"; readonly mode: number; readonly bytes?: WrittenBytes }
  /** Without a mode, any will do. */
  | { readonly kind: "directory"; readonly mode?: number }
  | { readonly kind: "link"; readonly target: string };

/** What has to be known of the places around, by absolute path. */
export interface Surroundings {
  /** The names in each directory that is to go. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** What lies above the paths, as far as it is none of them itself. */
  readonly above: ReadonlyMap<string, EntryState>;
}

export interface OrderedRestores {
  /** In the order in which they can be made. */
  readonly changes: readonly FileChange[];
  /** Those that can't be made, and why; all others can without them. */
  readonly refused: readonly RefusedRestore[];
}

export interface RefusedRestore {
  readonly at: RootedPath;
  readonly reason: string;
}

/**
 * The changes that restore paths, in an order in which each is possible: what has to go, from the inside to the outside; directories,
 * from the outside to the inside; files and links in them; and at last the modes. A directory with something in it that stays, stays.
 */
export function orderRestores(restores: readonly Restore[], surroundings: Surroundings): OrderedRestores {
  const ordering = new Ordering(restores, surroundings);
  return { changes: ordering.changes(), refused: ordering.refused };
}

/** Without these, its owner can neither make nor remove anything in a directory. */
const ownerMayChange = 0o300;
const ownerMayAll = 0o700;

class Ordering {
  /** From the outside to the inside. */
  readonly #restores: readonly Restore[];
  readonly #byPath: ReadonlyMap<string, Restore>;
  readonly #around: Surroundings;
  readonly #reasons = new Map<string, string>();

  constructor(restores: readonly Restore[], surroundings: Surroundings) {
    this.#byPath = new Map(restores.map((restore) => [absolutePath(restore.at), restore]));
    this.#restores = [...this.#byPath.values()].sort(byDepth);
    this.#around = surroundings;
    this.#refuse();
  }

  get refused(): readonly RefusedRestore[] {
    return this.#restores.flatMap(({ at }) => {
      const reason = this.#reasons.get(absolutePath(at));
      return reason === undefined ? [] : [{ at, reason }];
    });
  }

  changes(): readonly FileChange[] {
    const made = this.#restores.filter(({ at }) => !this.#reasons.has(absolutePath(at)));
    const busy = busyDirectories(made);
    const opened: FileChange[] = [];
    const removed: FileChange[] = [];
    const directories: MakeDirectory[] = [];
    const content: FileChange[] = [];
    const closed: FileChange[] = [];
    for (const { at, present, restore } of [...made, ...this.#closedAround(busy)].sort(byDepth)) {
      const isBusy = busy.has(absolutePath(at));
      if (present.kind === "directory" && isBusy && !isOpen(present.mode)) {
        opened.push({ kind: "set-mode", at, mode: (present.mode ?? 0) | ownerMayAll });
      }
      if (hasToGo(present, restore)) removed.unshift({ kind: "remove", at });
      switch (restore.kind) {
        case "missing":
          break;
        case "directory": {
          const { mode } = restore;
          const isMade = present.kind !== "directory";
          const isClosed = isBusy && mode !== undefined && !isOpen(mode);
          if (isMade) directories.push(makeDirectory(at, isClosed ? mode | ownerMayAll : mode));
          const reached = isMade
            ? isClosed
              ? undefined
              : mode
            : isBusy && !isOpen(present.mode)
              ? undefined
              : present.mode;
          if (mode !== undefined && reached !== mode) closed.unshift({ kind: "set-mode", at, mode });
          break;
        }
        case "link":
          if (present.kind !== "link" || hasToGo(present, restore))
            content.push({ kind: "make-link", at, target: restore.target });
          break;
        case "file": {
          const { mode, bytes } = restore;
          if (bytes !== undefined) content.push({ kind: "write", at, bytes, mode });
          else content.push({ kind: "set-mode", at, mode });
        }
      }
    }
    directories.push(...this.#missingAbove(made));
    directories.sort(byDepth);
    return [...opened, ...removed, ...directories, ...content, ...closed];
  }

  /** Whatever is refused may be in the way of others, so it is asked again until nothing more is. */
  #refuse(): void {
    for (let before = -1; before !== this.#reasons.size; ) {
      before = this.#reasons.size;
      for (const restore of this.#restores.toReversed()) this.#refuseFull(restore);
      for (const restore of this.#restores) this.#refuseUnreachable(restore);
    }
  }

  #refuseFull({ at, present, restore }: Restore): void {
    const path = absolutePath(at);
    if (present.kind !== "directory" || restore.kind === "directory" || this.#reasons.has(path)) return;
    const stays = (this.#around.names.get(path) ?? []).find((name) => !this.#goes(`${path}/${name}`));
    if (stays !== undefined) this.#reasons.set(path, `not empty: it holds '${stays}', which undo does not remove`);
  }

  #goes(path: string): boolean {
    return this.#byPath.get(path)?.restore.kind === "missing" && !this.#reasons.has(path);
  }

  #refuseUnreachable({ at, restore }: Restore): void {
    const path = absolutePath(at);
    if (restore.kind === "missing" || this.#reasons.has(path)) return;
    for (let above = parentOf(at); above.path !== ""; above = parentOf(above)) {
      const end = this.#endOf(above);
      if (end === "directory") return;
      const isMadeByItself = end === "missing" && !this.#byPath.has(absolutePath(above));
      if (isMadeByItself) continue;
      const what = end === "missing" ? "does not exist" : "is not a directory";
      this.#reasons.set(path, `'${shownPath(above)}' ${what}`);
      return;
    }
  }

  /** What will lie there. */
  #endOf(at: RootedPath): EntryState["kind"] {
    const path = absolutePath(at);
    const own = this.#byPath.get(path);
    if (own === undefined) return this.#around.above.get(path)?.kind ?? "missing";
    return this.#reasons.has(path) ? own.present.kind : own.restore.kind;
  }

  /** Directories that stay as they are, but have to be opened for a while. */
  #closedAround(busy: ReadonlyMap<string, RootedPath>): readonly Restore[] {
    return [...busy].flatMap(([path, at]) => {
      const own = this.#byPath.get(path);
      if (own !== undefined && !this.#reasons.has(path)) return [];
      const present = own?.present ?? this.#around.above.get(path);
      return present?.kind === "directory" && !isOpen(present.mode) ? [{ at, present, restore: present }] : [];
    });
  }

  /** Directories that nobody has asked for, without which nothing could be put back. */
  #missingAbove(made: readonly Restore[]): readonly MakeDirectory[] {
    const found = new Map<string, RootedPath>();
    for (const { at, restore } of made) {
      if (restore.kind === "missing") continue;
      for (let above = parentOf(at); above.path !== "" && this.#endOf(above) === "missing"; above = parentOf(above)) {
        found.set(absolutePath(above), above);
      }
    }
    return [...found.values()].map((at) => ({ kind: "make-directory", at }));
  }
}

/** Directories in which something is changed, at any depth. */
function busyDirectories(made: readonly Restore[]): ReadonlyMap<string, RootedPath> {
  const busy = new Map<string, RootedPath>();
  for (const { at } of made) {
    for (let above = parentOf(at); above.path !== ""; above = parentOf(above)) busy.set(absolutePath(above), above);
  }
  return busy;
}

type MakeDirectory = Extract<FileChange, { kind: "make-directory" }>;

/** Only a file is replaced as it lies there. */
function hasToGo(present: EntryState, restore: RestoredState): boolean {
  if (present.kind === "missing") return false;
  if (present.kind !== restore.kind) return true;
  return present.kind === "link" && restore.kind === "link" && present.target !== restore.target;
}

function isOpen(mode: number | undefined): boolean {
  return mode === undefined || (mode & ownerMayChange) === ownerMayChange;
}

function makeDirectory(at: RootedPath, mode: number | undefined): MakeDirectory {
  return { kind: "make-directory", at, ...(mode === undefined ? {} : { mode }) };
}

/** From the outside to the inside. */
function byDepth(one: { readonly at: RootedPath }, other: { readonly at: RootedPath }): number {
  const [path, otherPath] = [absolutePath(one.at), absolutePath(other.at)];
  return path.split("/").length - otherPath.split("/").length || (path < otherPath ? -1 : 1);
}
