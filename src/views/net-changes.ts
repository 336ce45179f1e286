import type { RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { type ChangeGroup, type ComposedRef, composeRefs } from "../changes/compose-changes.ts";
import { effectsOf, isSameState, type ToldChange } from "../changes/effects.ts";
import type { EntryState, RecordedChange, StoredState } from "../changes/recorded-change.ts";

/** What became of one path between the first change and the last. */
export interface NetChange {
  readonly at: RootedPath;
  /** Where it lay before, if it was moved. */
  readonly from?: RootedPath;
  /** What it was, there or where it lay before. */
  readonly before: StoredState | EntryState;
  readonly after: EntryState;
  /** What something that was moved took the place of. */
  readonly replaced?: StoredState | EntryState;
  /** The blocks that changed it, in order. */
  readonly by: readonly string[];
}

interface Entry {
  readonly at: RootedPath;
  readonly state: StoredState | EntryState;
  /** Where what lies here lay before the first change; nothing for what is new. */
  readonly origin: RootedPath | undefined;
  readonly by: readonly string[];
}

const missing: EntryState = { kind: "missing" };

/** Refs of git that lead somewhere else than before. */
export function netRefs(groups: readonly ChangeGroup[]): readonly ComposedRef[] {
  return composeRefs(groups).filter(({ first, last }) => first !== last);
}

/** What is different after all of the changes, each path once, in the order of the paths. What was made and taken back is not told. */
export function netChanges(groups: readonly ChangeGroup[]): readonly NetChange[] {
  const course = new Course();
  for (const { by, changes } of groups) for (const change of changes) course.follow(change, by);
  return course.end();
}

class Course {
  /** What lay at each path before the first change of it. */
  readonly #first = new Map<string, { readonly at: RootedPath; readonly state: StoredState | EntryState }>();
  readonly #now = new Map<string, Entry>();

  follow(change: ToldChange, by: string): void {
    if (change.kind === "rename") return this.#move(change, by);
    for (const { at, before, after } of effectsOf(change)) {
      const entry = this.#meet(at, before);
      const state = withKnown(after, entry.state);
      // What is put where nothing lay is new, whatever lay there once.
      const origin = entry.state.kind === "missing" || after.kind === "missing" ? undefined : entry.origin;
      this.#set({ at, state, origin, by: [...entry.by, by] });
    }
  }

  #move({ from, to, moved, replaced }: Extract<RecordedChange, { kind: "rename" }>, by: string): void {
    const entry = this.#meet(from, moved);
    const target = this.#meet(to, replaced);
    const below = moved.kind === "directory" ? this.#below(from) : [];
    this.#set({ at: from, state: missing, origin: undefined, by: [...entry.by, by] });
    this.#set({ at: to, state: moved, origin: entry.origin, by: [...target.by, ...entry.by, by] });
    for (const inner of below) {
      const at = { root: to.root, path: to.path + absolutePath(inner.at).slice(absolutePath(from).length) };
      const there = this.#meet(at, missing);
      this.#set({ ...inner, state: missing, origin: undefined, by: [...inner.by, by] });
      this.#set({ ...inner, at, by: [...there.by, ...inner.by, by] });
    }
  }

  /** What is known of a path that a change is about; `before` is what that found there. */
  #meet(at: RootedPath, before: StoredState | EntryState): Entry {
    const path = absolutePath(at);
    const known = this.#now.get(path);
    if (known !== undefined) return this.#learn(known, before);
    const origin = this.#originOf(at);
    const entry = { at, state: before, origin: before.kind === "missing" ? undefined : origin, by: [] };
    if (origin !== at && before.kind !== "missing") {
      // It came here inside a directory that was moved, so that it lay elsewhere.
      if (origin !== undefined) this.#begin(origin, before);
      this.#begin(at, missing);
    } else this.#begin(at, before);
    this.#now.set(path, entry);
    return entry;
  }

  /** What was only looked at so far may have been read since. */
  #learn(known: Entry, found: StoredState | EntryState): Entry {
    const entry = { ...known, state: withKnown(known.state, found) };
    const first = this.#first.get(absolutePath(known.origin ?? known.at));
    if (first !== undefined) {
      this.#first.set(absolutePath(first.at), { ...first, state: withKnown(first.state, found) });
    }
    this.#now.set(absolutePath(known.at), entry);
    return entry;
  }

  /** By the nearest directory around it that was moved, or made. */
  #originOf(at: RootedPath): RootedPath | undefined {
    const path = absolutePath(at);
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const around = this.#now.get(path.slice(0, end));
      if (around?.state.kind !== "directory" || around.origin === undefined) continue;
      if (absolutePath(around.origin) === path.slice(0, end)) return at;
      return { root: around.origin.root, path: around.origin.path + path.slice(end) };
    }
    return at;
  }

  #begin(at: RootedPath, state: StoredState | EntryState): void {
    const path = absolutePath(at);
    if (!this.#first.has(path)) this.#first.set(path, { at, state });
  }

  #below(directory: RootedPath): Entry[] {
    const start = `${absolutePath(directory)}/`;
    return [...this.#now].filter(([path, { state }]) => path.startsWith(start) && state.kind !== "missing").map(second);
  }

  #set(entry: Entry): void {
    this.#now.set(absolutePath(entry.at), { ...entry, by: [...new Set(entry.by)] });
  }

  end(): readonly NetChange[] {
    const entries = [...this.#now.values()];
    const moved = new Set(
      entries.flatMap(({ at, origin }) =>
        origin === undefined || absolutePath(origin) === absolutePath(at) ? [] : [absolutePath(origin)],
      ),
    );
    return entries
      .flatMap((entry) => this.#compare(entry, moved))
      .toSorted((one, other) => (absolutePath(one.at) < absolutePath(other.at) ? -1 : 1));
  }

  #compare({ at, state: after, origin, by }: Entry, moved: ReadonlySet<string>): NetChange[] {
    const path = absolutePath(at);
    const first = this.#first.get(path)?.state ?? missing;
    if (origin !== undefined && absolutePath(origin) !== path) {
      const before = this.#first.get(absolutePath(origin))?.state ?? after;
      const replaced = first.kind === "missing" ? {} : { replaced: first };
      return [{ at, from: origin, before, after, ...replaced, by }];
    }
    // Where it went is told there.
    const before = moved.has(path) ? missing : first;
    return isSameState(before, after) ? [] : [{ at, before, after, by }];
  }
}

/** The same with what is known of the other, where both can be the same bytes. */
function withKnown(state: StoredState | EntryState, other: StoredState | EntryState): StoredState | EntryState {
  if (state.kind !== "file" || other.kind !== "file" || !isSameState(state, { ...other, mode: state.mode }))
    return state;
  return { ...other, ...state };
}

function second<T>([, value]: readonly [unknown, T]): T {
  return value;
}
