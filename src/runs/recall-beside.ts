import { absolutePath } from "../block/rooted-path.ts";
import { effectsOf } from "../changes/effects.ts";
import type { RecordedChange } from "../changes/recorded-change.ts";
import type { Deed } from "../engine/list-deeds.ts";
import { pathBelow } from "../util/path-below.ts";
import type { RecalledState } from "./attribute-changes.ts";
import type { Runtime } from "./runtime.ts";

/**
 * What lay at paths before a command that is not known to have changed them, by the number of the event with which its block began: paths
 * which others found in some state while it was being looked for the command. It may have changed them and changed them back.
 */
export async function recallBeside(
  { platform }: Runtime,
  runId: string,
  deeds: readonly Deed[],
): Promise<ReadonlyMap<number, readonly RecalledState[]>> {
  const { observer, secrets } = platform;
  const { signal } = new AbortController();
  const holdsSecret = (bytes: Uint8Array): boolean => secrets.redactor.isIn(bytes);
  const recalled = new Map<number, readonly RecalledState[]>();
  for (const [deed, paths] of findMet(deeds)) {
    const { looked, workspace, began } = deed;
    const below = [...paths].flatMap((path) => pathBelow(workspace, path) || []);
    if (looked === undefined || below.length === 0) continue;
    const states = await observer.recall(looked.snapshot, below, { runId, workspace, signal, holdsSecret });
    const known = below.flatMap((path, index): RecalledState[] => {
      const state = states[index];
      return state === undefined ? [] : [{ at: { root: workspace, path }, state }];
    });
    recalled.set(began, known);
  }
  return recalled;
}

/** Whether there is anything to be recalled. */
export function hasMet(deeds: readonly Deed[]): boolean {
  return [...findMet(deeds).values()].some((paths) => paths.size > 0);
}

/** For each block whose command was observed, the paths that others met meanwhile and that were not found to be different. */
function findMet(deeds: readonly Deed[]): ReadonlyMap<Deed, ReadonlySet<string>> {
  const met = new Map<Deed, Set<string>>();
  const observed = deeds.filter((deed) => deed.observed !== undefined && deed.looked !== undefined);
  // What the later of two has met, the earlier one has to remember too.
  for (const deed of observed.toSorted((one, other) => sinceOf(other) - sinceOf(one))) {
    const [since, until] = [sinceOf(deed), deed.observed?.sequence ?? 0];
    const paths = new Set<string>();
    for (const other of deeds) {
      for (const { sequence, changes } of other.announced) {
        if (since < sequence && sequence < until) for (const path of pathsOf(changes)) paths.add(path);
      }
      if (!(since < sinceOf(other) && sinceOf(other) < until)) continue;
      for (const path of [...pathsOf(other.observed?.changes ?? []), ...(met.get(other) ?? [])]) paths.add(path);
    }
    for (const path of pathsOf(deed.observed?.changes ?? [])) paths.delete(path);
    met.set(deed, paths);
  }
  return met;
}

function sinceOf({ looked }: Deed): number {
  return looked?.sequence ?? 0;
}

function pathsOf(changes: readonly RecordedChange[]): readonly string[] {
  return changes.flatMap(effectsOf).map(({ at }) => absolutePath(at));
}
