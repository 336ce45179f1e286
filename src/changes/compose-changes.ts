import type { RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { type Effect, effectsOf, isSameState, type ToldChange } from "./effects.ts";
import type { EntryState } from "./recorded-change.ts";

/** What a block has changed, in the order in which it did. */
export interface ChangeGroup {
  /** The block's address. */
  readonly by: string;
  readonly changes: readonly ToldChange[];
}

/**
 * All changes of some blocks, put together as far as only the first and the last state of a path count. What is moved with all that is
 * in it ends a stretch, for the same paths mean something else before and after it. Stretches are taken back from the last to the
 * first, and those with a move hold nothing else.
 */
export interface Stretch {
  readonly files: readonly ComposedFile[];
  readonly moves: readonly ComposedMove[];
  /** All of them are in the first stretch, which is taken back last. */
  readonly refs: readonly ComposedRef[];
}

export interface ComposedFile {
  readonly at: RootedPath;
  /** Before the first change. */
  readonly first: EntryState;
  /** After the last; a file that only came and went is as it was. */
  readonly last: EntryState;
  /** All that it was in turn, with these two: who died in between has left one of them. */
  readonly stages: readonly EntryState[];
  /** Who changed it, each once. */
  readonly by: readonly string[];
}

/** A directory, or a file whose bytes are not kept. */
export interface ComposedMove {
  readonly from: RootedPath;
  readonly to: RootedPath;
  readonly moved: EntryState;
  readonly by: readonly string[];
}

export interface ComposedRef {
  readonly repository: RootedPath;
  readonly name: string;
  readonly first: string | null;
  readonly last: string | null;
  readonly by: readonly string[];
}

/** The groups are in the order in which they changed things. */
export function composeChanges(groups: readonly ChangeGroup[]): readonly Stretch[] {
  const composing = new Composing();
  for (const { changes, by } of groups) {
    for (const change of changes) composing.add(change, by);
  }
  return composing.end(composeRefs(groups));
}

/** Where each ref was before the first change of it, and after the last. */
export function composeRefs(groups: readonly ChangeGroup[]): readonly ComposedRef[] {
  const refs = new Map<string, ComposedRef>();
  for (const { by, changes } of groups) {
    for (const change of changes) {
      if (change.kind !== "ref") continue;
      const { repository, name, before: first, after: last } = change;
      const key = `${absolutePath(repository)}\0${name}`;
      const known = refs.get(key) ?? { repository, name, first, last, by: [] };
      refs.set(key, { ...known, last, by: [...new Set([...known.by, by])] });
    }
  }
  return [...refs.values()];
}

interface Draft {
  readonly at: RootedPath;
  readonly stages: EntryState[];
  readonly by: Set<string>;
}

class Composing {
  readonly #stretches: Pick<Stretch, "files" | "moves">[] = [];
  #drafts = new Map<string, Draft>();
  /** What was left at each path, by absolute path; nothing of what was moved. */
  readonly #left = new Map<string, EntryState>();

  add(change: ToldChange, by: string): void {
    if (change.kind === "ref") return;
    if (change.kind === "rename" && isMovedWhole(change.moved)) {
      const { from, to, moved, replaced } = change;
      // What lay there went before the other came.
      if (replaced.kind !== "missing") this.#addEffect({ at: to, before: replaced, after: missing }, by);
      this.#endStretch();
      this.#stretches.push({ files: [], moves: [{ from, to, moved, by: [by] }] });
      this.#forget(from);
      this.#forget(to);
      return;
    }
    // Whoever announced it had not looked: it was there, and is taken back by what made it.
    if (change.kind === "make-directory" && this.#left.get(absolutePath(change.at))?.kind === "directory") return;
    for (const effect of effectsOf(change)) this.#addEffect(effect, by);
  }

  end(refs: readonly ComposedRef[]): readonly Stretch[] {
    this.#endStretch();
    if (refs.length > 0 && this.#stretches.length === 0) this.#stretches.push({ files: [], moves: [] });
    return this.#stretches.map((stretch, index) => ({ ...stretch, refs: index === 0 ? refs : [] }));
  }

  #addEffect({ at, before, after }: Effect, by: string): void {
    const path = absolutePath(at);
    const draft = this.#drafts.get(path) ?? { at, stages: [before], by: new Set<string>() };
    this.#drafts.set(path, draft);
    this.#left.set(path, after);
    const { stages } = draft;
    learnBytes(stages, before);
    stages.push(after);
    learnBytes(stages, stages.at(-2) as EntryState);
    draft.by.add(by);
  }

  #forget(moved: RootedPath): void {
    const path = absolutePath(moved);
    for (const other of this.#left.keys()) {
      if (other === path || other.startsWith(`${path}/`)) this.#left.delete(other);
    }
  }

  #endStretch(): void {
    if (this.#drafts.size === 0) return;
    const files = [...this.#drafts.values()].map(
      ({ at, stages, by }): ComposedFile => ({
        at,
        first: stages[0] as EntryState,
        last: stages.at(-1) as EntryState,
        stages: stages.filter((stage, index) => index === 0 || !isSameState(stage, stages[index - 1] as EntryState)),
        by: [...by],
      }),
    );
    this.#stretches.push({ files, moves: [] });
    this.#drafts = new Map();
  }
}

const missing: EntryState = { kind: "missing" };

/** By states alone, what is in it would be lost. */
function isMovedWhole(moved: EntryState): boolean {
  return moved.kind === "directory" || (moved.kind === "file" && moved.kept !== true);
}

/** Changing only the mode of a file tells little of its bytes, but what comes before or after it may. */
function learnBytes(stages: EntryState[], known: EntryState): void {
  if (known.kind !== "file" || known.size === undefined) return;
  const { kind: _, mode: __, ...bytes } = known;
  for (let index = stages.length - 1; index >= 0; index--) {
    const stage = stages[index] as EntryState;
    if (stage.kind !== "file" || !isSameState({ ...stage, mode: known.mode }, known)) return;
    stages[index] = { ...stage, ...bytes };
  }
}
