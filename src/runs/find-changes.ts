import { join } from "node:path";
import type { FilePlace, FileState, FileSystem } from "../block/ports.ts";
import type { RecordedChange, RunEvent, StoredState } from "../engine/events.ts";
import type { ChangesFound } from "../engine/interruption.ts";
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
    for (const change of fileChange.changes) if (change.kind === "write") await sweep(change, fileSystem);
  }
  const files = fileSystem.withSignal(signal);
  const found = new Map<string, ChangesFound>();
  for (const { path, fileChange } of announced) {
    const { changes } = fileChange;
    const later = events.slice(events.indexOf(fileChange) + 1).flatMap(changesOf);
    const made = changes.findLastIndex((change) => later.some((next) => isMadeBefore(next, change))) + 1;
    found.set(path, await judge(changes.slice(made), files));
  }
  return found;
}

function changesOf(event: RunEvent): readonly RecordedChange[] {
  return event.type === "file-changed" ? event.changes : [];
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
      const after: StoredState = { kind: "file", ...change.after };
      const now = await stateOf(change.place, files, [change.before, after]);
      return { isMade: isSame(now, after), isUnmade: isSame(now, change.before) };
    }
    case "remove": {
      const now = await stateOf(change.place, files, [change.before]);
      return { isMade: now?.kind === "missing", isUnmade: isSame(now, change.before) };
    }
    case "make-directory": {
      const now = await stateOf(change.place, files, []);
      return { isMade: now?.kind === "directory", isUnmade: now?.kind === "missing" };
    }
    case "rename": {
      const from = await files.look(change.from);
      if ("message" in from) return { isMade: false, isUnmade: false };
      if (from.kind === "missing") return { isMade: await isThere(change.to, files), isUnmade: false };
      const to = await stateOf(change.to, files, [change.replaced]);
      return { isMade: false, isUnmade: isSame(to, change.replaced) };
    }
  }
}

/** Whether a change that was announced later found this one made, by which those before it were made too. */
function isMadeBefore(later: RecordedChange, change: RecordedChange): boolean {
  const { place, state } = foundBy(later);
  switch (change.kind) {
    case "write": {
      const after: StoredState = { kind: "file", ...change.after };
      return isPlace(place, change.place) && isSame(state, after) && !isSame(change.before, after);
    }
    case "remove":
      return isPlace(place, change.place) && state.kind === "missing";
    case "make-directory":
      return isPlace(place, change.place) && state.kind === "directory";
    case "rename":
      if (isPlace(place, change.from)) return state.kind === "missing";
      return isPlace(place, change.to) && !isSame(state, change.replaced);
  }
}

/** What lay where a change was going to put or take something. */
function foundBy(change: RecordedChange): { readonly place: FilePlace; readonly state: StoredState } {
  switch (change.kind) {
    case "write":
    case "remove":
      return { place: change.place, state: change.before };
    case "make-directory":
      return { place: change.place, state: { kind: "missing" } };
    case "rename":
      return { place: change.to, state: change.replaced };
  }
}

function isPlace(one: FilePlace, other: FilePlace): boolean {
  return join(one.root, one.path) === join(other.root, other.path);
}

async function isThere(place: FilePlace, files: FileSystem): Promise<boolean> {
  const state: FileState | { readonly message: string } = await files.look(place);
  return !("message" in state) && state.kind !== "missing" && state.kind !== "other";
}

/** Nothing when it can't be told, or is none of the expected. */
async function stateOf(
  place: FilePlace,
  files: FileSystem,
  expected: readonly StoredState[],
): Promise<StoredState | undefined> {
  const state: FileState | { readonly message: string } = await files.look(place);
  if ("message" in state || state.kind === "other") return undefined;
  if (state.kind !== "file") return state;
  const { size } = state;
  // Reading a large file takes long, and its size often tells enough.
  if (!expected.some((one) => one.kind === "file" && one.size === size)) return undefined;
  const hashed = await files.hash(place);
  return "message" in hashed ? undefined : { kind: "file", ...hashed };
}

function isSame(one: StoredState | undefined, other: StoredState): boolean {
  if (one === undefined || one.kind !== other.kind) return false;
  if (one.kind === "file" && other.kind === "file") return one.sha256 === other.sha256 && one.mode === other.mode;
  return one.kind !== "link" || other.kind !== "link" || one.target === other.target;
}
