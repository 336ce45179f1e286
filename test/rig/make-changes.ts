import type { FileChange } from "../../src/block/block-files.ts";
import type { Blobs, FileSystem } from "../../src/block/ports.ts";
import { applyChange } from "../../src/changes/apply-change.ts";
import { captureChanges, type Keeping } from "../../src/changes/capture-changes.ts";
import type { RecordedChange } from "../../src/changes/recorded-change.ts";

/** Records changes and makes them, as the engine does for a block. */
export async function makeChanges(
  changes: readonly FileChange[],
  files: FileSystem,
  blobs: Blobs,
): Promise<readonly RecordedChange[]> {
  const captured = await captureChanges(changes, files, keepIn(blobs));
  if ("message" in captured) throw new Error(captured.message);
  const recorded = captured.map((record, index) => record(`.${index}.tmp`));
  for (const [index, change] of changes.entries()) {
    const problem = await applyChange(change, recorded[index] as RecordedChange, files);
    if (problem !== undefined) throw new Error(problem.message);
  }
  return recorded;
}

/** Keeps all bytes. */
export function keepIn(blobs: Blobs): Keeping {
  return {
    holdsSecret: () => false,
    keep: async (bytes, lasting) => {
      const put = await blobs.put("run_1", bytes, { lasting });
      return put.ok ? undefined : put.error;
    },
    promisesUndo: false,
  };
}
