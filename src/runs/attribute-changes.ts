import { resolve } from "node:path";
import type { RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { type Effect, effectsOf, isSameState, type ToldChange } from "../changes/effects.ts";
import type { EntryState, RecordedChange } from "../changes/recorded-change.ts";
import type { Deed, Deeds } from "../engine/list-deeds.ts";
import { pathBelow } from "../util/path-below.ts";

/** What commands have changed, found by looking. */
export interface SeenChange {
  /** When it had happened at the latest, among the numbers of events. */
  readonly order: number;
  readonly change: ToldChange;
  /** Those for whose commands it was looked meanwhile. It counts as done by the first. */
  readonly seenBy: readonly [Deed, ...Deed[]];
}

/** What lay at a path before a command, and after it too. */
export interface RecalledState {
  readonly at: RootedPath;
  readonly state: EntryState;
}

/**
 * What commands have changed, told apart from what other blocks changed while it was looked for it. There is one rule for both:
 *
 * All that is on record of a path are states at moments: what a look saw before a command and after it, what an announced change found
 * and what it left. Where a path is not as it was at the moment before, and it was being looked for a command, the command has changed it
 * in between; that is put at the later moment. What announced changes have made of it is theirs, and nothing of it is the command's.
 * A directory that is moved takes along all that is known of what is in it. What a look saw is `recalled` also of paths that were the
 * same afterwards, if others met them meanwhile.
 *
 * So every change has its own moment, and stands once.
 */
export function attributeChanges(
  { all, takenBack }: Pick<Deeds, "all" | "takenBack">,
  recalled: ReadonlyMap<number, readonly RecalledState[]> = new Map(),
): readonly SeenChange[] {
  if (all.every(({ observed }) => observed === undefined)) return [];
  const course = new Course();
  const moments = all.flatMap((deed) => momentsOf(deed, recalled.get(deed.began) ?? [], course));
  for (const { sequence, began, after } of takenBack) {
    moments.push({ at: sequence, pass: () => course.takeBack(new Set(began), after, sequence) });
  }
  for (const { pass } of moments.sort((one, other) => one.at - other.at)) pass();
  return course.found;
}

interface Moment {
  readonly at: number;
  pass(): void;
}

function momentsOf(deed: Deed, recalled: readonly RecalledState[], course: Course): readonly Moment[] {
  const { announced, observed, began, looked } = deed;
  const moments = announced.map(
    ({ sequence, changes }): Moment => ({ at: sequence, pass: () => course.announce(deed, changes, sequence) }),
  );
  if (observed === undefined) return moments;
  const { sequence, changes, notCaptured } = observed;
  const watch = new Watch(deed, changes, recalled, notCaptured);
  const since = looked?.sequence ?? began;
  const before: Moment = { at: since, pass: () => course.lookBefore(watch, since) };
  return [...moments, before, { at: sequence, pass: () => course.lookAfter(watch, sequence) }];
}

type Entry = Exclude<RecordedChange, { kind: "ref" }>;
type Move = { readonly from: string; readonly to: string };

/** Looking for one command, from before it until after it. */
class Watch {
  readonly deed: Deed;
  readonly changes: readonly RecordedChange[];
  readonly #recalled: readonly RecalledState[];
  readonly #seen: ReadonlySet<string>;
  /** Directories that were there only before, or only after: all that was in them was seen too. */
  readonly #gone: ReadonlySet<string>;
  readonly #come: ReadonlySet<string>;
  readonly #lost: ReadonlySet<string>;
  /** What was moved meanwhile. */
  readonly moves: Move[] = [];

  constructor(
    deed: Deed,
    changes: readonly RecordedChange[],
    recalled: readonly RecalledState[],
    notCaptured: readonly { readonly path: string }[],
  ) {
    this.deed = deed;
    this.changes = changes;
    this.#recalled = recalled;
    const effects = changes.flatMap(effectsOf).map(({ at, ...states }) => ({ path: absolutePath(at), ...states }));
    this.#seen = new Set([...effects.map(({ path }) => path), ...recalled.map(({ at }) => absolutePath(at))]);
    const [was, is] = [isDirectory("before"), isDirectory("after")];
    this.#gone = new Set(effects.filter((one) => was(one) && !is(one)).map(({ path }) => path));
    this.#come = new Set(effects.filter((one) => is(one) && !was(one)).map(({ path }) => path));
    this.#lost = new Set(notCaptured.map(({ path }) => resolve(deed.workspace, path)));
  }

  /** What it saw before the command. */
  get before(): readonly RecalledState[] {
    return [...this.#recalled, ...this.changes.flatMap(effectsOf).map(({ at, before }) => ({ at, state: before }))];
  }

  /** What it saw after it. What came to be where nothing had been may be what nobody looks at. */
  get after(): readonly RecalledState[] {
    const same = this.#recalled.filter(({ state }) => state.kind !== "missing");
    return [...same, ...this.changes.flatMap(effectsOf).map(({ at, after }) => ({ at, state: after }))];
  }

  /** Whether it has looked at what is at this path now. */
  hasSeen(path: string): boolean {
    return this.#seen.has(path) || this.#seen.has(this.#originOf(path));
  }

  /** Whether what has come to this path inside of what was moved was not there when it was moved: it would have been seen before. */
  isNew(path: string): boolean {
    const origin = this.#originOf(path);
    return origin !== path && !this.#lost.has(origin) && isInside(origin, this.#gone);
  }

  /** Whether what was moved to this path with what holds it is not there any more: it would have been seen. */
  isGone(path: string): boolean {
    return this.moves.length > 0 && !this.#seen.has(path) && !this.#lost.has(path) && isInside(path, this.#come);
  }

  #originOf(path: string): string {
    return this.moves.reduceRight((now, { from, to }) => within(now, to, from) ?? now, path);
  }
}

/** What there is to know of each path, from one moment to the next. */
class Course {
  found: SeenChange[] = [];
  /** By absolute path. */
  readonly #known = new Map<string, EntryState>();
  readonly #open = new Set<Watch>();
  /** What was made of paths, to know what they are again when it is taken back. */
  readonly #made: { readonly began: number; readonly order: number; readonly change: ToldChange }[] = [];

  lookBefore(watch: Watch, sequence: number): void {
    for (const { at, state } of watch.before) this.#meet(at, state, sequence);
    this.#open.add(watch);
  }

  lookAfter(watch: Watch, sequence: number): void {
    for (const { at, state } of watch.after) {
      const path = absolutePath(at);
      if (!this.#known.has(path) && watch.isNew(path)) this.#known.set(path, missing);
      this.#meet(at, state, sequence, watch);
    }
    for (const [path, state] of this.#known) {
      if (state.kind === "missing" || !watch.isGone(path)) continue;
      const { workspace: root } = watch.deed;
      const below = pathBelow(root, path);
      if (below !== undefined) this.#meet({ root, path: below }, missing, sequence, watch);
    }
    for (const change of watch.changes) {
      if (change.kind === "ref") this.#tell({ order: sequence, change, seenBy: [watch.deed] });
    }
    this.#open.delete(watch);
  }

  announce(deed: Deed, changes: readonly RecordedChange[], sequence: number): void {
    for (const change of changes) {
      if (change.kind === "ref" || (isMoveOfDirectory(change) && !this.#isMade(deed, change))) continue;
      // What a command had done to it by then lies before all of these.
      for (const { at, before } of effectsOf(change)) this.#meet(at, before, sequence - 0.5);
      this.#make(change);
      this.#made.push({ began: deed.began, order: sequence, change });
    }
  }

  /** All that these have changed after a moment is as it was before. What commands of others made of it in between went with it. */
  takeBack(began: ReadonlySet<number>, after: number, sequence: number): void {
    const since = new Map<string, number>();
    for (const { change, ...by } of this.#made.toReversed()) {
      if (!began.has(by.began) || by.order <= after || by.order > sequence) continue;
      for (const { at } of effectsOf(change)) since.set(absolutePath(at), by.order);
      if (isMoveOfDirectory(change)) this.#move(absolutePath(change.to), absolutePath(change.from));
      else for (const { at, before } of effectsOf(change)) this.#known.set(absolutePath(at), before);
    }
    this.found = this.found.filter(({ order, change, seenBy }) => {
      const isLeft = ({ at }: Effect): boolean => order <= (since.get(absolutePath(at)) ?? order);
      return began.has(seenBy[0].began) || effectsOf(change).every(isLeft);
    });
  }

  /** A path is in a state. If it was in another one before, a command has changed it. */
  #meet(at: RootedPath, state: EntryState, order: number, by?: Watch): void {
    const path = absolutePath(at);
    const before = this.#known.get(path);
    const isSame = before !== undefined && isSameState(before, state);
    // Either may tell what the other leaves open, such as where the bytes are.
    this.#known.set(path, isSame ? { ...state, ...before } : state);
    if (before === undefined || isSame) return;
    const watches = [...this.#open].filter((watch) => watch !== by && watch.hasSeen(path));
    const [first, ...others] = [...(by === undefined ? [] : [by]), ...watches];
    if (first === undefined) return;
    const change: ToldChange = { kind: "observed", at, before, after: state };
    this.#tell({ order, change, seenBy: [first.deed, ...others.map(({ deed }) => deed)] });
  }

  #tell(seen: SeenChange): void {
    this.found.push(seen);
    const { order, change, seenBy } = seen;
    this.#made.push({ began: seenBy[0].began, order, change });
  }

  #make(change: Entry): void {
    if (isMoveOfDirectory(change)) return this.#move(absolutePath(change.from), absolutePath(change.to));
    for (const { at, before, after } of effectsOf(change)) {
      const known = this.#known.get(absolutePath(at)) ?? before;
      const isModeOnly = change.kind === "set-mode" && isSameState(known, before);
      this.#known.set(absolutePath(at), isModeOnly ? { ...known, ...after } : after);
    }
  }

  #move(from: string, to: string): void {
    const moved: (readonly [string, EntryState])[] = [];
    for (const [path, state] of this.#known) {
      const arrived = within(path, from, to);
      if (arrived !== undefined) {
        moved.push([arrived, state]);
        this.#known.set(path, missing);
      } else if (within(path, to, from) !== undefined) this.#known.delete(path);
    }
    for (const [path, state] of moved) this.#known.set(path, state);
    for (const { moves } of this.#open) moves.push({ from, to });
  }

  /** One that was ended before it was done may not have moved anything; then what was seen tells. */
  #isMade({ ending }: Deed, { from, to }: MoveOfDirectory): boolean {
    if (ending?.outcome === "success") return true;
    const paths = [absolutePath(from), absolutePath(to)] as const;
    const changes = [...this.#open].flatMap((watch) => watch.changes).flatMap(effectsOf);
    const seen = changes.filter(({ at }) => paths.some((path) => pathBelow(path, absolutePath(at)) !== undefined));
    if (seen.length === 0) return true;
    const isAt = (path: string, { at }: { readonly at: RootedPath }): boolean => absolutePath(at) === path;
    return seen.some(
      (effect) =>
        (isAt(paths[0], effect) && effect.after.kind === "missing") ||
        (isAt(paths[1], effect) && effect.after.kind === "directory"),
    );
  }
}

const missing: EntryState = { kind: "missing" };

function isDirectory(when: "before" | "after"): (effect: Omit<Effect, "at">) => boolean {
  return (effect) => effect[when].kind === "directory";
}

function isInside(path: string, directories: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (directories.has(path.slice(0, end))) return true;
  }
  return false;
}

/** Where a path that lies in a directory, or is it, lies in another one. */
function within(path: string, directory: string, other: string): string | undefined {
  if (path === directory) return other;
  return path.startsWith(`${directory}/`) ? other + path.slice(directory.length) : undefined;
}

type MoveOfDirectory = Extract<RecordedChange, { kind: "rename" }>;

function isMoveOfDirectory(change: ToldChange): change is MoveOfDirectory {
  return change.kind === "rename" && change.moved.kind === "directory";
}
