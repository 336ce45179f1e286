import type { Catalog } from "../block/catalog.ts";
import type { FileSystem } from "../block/ports.ts";
import { isAsLeft } from "../changes/compare-changes.ts";
import { effectsOf, isSameState } from "../changes/effects.ts";
import { pathOf } from "../engine/address.ts";
import { type Deed, isBelow, listDeeds } from "../engine/list-deeds.ts";
import type { RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import { findCompensated } from "./find-compensated.ts";
import type { Platform } from "./platform.ts";

/**
 * The blocks of a run whose results don't stand any more, because what they did was undone: by a rollback, or by somebody. Of blocks that
 * only change files the disk tells that, also when an undo was undone. A block may have run in another run, whose result this one reused.
 */
export async function findUndone(
  { nodes, started }: RunState,
  platform: Platform,
  catalog: Catalog,
): Promise<ReadonlySet<RunNode>> {
  const known = new Map<string, ReadonlySet<string>>();
  const undone = new Set<RunNode>();
  for (const node of nodes.values()) {
    const { origin, path } = node;
    const runId = origin?.runId ?? started.runId;
    const paths = known.get(runId) ?? (await undonePaths(runId, platform, catalog));
    known.set(runId, paths);
    if (paths.has(origin === undefined ? path : pathOf(origin.address))) undone.add(node);
  }
  return undone;
}

async function undonePaths(runId: string, platform: Platform, catalog: Catalog): Promise<ReadonlySet<string>> {
  const journal = await platform.journal();
  const undos = await journal.list({ undoOf: runId });
  const paths = new Set<string>();
  if (undos.length === 0) return paths;
  const events = await journal.read(runId);
  const listed = events.length === 0 ? undefined : await listDeeds(events, catalog);
  if (!listed?.ok) return paths;
  const compensated = await findCompensated(platform, catalog, runId);
  for (const undo of undos) {
    const redos = await journal.list({ undoOf: undo.runId, statuses: ["success"] });
    const [begun] = await journal.read(undo.runId);
    const { path = "" } = (begun?.type === "run-started" ? begun.undoOf : undefined) ?? {};
    for (const deed of listed.value.all) {
      const startedAt = events[deed.began - 1]?.at ?? "";
      if (!isBelow(deed.path, path) || startedAt > undo.startedAt) continue;
      const isCompensated = compensated.has(deed.address);
      if (isCompensated || (redos.length === 0 && (await isBackAsBefore(deed, platform.files)))) paths.add(deed.path);
    }
  }
  return paths;
}

/** Whether something that a command was seen to change is as it was before. */
async function isBackAsBefore({ observed }: Deed, files: FileSystem): Promise<boolean> {
  for (const { at, before, after } of (observed?.changes ?? []).flatMap(effectsOf)) {
    if (!isSameState(before, after) && (await isAsLeft(at, before, files))) return true;
  }
  return false;
}
