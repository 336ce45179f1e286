import type { FilePlace, FileState, FileSystem } from "../block/ports.ts";
import type { RecordedChange, StoredState } from "../run/events.ts";
import type { ChangesFound } from "../run/interruption.ts";
import type { RunState } from "../run/state.ts";

/**
 * How the files are found of blocks that had announced changes when their engine died. What was left of a change that was being
 * made is removed first.
 */
export async function findChanges({ nodes }: RunState, files: FileSystem): Promise<ReadonlyMap<string, ChangesFound>> {
  const found = new Map<string, ChangesFound>();
  for (const { path, stage, fileChange } of nodes.values()) {
    if (stage.kind !== "running" || fileChange === undefined) continue;
    for (const change of fileChange.changes) if (change.kind === "write") await sweep(change, files);
    found.set(path, await judge(fileChange.changes, files));
  }
  return found;
}

async function sweep(change: RecordedChange & { kind: "write" }, files: FileSystem): Promise<void> {
  const { root, path } = change.place;
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  await files.remove({ root, path: directory + change.temporary });
}

/** Changes are made in order, so those that are not made come last; such a block finds the others made when it runs again. */
async function judge(changes: readonly RecordedChange[], files: FileSystem): Promise<ChangesFound> {
  let unmade = false;
  for (const change of changes) {
    const { isMade, isUnmade } = await look(change, files);
    if (!isMade && !isUnmade) return "unclear";
    if (unmade && !isUnmade) return "unclear";
    unmade ||= !isMade;
  }
  return unmade ? "unmade" : "made";
}

/** Both when the change changes nothing. */
interface Found {
  readonly isMade: boolean;
  readonly isUnmade: boolean;
}

async function look(change: RecordedChange, files: FileSystem): Promise<Found> {
  switch (change.kind) {
    case "write": {
      const now = await stateOf(change.place, files);
      const after: StoredState = { kind: "file", ...change.after };
      return { isMade: isSame(now, after), isUnmade: isSame(now, change.before) };
    }
    case "remove": {
      const now = await stateOf(change.place, files);
      return { isMade: now?.kind === "missing", isUnmade: isSame(now, change.before) };
    }
    case "make-directory": {
      const now = await stateOf(change.place, files);
      return { isMade: now?.kind === "directory", isUnmade: now?.kind === "missing" };
    }
    case "rename": {
      const from = await files.look(change.from);
      if ("message" in from) return { isMade: false, isUnmade: false };
      const to = await stateOf(change.to, files);
      const isMade = from.kind === "missing" && to !== undefined && to.kind !== "missing";
      return { isMade, isUnmade: from.kind !== "missing" && isSame(to, change.replaced) };
    }
  }
}

/** Nothing when it can't be told. */
async function stateOf(place: FilePlace, files: FileSystem): Promise<StoredState | undefined> {
  const state: FileState | { readonly message: string } = await files.look(place);
  if ("message" in state || state.kind === "other") return undefined;
  if (state.kind !== "file") return state;
  const hashed = await files.hash(place);
  return "message" in hashed ? undefined : { kind: "file", ...hashed };
}

function isSame(one: StoredState | undefined, other: StoredState): boolean {
  if (one === undefined || one.kind !== other.kind) return false;
  if (one.kind === "file" && other.kind === "file") return one.sha256 === other.sha256 && one.mode === other.mode;
  return one.kind !== "link" || other.kind !== "link" || one.target === other.target;
}
