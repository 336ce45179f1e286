import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { effectsOf, type ToldChange } from "../changes/effects.ts";
import type { NotCaptured } from "../engine/events.ts";
import { type Deed, type Deeds, isBelow, typeCompensation } from "../engine/list-deeds.ts";
import { attributeChanges, type SeenChange } from "./attribute-changes.ts";

/** Which part of what a run did is to be taken back. */
export interface UndoSelection {
  /** What lies at this address or inside; of one attempt, only what it did. */
  readonly scope?: { readonly path: string; readonly attempt?: number };
  /** What was done by the blocks at these addresses. */
  isChosen?(path: string): boolean;
  /** What happened after the end of the block at this address. */
  readonly to?: string;
  /** Not what had happened when the latest commit point was passed. */
  readonly sinceCommitPoint?: boolean;
}

export interface SelectedDeeds {
  /** In the order in which they happened. */
  readonly undoables: readonly Undoable[];
  readonly deeds: readonly Deed[];
  /** What other blocks, whose work stays, may have changed as well. */
  readonly shared: readonly NotCaptured[];
}

/** One thing to take back, at its place in the order: changes of files when they were announced or had happened, the rest when it ended. */
export type Undoable =
  | {
      readonly kind: "changes";
      readonly order: number;
      readonly deed: Deed;
      readonly changes: readonly ToldChange[];
    }
  /** Its author has said how, or its type. */
  | { readonly kind: "compensation"; readonly order: number; readonly deed: Deed };

export function selectDeeds(
  { deeds, all, takenBack, commitPoints }: Deeds,
  selection: UndoSelection,
  recalled?: Parameters<typeof attributeChanges>[1],
): SelectedDeeds {
  const { scope = { path: "" }, to, sinceCommitPoint, isChosen = () => true } = selection;
  const within = deeds.filter((deed) => isBelow(deed.path, scope.path) && isChosen(deed.path));
  const began = scope.attempt === undefined ? 0 : beganAt(within, scope.path, scope.attempt);
  const passed = sinceCommitPoint ? commitPoints.filter(({ path }) => isBelow(path, scope.path)) : [];
  const after = Math.max(to === undefined ? 0 : endOf(deeds, to), ...passed.map(({ sequence }) => sequence));
  const chosen = within.filter((deed) => deed.began >= began && endOfDeed(deed) > after);
  const isTakenBack = new Set(chosen);
  const others = deeds.filter((deed) => !isTakenBack.has(deed));
  const seen = new SeenSelection(chosen, others);
  const undoables = [...chosen.flatMap(undoablesOf), ...seen.select(attributeChanges({ all, takenBack }, recalled))]
    .filter(({ order }) => order > after)
    .sort((one, other) => one.order - other.order);
  return { undoables, deeds: chosen, shared: seen.shared };
}

function beganAt(deeds: readonly Deed[], path: string, attempt: number): number {
  return deeds.find((deed) => deed.path === path && deed.attempt === attempt)?.began ?? 0;
}

/** What has not ended has nothing after it. */
function endOf(deeds: readonly Deed[], path: string): number {
  return Math.max(0, ...deeds.filter((deed) => isBelow(deed.path, path)).map(endOfDeed));
}

function endOfDeed({ ended }: Deed): number {
  return ended ?? Number.POSITIVE_INFINITY;
}

function undoablesOf(deed: Deed): readonly Undoable[] {
  const all: Undoable[] = deed.announced.map(({ sequence, changes }) => ({
    kind: "changes",
    order: sequence,
    deed,
    changes,
  }));
  if (deed.definition.undo !== undefined || typeCompensation(deed) !== undefined)
    all.push({ kind: "compensation", order: endOfDeed(deed), deed });
  return all;
}

/** What the commands of these deeds have changed. What may be the work of another one, which stays, goes to `shared`. */
class SeenSelection {
  readonly #chosen: ReadonlyMap<number, Deed>;
  readonly #others: readonly Deed[];
  readonly #theirs = new Map<Deed, Theirs>();
  readonly shared: NotCaptured[] = [];

  constructor(chosen: readonly Deed[], others: readonly Deed[]) {
    this.#chosen = new Map(chosen.filter(({ observed }) => observed !== undefined).map((deed) => [deed.began, deed]));
    this.#others = others;
  }

  select(seen: readonly SeenChange[]): readonly Undoable[] {
    const groups = new Map<string, Extract<Undoable, { kind: "changes" }> & { readonly changes: ToldChange[] }>();
    for (const { order, change, seenBy } of seen) {
      const deed = seenBy.map(({ began }) => this.#chosen.get(began)).find((one) => one !== undefined);
      if (deed === undefined) continue;
      const stays = seenBy.find(({ began }) => !this.#chosen.has(began));
      if (this.#isShared(change, deed, stays)) continue;
      const key = `${order} ${deed.began}`;
      const group = groups.get(key) ?? { kind: "changes", order, deed, changes: [] };
      group.changes.push(change);
      groups.set(key, group);
    }
    return [...groups.values()];
  }

  #isShared(change: ToldChange, deed: Deed, stays: Deed | undefined): boolean {
    const { open, places } = this.#theirsBeside(deed);
    const found = placesOf(change).find(({ key }) => (stays ?? open) !== undefined || places.has(key));
    const other = found && (stays ?? open ?? places.get(found.key));
    if (found === undefined || other === undefined) return false;
    const why = `'${other.address}' ran at the same time and may have changed it`;
    this.shared.push({ path: found.shown, why });
    return true;
  }

  #theirsBeside(deed: Deed): Theirs {
    const known = this.#theirs.get(deed);
    if (known !== undefined) return known;
    const meanwhile = this.#others.filter((other) => other.began < endOfDeed(deed) && endOfDeed(other) > deed.began);
    const places = new Map<string, Deed>();
    for (const other of meanwhile) {
      const all = [...other.announced.flatMap(({ changes }) => changes), ...(other.observed?.changes ?? [])];
      for (const { key } of all.flatMap(placesOf)) places.set(key, other);
    }
    const theirs = { open: meanwhile.find(({ snapshot }) => snapshot !== undefined), places };
    this.#theirs.set(deed, theirs);
    return theirs;
  }
}

/** What those did who ran beside a block. */
interface Theirs {
  /** Whose command has not ended may have changed anything. */
  readonly open: Deed | undefined;
  readonly places: ReadonlyMap<string, Deed>;
}

/** What a change touches, and how people know it. */
function placesOf(change: ToldChange): readonly { readonly key: string; readonly shown: string }[] {
  if (change.kind === "ref") return [{ key: `${absolutePath(change.repository)} ${change.name}`, shown: change.name }];
  return effectsOf(change).map(({ at }) => ({ key: absolutePath(at), shown: shownPath(at) }));
}
