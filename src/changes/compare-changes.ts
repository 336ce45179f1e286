import type { FileState, FileSystem, RootedPath } from "../block/ports.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { digestNames, type Effect, effectsOf, isSameState } from "./effects.ts";
import type { EntryState, RecordedChange } from "./recorded-change.ts";

/**
 * How the files are found of changes that were recorded together: as after all of them, as before the first or before the rest of
 * them, or otherwise, because somebody else has changed them. Only what is made can be taken back.
 */
export type ChangesFound = "made" | "unmade" | "unclear";

/** Changes are made in order, so there is a number of them after which everything is as it is now, or somebody else was there. */
export async function compareChanges(changes: readonly RecordedChange[], files: FileSystem): Promise<ChangesFound> {
  const all = changes.length;
  const histories = historiesOf(changes);
  /** How many more paths fit, or fewer, after this many changes than after one less. */
  const gained = new Array<number>(all + 2).fill(0);
  for (const { at, stages } of histories) {
    const states = stages.map(({ state }) => state);
    const now = await stateAt(at, files, states);
    if (now === undefined) return "unclear";
    for (const [index, { state, since }] of stages.entries()) {
      if (!isSameState(now, state)) continue;
      gained[since] = (gained[since] as number) + 1;
      const until = stages[index + 1]?.since ?? all + 1;
      gained[until] = (gained[until] as number) - 1;
    }
  }
  let fitting = 0;
  const fits = gained.slice(0, all + 1).map((more) => {
    fitting += more;
    return fitting === histories.length;
  });
  if (fits[all]) return "made";
  return fits.includes(true) ? "unmade" : "unclear";
}

/** What a path is in turn, each from that many changes on. */
interface History {
  readonly at: RootedPath;
  readonly stages: { readonly state: EntryState; readonly since: number }[];
}

function historiesOf(changes: readonly RecordedChange[]): readonly History[] {
  const histories = new Map<string, History>();
  for (const [index, change] of changes.entries()) {
    for (const { at, before, after } of effectsOf(change)) {
      const path = absolutePath(at);
      const history = histories.get(path) ?? { at, stages: [{ state: before, since: 0 }] };
      history.stages.push({ state: after, since: index + 1 });
      histories.set(path, history);
    }
  }
  return [...histories.values()];
}

/**
 * How many of the changes, from the first on, were made for certain: one that was recorded later found its place as after them. Those
 * before it were made too.
 */
export function countFoundMade(changes: readonly RecordedChange[], later: readonly RecordedChange[]): number {
  const found = new Map<string, EntryState[]>();
  for (const { at, before } of later.flatMap(effectsOf)) {
    const path = absolutePath(at);
    found.set(path, [...(found.get(path) ?? []), before]);
  }
  const isFoundMade = ({ at, before, after }: Effect): boolean =>
    (found.get(absolutePath(at)) ?? []).some((state) => isSameState(state, after) && !isSameState(state, before));
  return changes.findLastIndex((change) => effectsOf(change).some(isFoundMade)) + 1;
}

/** Whether a path is as it was left. */
export async function isAsLeft(at: RootedPath, left: EntryState, files: FileSystem): Promise<boolean> {
  const now = await stateAt(at, files, [left]);
  if (now === undefined || !isSameState(now, left)) return false;
  if (left.kind !== "directory" || left.names === undefined) return true;
  const names = await files.list(at);
  return !("message" in names) && digestNames(names) === left.names;
}

/** Which of the states that a path was in is the one it is in now, the latest that fits; nothing when somebody else was there. */
export async function findStage(
  at: RootedPath,
  stages: readonly EntryState[],
  files: FileSystem,
): Promise<EntryState | undefined> {
  const now = await stateAt(at, files, stages);
  return now === undefined ? undefined : stages.findLast((stage) => isSameState(now, stage));
}

/** Nothing when it can't be told, or is none of the expected. */
async function stateAt(
  at: RootedPath,
  files: FileSystem,
  expected: readonly EntryState[],
): Promise<EntryState | undefined> {
  const state: FileState | { readonly message: string } = await files.look(at);
  if ("message" in state || state.kind === "other") return undefined;
  // Reading a large file takes long, and its size and mode often tell enough.
  const alike = expected.filter((one) => isSameState(state, one));
  if (alike.length === 0) return undefined;
  if (alike.every((one) => one.kind !== "file" || one.sha256 === undefined)) return state;
  const hashed = await files.hash(at);
  return "message" in hashed ? undefined : { kind: "file", ...hashed };
}
