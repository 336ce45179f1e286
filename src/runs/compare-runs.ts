import type { Catalog } from "../block/catalog.ts";
import type { FileSystem, RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { isAsLeft } from "../changes/compare-changes.ts";
import type { RunEvent, SeenEntry } from "../engine/events.ts";
import { whatItLeft } from "../engine/results.ts";
import { Reuse } from "../engine/reuse.ts";
import { isInFinally, type RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import { findScratchUsers } from "./find-scratch-users.ts";
import { findUndone } from "./find-undone.ts";
import type { Platform } from "./platform.ts";
import { findRun, type RestoredRun, restoreRun } from "./read-run.ts";

/** What a run that repeats another can take over from it. */
export async function compareRuns(
  before: RestoredRun,
  now: RunState,
  platform: Platform,
  catalog: Catalog,
): Promise<Reuse> {
  const { files } = platform;
  const stale = [...(await findStale(before, files)), ...(await findScratchUsers(before.state, files))];
  return new Reuse(before.state, now, new Set(stale), await findUndone(before.state, platform, catalog));
}

/** The same for a run that has begun. Where the other one is gone or can't be read any more, the rest of it simply runs. */
export async function compareAgain(now: RunState, platform: Platform, catalog: Catalog): Promise<Reuse | undefined> {
  const { rerunOf, reuse } = now.started;
  if (rerunOf === undefined || reuse === undefined) return undefined;
  const found = await findRun(platform, rerunOf);
  const before = found.ok ? await restoreRun(platform, catalog, found.value) : found;
  return before.ok ? compareRuns(before.value, now, platform, catalog) : undefined;
}

/** What is known of a path: who saw or made it so, in order. */
interface History {
  readonly at: RootedPath;
  readonly entries: { readonly node: RunNode; readonly entry: SeenEntry }[];
}

/**
 * The blocks whose files are not as they left them. A path counts as left by the last block that had to do with it, so a run may
 * change one file several times. But what a later one has removed, or made anew, is not there for what comes in between.
 */
async function findStale({ state, events }: RestoredRun, files: FileSystem): Promise<ReadonlySet<RunNode>> {
  const stale = new Set<RunNode>();
  for (const { at, entries } of historiesOf(state, events).values()) {
    const left = (entries.at(-1) as History["entries"][number]).entry.state;
    const isKept = await isAsLeft(at, left, files);
    for (const { node, entry } of entries) {
      if (!isKept || (entry.made && entry.state.kind !== left.kind)) stale.add(node);
    }
  }
  return stale;
}

/** `finally` is left out: it puts away what the others need. */
function historiesOf(state: RunState, events: readonly RunEvent[]): ReadonlyMap<string, History> {
  const histories = new Map<string, History>();
  for (const event of events) {
    if (event.type !== "block-finished" && event.type !== "block-reused") continue;
    const node = state.nodes.get(event.path);
    if (node === undefined || isInFinally(node)) continue;
    for (const [path, entry] of lastOfEach(whatItLeft(node))) {
      const history = histories.get(path) ?? { at: entry.at, entries: [] };
      history.entries.push({ node, entry });
      histories.set(path, history);
    }
  }
  return histories;
}

/** Of what a block saw and made of the same path, what it left. */
function lastOfEach(entries: readonly SeenEntry[]): ReadonlyMap<string, SeenEntry> {
  return new Map(entries.map((entry) => [absolutePath(entry.at), entry]));
}
