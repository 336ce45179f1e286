import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { effectsOf } from "../changes/effects.ts";
import type { RecordedChange } from "../changes/recorded-change.ts";
import type { NotCaptured } from "../engine/events.ts";
import { type Deed, type Deeds, isBelow, typeCompensation } from "../engine/list-deeds.ts";

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

/** One thing to take back, at its place in the order: changes of files when they were announced or seen, the rest when it ended. */
export type Undoable =
  | {
      readonly kind: "changes";
      readonly order: number;
      readonly deed: Deed;
      readonly changes: readonly RecordedChange[];
      /** Of those that were seen: when it was first looked. */
      readonly since?: number;
    }
  /** Its author has said how, or its type. */
  | { readonly kind: "compensation"; readonly order: number; readonly deed: Deed };

export function selectDeeds({ deeds, commitPoints }: Deeds, selection: UndoSelection): SelectedDeeds {
  const { scope = { path: "" }, to, sinceCommitPoint, isChosen = () => true } = selection;
  const within = deeds.filter((deed) => isBelow(deed.path, scope.path) && isChosen(deed.path));
  const began = scope.attempt === undefined ? 0 : beganAt(within, scope.path, scope.attempt);
  const passed = sinceCommitPoint ? commitPoints.filter(({ path }) => isBelow(path, scope.path)) : [];
  const after = Math.max(to === undefined ? 0 : endOf(deeds, to), ...passed.map(({ sequence }) => sequence));
  const chosen = within.filter((deed) => deed.began >= began && endOfDeed(deed) > after);
  const isTakenBack = new Set(chosen);
  const others = deeds.filter((deed) => !isTakenBack.has(deed));
  const shared: NotCaptured[] = [];
  const undoables = chosen
    .flatMap((deed) => undoablesOf(deed, leaveShared(deed, others, shared)))
    .filter(({ order }) => order > after)
    .sort((one, other) => one.order - other.order);
  return { undoables, deeds: chosen, shared };
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

function undoablesOf(deed: Deed, seen: readonly RecordedChange[]): readonly Undoable[] {
  const { announced, observed, definition, began, looked = began } = deed;
  const all: Undoable[] = announced.map(({ sequence, changes }) => ({
    kind: "changes",
    order: sequence,
    deed,
    changes,
  }));
  if (observed !== undefined) {
    all.push({ kind: "changes", order: observed.sequence, deed, changes: seen, since: looked });
  }
  if (definition.undo !== undefined || typeCompensation(deed) !== undefined)
    all.push({ kind: "compensation", order: endOfDeed(deed), deed });
  return all;
}

/** Of what was seen to change while a command ran, that which nothing else can have changed whose work stays. */
function leaveShared(deed: Deed, others: readonly Deed[], shared: NotCaptured[]): readonly RecordedChange[] {
  const { observed, began } = deed;
  if (observed === undefined) return [];
  const meanwhile = others.filter((other) => other.began < endOfDeed(deed) && endOfDeed(other) > began);
  // Whose command has not ended may have changed anything.
  const open = meanwhile.find(({ snapshot }) => snapshot !== undefined);
  const theirs = new Map<string, Deed>();
  for (const other of meanwhile) {
    const all = [...other.announced.flatMap(({ changes }) => changes), ...(other.observed?.changes ?? [])];
    for (const { key } of all.flatMap(placesOf)) theirs.set(key, other);
  }
  if (theirs.size === 0 && open === undefined) return observed.changes;
  return observed.changes.filter((change) => {
    const found = placesOf(change).find(({ key }) => open !== undefined || theirs.has(key));
    const other = found && (open ?? theirs.get(found.key));
    if (found === undefined || other === undefined) return true;
    const why = `'${other.address}' ran at the same time and may have changed it`;
    shared.push({ path: found.shown, why });
    return false;
  });
}

/** What a change touches, and how people know it. */
function placesOf(change: RecordedChange): readonly { readonly key: string; readonly shown: string }[] {
  if (change.kind === "ref") return [{ key: `${absolutePath(change.repository)} ${change.name}`, shown: change.name }];
  return effectsOf(change).map(({ at }) => ({ key: absolutePath(at), shown: shownPath(at) }));
}
