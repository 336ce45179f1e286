import type { FileChange } from "../block/block-files.ts";
import type { RootedPath } from "../block/ports.ts";
import type { RecordedChange, StoredState } from "./recorded-change.ts";

export interface Inverse {
  /** In the order in which they are to be made. */
  readonly changes: readonly FileChange[];
  /** Where a file lay whose bytes were not kept: it stays as it is. */
  readonly lost: readonly RootedPath[];
}

/**
 * What takes changes back that were recorded together, the last one first. It is safe to make only where `compareChanges` finds them
 * made: then nobody else has changed what it replaces. A directory that somebody has put something into is not removed.
 */
export function invertChanges(changes: readonly RecordedChange[]): Inverse {
  const steps = changes.toReversed().flatMap(takeBack);
  return {
    changes: steps.filter((step) => step.kind !== "lost"),
    lost: steps.flatMap((step) => (step.kind === "lost" ? [step.at] : [])),
  };
}

type Step = FileChange | { readonly kind: "lost"; readonly at: RootedPath };

function takeBack(change: RecordedChange): readonly Step[] {
  switch (change.kind) {
    case "write":
    case "remove":
      return [putBack(change.at, change.before)];
    case "make-directory":
    case "make-link":
      return [{ kind: "remove", at: change.at }];
    case "rename": {
      const { from, to, replaced } = change;
      const back: Step = { kind: "rename", from: to, to: from };
      return replaced.kind === "missing" ? [back] : [back, putBack(to, replaced)];
    }
  }
}

function putBack(at: RootedPath, state: StoredState): Step {
  switch (state.kind) {
    case "missing":
      return { kind: "remove", at };
    case "directory":
      return { kind: "make-directory", at, mode: state.mode };
    case "link":
      return { kind: "make-link", at, target: state.target };
    case "file": {
      const { content, mode } = state;
      if (content === undefined) return { kind: "lost", at };
      return { kind: "write", at, bytes: Buffer.from(content, "base64"), mode };
    }
  }
}
