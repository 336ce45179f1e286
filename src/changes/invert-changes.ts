import type { FileChange } from "../block/block-files.ts";
import type { Blobs, RootedPath } from "../block/ports.ts";
import type { RecordedChange, StoredState } from "./recorded-change.ts";

export interface Inverse {
  /** In the order in which they are to be made. */
  readonly changes: readonly FileChange[];
  /** Where a file lay whose bytes were not kept, or are no longer there: it stays as it is. */
  readonly lost: readonly RootedPath[];
}

/**
 * What takes changes back that were recorded together, the last one first. It is safe to make only where `compareChanges` finds them
 * made: then nobody else has changed what it replaces. A directory that somebody has put something into is not removed.
 */
export async function invertChanges(changes: readonly RecordedChange[], blobs: Pick<Blobs, "get">): Promise<Inverse> {
  const steps: Step[] = [];
  for (const step of changes.toReversed().flatMap(takeBack)) {
    if (step.kind !== "put-back") {
      steps.push(step);
      continue;
    }
    const { at, mode, sha256 } = step;
    const bytes = await blobs.get(sha256);
    steps.push(bytes === undefined ? { kind: "lost", at } : { kind: "write", at, bytes, mode });
  }
  return {
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
  }
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
