import type { RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { effectsOf, isSameState } from "./effects.ts";
import type { EntryState, RecordedChange } from "./recorded-change.ts";

/** What a block has changed, in the order in which it did. */
export interface ChangeGroup {
  /** The block's address. */
  readonly by: string;
  readonly changes: readonly RecordedChange[];
  /**
   * When it was captured what lay there before, in any numbers that grow, such as those of events: of the announcement, or of the look
   * before a command. All groups have it or none, and then it was captured in the order in which they ended.
   */
  readonly captured?: number;
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

/** The groups are in the order in which they ended: of a path, the state that was captured first and the one that was left last count. */
export function composeChanges(groups: readonly ChangeGroup[]): readonly Stretch[] {
  const composing = new Composing();
  for (const [index, group] of groups.entries()) {
    for (const change of group.changes) composing.add(change, group.by, group.captured ?? index);
  }
  return composing.end();
}

interface Draft {
  readonly at: RootedPath;
  readonly stages: EntryState[];
  readonly by: Set<string>;
  /** When the first stage was. */
  captured: number;
}

class Composing {
  readonly #stretches: Pick<Stretch, "files" | "moves">[] = [];
  readonly #refs = new Map<string, Omit<ComposedRef, "by"> & { last: string | null; readonly by: Set<string> }>();
  #drafts = new Map<string, Draft>();

  add(change: RecordedChange, by: string, captured: number): void {
    if (change.kind === "ref") return this.#addRef(change, by);
    if (change.kind === "rename" && isMovedWhole(change.moved)) {
      const { from, to, moved, replaced } = change;
      // What lay there went before the other came.
      if (replaced.kind !== "missing") this.#addEffect({ at: to, before: replaced, after: missing }, by, captured);
      this.#endStretch();
      this.#stretches.push({ files: [], moves: [{ from, to, moved, by: [by] }] });
      return;
    }
    for (const effect of effectsOf(change)) this.#addEffect(effect, by, captured);
  }

  end(): readonly Stretch[] {
    this.#endStretch();
    const refs = [...this.#refs.values()].map((ref) => ({ ...ref, by: [...ref.by] }));
    if (refs.length > 0 && this.#stretches.length === 0) this.#stretches.push({ files: [], moves: [] });
    return this.#stretches.map((stretch, index) => ({ ...stretch, refs: index === 0 ? refs : [] }));
  }

  #addEffect(
    { at, before, after }: { readonly at: RootedPath; readonly before: EntryState; readonly after: EntryState },
    by: string,
    captured: number,
  ): void {
    const path = absolutePath(at);
    const draft = this.#drafts.get(path) ?? { at, stages: [before], by: new Set<string>(), captured };
    this.#drafts.set(path, draft);
    const { stages } = draft;
    if (captured < draft.captured) {
      stages.unshift(before);
      draft.captured = captured;
    }
    learnBytes(stages, before);
    stages.push(after);
    learnBytes(stages, stages.at(-2) as EntryState);
    draft.by.add(by);
  }

  #addRef({ repository, name, before, after }: Extract<RecordedChange, { kind: "ref" }>, by: string): void {
    const key = `${absolutePath(repository)}\0${name}`;
    const ref = this.#refs.get(key) ?? { repository, name, first: before, last: after, by: new Set<string>() };
    ref.last = after;
    ref.by.add(by);
    this.#refs.set(key, ref);
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
