import type { FileChange } from "../block/block-files.ts";
import type { Blobs, RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import type { MovedRef, RecordedChange, StoredState } from "./recorded-change.ts";

export interface Inverse {
  /** In the order in which they are to be made. */
  readonly changes: readonly FileChange[];
  /** Where a file lay whose bytes were not kept, or are no longer there: it stays as it is. */
  readonly lost: readonly RootedPath[];
  /** Git refs that were moved, each with where it is to lead as `after`. */
  readonly refs: readonly MovedRef[];
}

/**
 * What takes changes back that were recorded together, the last one first. It is safe to make only where `compareChanges` finds them
 * made: then nobody else has changed what it replaces. A directory that somebody has put something into is not removed.
 */
export async function invertChanges(changes: readonly RecordedChange[], blobs: Pick<Blobs, "get">): Promise<Inverse> {
  const steps: Step[] = [];
  for (const step of [...changes.toReversed().flatMap(takeBack), ...takeBackObserved(changes)]) {
    if (step.kind !== "put-back") {
      steps.push(step);
      continue;
    }
    const { at, mode, sha256 } = step;
    const bytes = await blobs.get(sha256);
    steps.push(bytes === undefined ? { kind: "lost", at } : { kind: "write", at, bytes, mode });
  }
  const refs = changes.toReversed().filter((change) => change.kind === "ref");
  return {
    refs: refs.map(({ before, after, ...ref }) => ({ ...ref, before: after, after: before })),
    changes: steps.filter((step) => step.kind !== "lost"),
    lost: steps.flatMap((step) => (step.kind === "lost" ? [step.at] : [])),
  };
}

type Step = FileChange | { readonly kind: "lost"; readonly at: RootedPath };

/** One whose bytes are still to be fetched. */
type BareStep =
  | Step
  | { readonly kind: "put-back"; readonly at: RootedPath; readonly mode: number; readonly sha256: string };

function takeBack(change: RecordedChange): readonly BareStep[] {
  switch (change.kind) {
    case "write":
    case "remove":
      return [putBack(change.at, change.before)];
    case "make-directory":
    case "make-link":
      return [{ kind: "remove", at: change.at }];
    case "rename": {
      const { from, to, replaced } = change;
      const back: BareStep = { kind: "rename", from: to, to: from };
      return replaced.kind === "missing" ? [back] : [back, putBack(to, replaced)];
    }
    case "set-mode":
      return [{ kind: "set-mode", at: change.at, mode: change.before }];
    case "observed":
    case "ref":
      return [];
  }
}

/** They were found all at once, in no order: what is in a directory goes before it, and comes after it. */
function takeBackObserved(changes: readonly RecordedChange[]): readonly BareStep[] {
  const observed = changes
    .filter((change) => change.kind === "observed")
    .sort((a, b) => (absolutePath(a.at) < absolutePath(b.at) ? -1 : 1));
  const inTheWay = observed.toReversed().filter(isInTheWay);
  return [
    ...inTheWay.map(({ at }): BareStep => ({ kind: "remove", at })),
    ...observed.flatMap(({ at, before, after }): readonly BareStep[] => {
      if (before.kind === "missing") return [];
      if (before.kind !== "directory" || after.kind !== "directory") return [putBack(at, before)];
      return [{ kind: "set-mode", at, mode: before.mode }];
    }),
  ];
}

/** Whether what lies there now has to go first: a file is replaced by another, and a directory stays. */
function isInTheWay({ before, after }: Extract<RecordedChange, { kind: "observed" }>): boolean {
  if (after.kind === "missing" || before.kind === "missing") return after.kind !== "missing";
  if (before.kind === "file" && before.kept === undefined) return false;
  return before.kind !== after.kind || before.kind === "link";
}

function putBack(at: RootedPath, state: StoredState): BareStep {
  switch (state.kind) {
    case "missing":
      return { kind: "remove", at };
    case "directory":
      return { kind: "make-directory", at, mode: state.mode };
    case "link":
      return { kind: "make-link", at, target: state.target };
    case "file": {
      const { mode, sha256, kept } = state;
      return kept === undefined ? { kind: "lost", at } : { kind: "put-back", at, mode, sha256 };
    }
  }
}
