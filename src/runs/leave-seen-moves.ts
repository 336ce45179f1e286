import { absolutePath, isWithin } from "../block/rooted-path.ts";
import { effectsOf } from "../changes/effects.ts";
import type { RecordedChange } from "../changes/recorded-change.ts";
import type { Undoable } from "./select-deeds.ts";

type Changes = Extract<Undoable, { kind: "changes" }>;
type Move = Extract<RecordedChange, { kind: "rename" }>;

/**
 * The same without moves of whole directories that happened while the workspace was being observed for another block that is taken back
 * too: that one has seen all that was moved, before at the one place and after at the other, and what it saw is restored path by path.
 * Moving it back as well would do it twice. What was changed at the new place later had not been there before.
 */
export function leaveSeenMoves(undoables: readonly Undoable[]): readonly Undoable[] {
  const all = undoables.filter((undoable) => undoable.kind === "changes");
  const observed = all.filter(({ since }) => since !== undefined);
  if (observed.length === 0) return undoables;
  return undoables.map((undoable) => {
    if (undoable.kind !== "changes" || undoable.since !== undefined) return undoable;
    const isSeen = observed.some(({ since = 0, order }) => since < undoable.order && undoable.order < order);
    if (!isSeen || !undoable.changes.some(isMoveOfDirectory)) return undoable;
    const later = all.filter(({ since, order }) => (since ?? order) > undoable.order);
    return { ...undoable, changes: undoable.changes.flatMap((change) => withoutMove(change, later)) };
  });
}

function withoutMove(change: RecordedChange, later: readonly Changes[]): readonly RecordedChange[] {
  return isMoveOfDirectory(change) ? arrivals(change, later) : [change];
}

/** Of what came with the move, all that was changed afterwards. */
function arrivals({ to }: Move, later: readonly Changes[]): readonly RecordedChange[] {
  const found = new Map<string, RecordedChange>();
  for (const { at, before } of later.flatMap(({ changes }) => changes.flatMap(effectsOf))) {
    const path = absolutePath(at);
    if (!isWithin(at, to) || found.has(path) || before.kind === "missing") continue;
    found.set(path, { kind: "observed", at, before: { kind: "missing" }, after: before });
  }
  return [...found.values()];
}

function isMoveOfDirectory(change: RecordedChange): change is Move {
  return change.kind === "rename" && change.moved.kind === "directory";
}
