import type { FileChange } from "../../block/block-files.ts";
import type { BlockContext } from "../../block/define-block.ts";
import type { RootedPath } from "../../block/ports.ts";
import { absolutePath, isWithin, parentOf } from "../../block/rooted-path.ts";
import { isSameState } from "../../changes/effects.ts";
import { orderRestores, type Restore } from "../../changes/order-restores.ts";
import type { EntryState } from "../../changes/recorded-change.ts";
import { readState } from "../../changes/state-text.ts";
import { findRef, type WrittenRef } from "../git/find-ref.ts";
import type { RefToRestore } from "../git/take-back-refs.ts";
import { exclusively } from "./entries.ts";
import { type Conflict, describeFound, type FoundPath, RestoreFinder, type WantedState } from "./find-restores.ts";
import { locateRestore } from "./locate-restore.ts";
import { mergeRestore } from "./merge-restore.ts";
import { findMove, type WantedMove } from "./move-back.ts";
import { reportProgress } from "./report-progress.ts";

export const conflictRules = ["keep", "merge", "ask", "force"] as const;
export type ConflictRule = (typeof conflictRules)[number];
/** Those that leave nothing to ask. */
export const settledRules = ["keep", "merge", "force"] as const;

export interface WrittenRestore {
  readonly files: readonly {
    readonly path: string;
    readonly expect: string;
    readonly restore: string;
    readonly on_conflict?: ConflictRule | undefined;
  }[];
  readonly moves: readonly { readonly from: string; readonly to: string; readonly expect?: string | undefined }[];
  readonly refs: readonly WrittenRef[];
  readonly unsafe: boolean;
}

/** What restores paths as far as it can be done. */
export interface RestorePlan {
  readonly changes: readonly FileChange[];
  /** Those that git is to move when the files are restored; the changes announce them. */
  readonly refs: readonly RefToRestore[];
  /** How many paths the changes restore, without the refs. */
  readonly restored: number;
  readonly already: number;
  readonly conflicts: readonly Conflict[];
  /** How many of the conflicts could be forced, and how many merged. */
  readonly forcible: number;
  readonly mergeable: number;
  /** Those of the paths that are not restored after all, because of such a problem. */
  findLeft(problem: string): Promise<readonly Conflict[]>;
}

/** Looks at all paths, and acts while nobody else of this process changes them. */
export async function planRestore<T>(
  written: WrittenRestore,
  rule: ConflictRule,
  context: BlockContext,
  act: (plan: RestorePlan) => Promise<T>,
): Promise<T> {
  const planning = new Planning(rule, written.unsafe, context);
  const moves = written.moves.flatMap((move) => planning.locateMove(move));
  const wanted = written.files.flatMap((file) => planning.locateFile(file, moves));
  const paths = [...wanted.map(({ at }) => at), ...moves.flatMap(({ from, to }) => [from, to])];
  return exclusively(context.files, paths, async () => {
    for (const move of moves) await planning.addMove(move);
    const onLooked = reportProgress(context, wanted.length, "paths looked at");
    for (const one of wanted) {
      await planning.addFile(one);
      onLooked();
    }
    for (const ref of written.refs) await planning.addRef(ref);
    return act(await planning.end());
  });
}

class Planning {
  readonly #rule: ConflictRule;
  /** Of paths that have one of their own. */
  readonly #rules = new Map<string, ConflictRule>();
  readonly #unsafe: boolean;
  readonly #context: BlockContext;
  readonly #finder: RestoreFinder;
  #restores: { readonly wanted: WantedState; readonly restore: Restore }[] = [];
  readonly #movable: WantedMove[] = [];
  readonly #moves: FileChange[] = [];
  readonly #refs: RefToRestore[] = [];
  readonly #announcedRefs: FileChange[] = [];
  readonly #conflicts: Conflict[] = [];
  #already = 0;
  #forcible = 0;
  #mergeable = 0;

  constructor(rule: ConflictRule, unsafe: boolean, context: BlockContext) {
    this.#rule = rule;
    this.#unsafe = unsafe;
    this.#context = context;
    this.#finder = new RestoreFinder(context.files);
  }

  locateFile(
    { path, expect, restore, on_conflict: rule }: WrittenRestore["files"][number],
    moves: readonly WantedMove[],
  ): readonly WantedState[] {
    const at = this.#locate(path);
    if (at === undefined) return [];
    if (moves.some(({ from, to }) => isWithin(at, from) || isWithin(at, to))) {
      this.#refuse(path, "it lies where something is moved; restore it in a block of its own");
      return [];
    }
    if (rule !== undefined) this.#rules.set(absolutePath(at), rule);
    return [{ path, at, expect: stateOf(expect), restore: stateOf(restore) }];
  }

  locateMove({ from, to, expect }: WrittenRestore["moves"][number]): readonly WantedMove[] {
    const [start, end] = [this.#locate(from), this.#locate(to)];
    if (start === undefined || end === undefined) return [];
    return [{ path: from, from: start, to: end, ...(expect === undefined ? {} : { expect: stateOf(expect) }) }];
  }

  async addFile(wanted: WantedState): Promise<void> {
    const found = await this.#finder.find(wanted);
    return this.#take(found.kind === "conflict" ? await this.#settle(found) : found);
  }

  async addMove(move: WantedMove): Promise<void> {
    const found = await findMove(move, this.#context);
    if (found.kind === "already") this.#already++;
    if (found.kind === "conflict") this.#conflicts.push(found.conflict);
    if (found.kind !== "movable") return;
    this.#movable.push(move);
    this.#moves.push(...found.changes.filter((change) => !this.#moves.some((other) => isSameDirectory(other, change))));
  }

  async addRef(written: WrittenRef): Promise<void> {
    const found = await findRef(written, this.#unsafe, this.#context);
    if (found.kind === "already") this.#already++;
    if (found.kind === "movable" || (found.kind === "moved" && this.#rule === "force")) {
      const { repository, name, restore: after } = found.ref;
      this.#refs.push(found.ref);
      this.#announcedRefs.push({ kind: "ref", repository, name, before: found.value, after });
    } else if (found.kind !== "already") {
      const isMoved = found.kind === "moved";
      this.#conflicts.push(isMoved ? { ...found.conflict, forcible: true } : found.conflict);
      if (isMoved) this.#forcible++;
    }
  }

  async end(): Promise<RestorePlan> {
    const names = await this.#listAll();
    const restores = this.#restores.map(({ restore }) => restore);
    const { changes, refused } = orderRestores(restores, { names, above: await this.#lookAbove(restores) });
    const byPath = new Map(this.#restores.map((one) => [absolutePath(one.restore.at), one]));
    for (const { at, reason } of refused) {
      const one = byPath.get(absolutePath(at));
      if (one !== undefined) this.#refuse(one.wanted.path, reason, one.restore.present);
    }
    return {
      changes: [...this.#moves, ...changes, ...this.#announcedRefs],
      refs: this.#refs,
      restored: this.#movable.length + restores.length - refused.length,
      already: this.#already,
      conflicts: this.#conflicts,
      forcible: this.#forcible,
      mergeable: this.#mergeable,
      findLeft: (problem) => this.#findLeft(problem, new Set(refused.map(({ at }) => absolutePath(at)))),
    };
  }

  async #findLeft(problem: string, refused: ReadonlySet<string>): Promise<readonly Conflict[]> {
    const finder = new RestoreFinder(this.#context.files);
    const left: Conflict[] = [];
    const add = (path: string, found: string): void =>
      void left.push({ path, reason: `not restored: ${problem}`, found });
    for (const move of this.#movable) {
      const found = await findMove(move, this.#context);
      if (found.kind !== "already") add(move.path, found.kind === "conflict" ? found.conflict.found : "");
    }
    for (const { wanted, restore } of this.#restores) {
      if (refused.has(absolutePath(wanted.at))) continue;
      const present = await finder.identify(wanted);
      if ("message" in present) add(wanted.path, "");
      else if (!isRestored(present, restore, wanted)) add(wanted.path, describeFound(present));
    }
    return left;
  }

  #locate(path: string): RootedPath | undefined {
    const at = locateRestore(this.#context.files, path, this.#unsafe);
    if (!("reason" in at)) return at;
    this.#refuse(path, at.reason);
    return undefined;
  }

  #take(found: FoundPath): void {
    if (found.kind === "already") this.#already++;
    else if (found.kind === "restorable") this.#restores.push(found);
    else this.#conflicts.push(found.conflict);
  }

  /** What becomes of a path that somebody else has changed. */
  async #settle(found: Extract<FoundPath, { kind: "conflict" }>): Promise<FoundPath> {
    const { wanted, present } = found;
    if (present === undefined) return found;
    const rule = this.#rules.get(absolutePath(wanted.at)) ?? this.#rule;
    if (rule === "force") return this.#finder.restore(wanted, present);
    const stays = (await this.#isForcible(wanted, present))
      ? { ...found, conflict: { ...found.conflict, forcible: true as const } }
      : found;
    if (rule === "keep") return stays;
    const merged = await mergeRestore(this.#context.files, wanted, present);
    if (rule === "ask") {
      this.#forcible++;
      if (merged.ok) this.#mergeable++;
      return stays;
    }
    if (!merged.ok) {
      const { conflict } = stays;
      return { ...stays, conflict: { ...conflict, reason: `${conflict.reason}; ${merged.error}` } };
    }
    return merged.value === undefined ? { kind: "already" } : { kind: "restorable", wanted, restore: merged.value };
  }

  /** A directory goes only when nothing is in it, whatever the rule is. */
  async #isForcible(wanted: WantedState, present: EntryState): Promise<boolean> {
    if (present.kind === "directory" && wanted.restore.kind !== "directory") {
      const names = await this.#context.files.list(wanted.at);
      return !("message" in names) && names.length === 0;
    }
    return (await this.#finder.restore(wanted, present)).kind === "restorable";
  }

  #refuse(path: string, reason: string, present?: EntryState): void {
    this.#conflicts.push({ path, reason, found: present === undefined ? "" : describeFound(present) });
  }

  /** The names in directories that are to go; one that can't be listed stays. */
  async #listAll(): Promise<ReadonlyMap<string, readonly string[]>> {
    const names = new Map<string, readonly string[]>();
    const unlisted = new Set<Restore>();
    for (const { wanted, restore } of this.#restores) {
      if (restore.present.kind !== "directory" || restore.restore.kind === "directory") continue;
      const listed = await this.#context.files.list(restore.at);
      if (!("message" in listed)) {
        names.set(absolutePath(restore.at), listed);
        continue;
      }
      unlisted.add(restore);
      this.#refuse(wanted.path, listed.message, restore.present);
    }
    this.#restores = this.#restores.filter(({ restore }) => !unlisted.has(restore));
    return names;
  }

  async #lookAbove(restores: readonly Restore[]): Promise<ReadonlyMap<string, EntryState>> {
    const above = new Map<string, EntryState>();
    for (const { at } of restores) {
      for (let parent = parentOf(at); parent.path !== ""; parent = parentOf(parent)) {
        const path = absolutePath(parent);
        if (above.has(path)) break;
        const state = await this.#finder.look(parent);
        if (!("message" in state)) above.set(path, state);
      }
    }
    return above;
  }
}

/** What was merged is not as it was before, but no longer as it was found. */
function isRestored(now: EntryState, { present, restore }: Restore, wanted: WantedState): boolean {
  if (isSameState(now, wanted.restore)) return true;
  const isMerged = restore.kind === "file" && present.kind === "file" && !isSameState(present, wanted.expect);
  return isMerged && !isSameState(now, present);
}

function isSameDirectory(one: FileChange, other: FileChange): boolean {
  return (
    one.kind === "make-directory" && other.kind === "make-directory" && absolutePath(one.at) === absolutePath(other.at)
  );
}

function stateOf(text: string): EntryState {
  const state = readState(text);
  if (state === undefined) throw new Error(`'${text}' has passed as a state.`);
  return state;
}
