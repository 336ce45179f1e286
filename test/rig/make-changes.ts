import type { FileChange } from "../../src/block/block-files.ts";
import type { FileSystem } from "../../src/block/ports.ts";
import { applyChange } from "../../src/changes/apply-change.ts";
import { captureChanges } from "../../src/changes/capture-changes.ts";
import type { RecordedChange } from "../../src/changes/recorded-change.ts";

/** Records changes and makes them, as the engine does for a block. */
export async function makeChanges(
  changes: readonly FileChange[],
  files: FileSystem,
): Promise<readonly RecordedChange[]> {
  const captured = await captureChanges(changes, files, () => false);
  if ("message" in captured) throw new Error(captured.message);
  const recorded = captured.map((record, index) => record(`.${index}.tmp`));
  for (const [index, change] of changes.entries()) {
    const problem = await applyChange(change, recorded[index] as RecordedChange, files);
    if (problem !== undefined) throw new Error(problem.message);
  }
  return recorded;
}
