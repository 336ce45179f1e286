import { type ChangeGroup, composeChanges, type Stretch } from "../../src/changes/compose-changes.ts";
import { writeState } from "../../src/changes/state-text.ts";
import type { RunEvent } from "../../src/engine/events.ts";

interface WrittenBlock {
  readonly id: string;
  readonly type: "RestoreFiles";
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly depends_on: readonly string[];
}

/** The blocks that take back what a run announced, as an undo plan has them. */
export function restoreBlocks(events: readonly RunEvent[], inputs: object = {}): readonly WrittenBlock[] {
  const groups = events.flatMap((event): ChangeGroup[] =>
    event.type === "file-changed" ? [{ by: event.path, changes: event.changes }] : [],
  );
  return composeChanges(groups)
    .toReversed()
    .map((stretch, index) => ({
      id: `back${index}`,
      type: "RestoreFiles",
      inputs: { ...restoreInputs(stretch), ...inputs },
      depends_on: index === 0 ? [] : [`back${index - 1}`],
    }));
}

function restoreInputs({ files, moves, refs }: Stretch): Readonly<Record<string, unknown>> {
  return {
    files: files.map(({ at, first, last }) => ({
      path: at.path,
      expect: writeState(last),
      restore: writeState(first),
    })),
    moves: moves.map(({ from, to, moved }) => ({ from: to.path, to: from.path, expect: writeState(moved) })),
    refs: refs.map(({ repository, name, first, last }) => ({
      repository: repository.path,
      name,
      expect: last ?? "missing",
      restore: first ?? "missing",
    })),
  };
}
