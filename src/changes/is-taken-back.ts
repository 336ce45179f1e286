import type { FileSystem, RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { pathBelow } from "../util/path-below.ts";
import { findStage } from "./compare-changes.ts";
import type { ComposedMove, Stretch } from "./compose-changes.ts";
import type { EntryState } from "./recorded-change.ts";

/** Whether every path is as it was before all of the stretches, so that nothing is left to be taken back. */
export async function isTakenBack(stretches: readonly Stretch[], files: FileSystem): Promise<boolean> {
  for (const { at, state } of statesBefore(stretches).values()) {
    if ((await findStage(at, [state], files)) === undefined) return false;
  }
  return true;
}

interface StateBefore {
  readonly at: RootedPath;
  readonly state: EntryState;
}

/** By absolute path. What was changed after something had been moved is found where it lay before that. */
function statesBefore(stretches: readonly Stretch[]): ReadonlyMap<string, StateBefore> {
  const found = new Map<string, StateBefore>();
  const passed: ComposedMove[] = [];
  const note = (at: RootedPath, state: EntryState): void => {
    const original = findOriginal(at, passed);
    if (original === undefined || found.has(absolutePath(original))) return;
    found.set(absolutePath(original), { at: original, state });
  };
  for (const { files, moves } of stretches) {
    for (const { at, first } of files) note(at, first);
    for (const move of moves) {
      note(move.from, move.moved);
      note(move.to, { kind: "missing" });
      passed.push(move);
    }
  }
  return found;
}

/** Where it lay before the moves. Nothing for what has come to a path from which something else was moved away. */
function findOriginal(at: RootedPath, moves: readonly ComposedMove[]): RootedPath | undefined {
  let original = at;
  for (const { from, to } of moves.toReversed()) {
    const inside = pathBelow(absolutePath(to), absolutePath(original));
    if (inside !== undefined) {
      const path = inside === "" ? from.path : `${from.path}/${inside}`;
      original = { root: from.root, path };
    } else if (pathBelow(absolutePath(from), absolutePath(original)) !== undefined) return undefined;
  }
  return original;
}
