import type { FileSystem } from "../block/ports.ts";
import { removeLeftover } from "../changes/apply-change.ts";
import { type ChangesFound, compareChanges, countFoundMade } from "../changes/compare-changes.ts";
import type { RecordedChange } from "../changes/recorded-change.ts";
import type { RunEvent } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";

/**
 * How the files are found of blocks that had announced changes when their engine died. What was left of a change that was being
 * made is removed first. Where another block of the run has changed the same file since, what that one found there tells more
 * than the disk does now. The signal ends the look, but what was left is removed in any case.
 */
export async function findChanges(
  { nodes }: RunState,
  events: readonly RunEvent[],
  fileSystem: FileSystem,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ChangesFound>> {
  const announced = [...nodes.values()].flatMap(({ path, stage, fileChange }) =>
    stage.kind === "running" && fileChange !== undefined ? [{ path, fileChange }] : [],
  );
  for (const { fileChange } of announced) {
    for (const change of fileChange.changes) await removeLeftover(change, fileSystem);
  }
  const files = fileSystem.withSignal(signal);
  const found = new Map<string, ChangesFound>();
  for (const { path, fileChange } of announced) {
    const { changes } = fileChange;
    const later = events.slice(events.indexOf(fileChange) + 1).flatMap(changesOf);
    const made = countFoundMade(changes, later);
    found.set(path, await compareChanges(changes.slice(made), files));
  }
  return found;
}

function changesOf(event: RunEvent): readonly RecordedChange[] {
  return event.type === "file-changed" ? event.changes : [];
}
