import type { PageUndo, PageUndoFile } from "../../views/page/act-records.ts";
import type { BlockCard } from "../../views/page/page-records.ts";
import { plural } from "../look/format.ts";

/** What becomes of a file that was changed since. */
export type OnConflict = "keep" | "merge" | "force";

/** What was chosen for all of them, and for some instead. */
export interface Choices {
  readonly all: OnConflict;
  readonly of: Readonly<Record<string, OnConflict>>;
}

export function choiceFor({ path }: PageUndoFile, { all, of }: Choices): OnConflict {
  return of[path] ?? all;
}

export interface UndoGroups {
  readonly conflicts: readonly PageUndoFile[];
  readonly restored: readonly PageUndoFile[];
  readonly removed: readonly PageUndoFile[];
  /** As before already. */
  readonly already: readonly PageUndoFile[];
  readonly lost: readonly LostEffect[];
  /** Names of the blocks that ran and left nothing to take back. */
  readonly untouched: readonly string[];
}

export interface LostEffect {
  /** A block, or a path. */
  readonly what: string;
  readonly why: string;
}

/** Those that are lost for the same reason, together: the fewest first, which tell most. */
export function groupLost(
  lost: readonly LostEffect[],
): readonly { readonly why: string; readonly all: readonly string[] }[] {
  const byReason = new Map<string, string[]>();
  for (const { what, why } of lost) byReason.set(why, [...(byReason.get(why) ?? []), what]);
  return [...byReason].map(([why, all]) => ({ why, all })).sort((one, other) => one.all.length - other.all.length);
}

export function groupUndo(undo: PageUndo, blocks: readonly BlockCard[]): UndoGroups {
  const { files, irreversible = [], not_captured: uncaught = [], compensations = [], moves = [], refs = [] } = undo;
  const found = (what: PageUndoFile["found"]): readonly PageUndoFile[] => files.filter((file) => file.found === what);
  const restorable = found("restorable");
  const touching = [
    ...[...files, ...moves, ...refs].flatMap(({ by }) => by),
    ...[...irreversible, ...compensations].map(({ block }) => block),
  ];
  const touched = new Set(touching.map(firstStep));
  return {
    conflicts: found("conflict"),
    restored: restorable.filter(({ undo: word }) => word !== "removed"),
    removed: restorable.filter(({ undo: word }) => word === "removed"),
    already: found("already"),
    lost: [
      ...irreversible.map(({ block, why }) => ({ what: block, why })),
      ...uncaught.map(({ path, why }) => ({ what: path, why })),
      ...found("not-kept").map(({ path }) => ({ what: path, why: "what it held was not kept" })),
    ],
    untouched: blocks
      .filter(({ standing, address }) => hasRun.includes(standing) && !touched.has(firstStep(address)))
      .map(({ name }) => name),
  };
}

const hasRun: readonly BlockCard["standing"][] = ["done", "failed", "handled", "crashed"];

/** The block of the run itself that something lies in, whichever attempt of it. */
function firstStep(address: string): string {
  return (address.split("/")[0] ?? "").split("@")[0] ?? "";
}

/** How many files it takes back, of how many it could. */
export function countUndone({ conflicts, restored, removed }: UndoGroups, choices: Choices): [number, number] {
  const all = filesIn(restored) + filesIn(removed) + filesIn(conflicts);
  return [all - filesIn(conflicts.filter((file) => choiceFor(file, choices) === "keep")), all];
}

function filesIn(entries: readonly PageUndoFile[]): number {
  return entries.filter(({ kind }) => kind !== "directory").length;
}

/** `3 files and 1 directory`. */
function countEntries(entries: readonly PageUndoFile[], before = ""): string {
  const files = filesIn(entries);
  const directories = entries.length - files;
  return [
    ...(files > 0 ? [plural(files, `${before}file`)] : []),
    ...(directories > 0 ? [plural(directories, `${before}directory`, `${before}directories`)] : []),
  ].join(" and ");
}

/** What it will do, in a sentence or two. */
export function sayUndo(undo: PageUndo, groups: UndoGroups, choices: Choices): string {
  if (undo.nothing !== undefined) return `There is nothing to undo: ${undo.nothing}.`;
  const { conflicts, restored, removed, lost } = groups;
  const { compensations = [], moves = [], refs = [] } = undo;
  const parts = [
    restored.length > 0 &&
      `${countEntries(restored)} ${goes(restored.length)} back to how ${restored.length === 1 ? "it was" : "they were"}`,
    removed.length > 0 && `${countEntries(removed, "new ")} ${removed.length === 1 ? "is" : "are"} removed`,
    moves.length > 0 &&
      `${plural(moves.length, "directory", "directories")} ${goes(moves.length)} back to where ${moves.length === 1 ? "it was" : "they were"}`,
    refs.length > 0 && `${plural(refs.length, "git ref")} ${goes(refs.length)} back`,
    compensations.length > 0 &&
      `${plural(compensations.length, "block")} ${compensations.length === 1 ? "undoes itself" : "undo themselves"}`,
  ].filter((part) => part !== false);
  const first = parts.join(", ");
  const since = (Object.keys(becomes) as OnConflict[]).map((choice) => {
    const chosen = conflicts.filter((file) => choiceFor(file, choices) === choice);
    return chosen.length > 0 && `${countEntries(chosen)} changed since ${becomes[choice][chosen.length === 1 ? 0 : 1]}`;
  });
  const left = lost.length > 0 && `${plural(lost.length, "effect")} can't be undone`;
  return [first, ...since, left]
    .filter((part): part is string => part !== false && part !== "")
    .map((part) => `${part}.`)
    .join(" ");
}

function goes(count: number): string {
  return count === 1 ? "goes" : "go";
}

const becomes: Readonly<Record<OnConflict, readonly [one: string, several: string]>> = {
  keep: ["stays as it is", "stay as they are"],
  merge: ["is merged, if other lines were changed", "are merged, where other lines were changed"],
  force: ["loses what was changed since", "lose what was changed since"],
};
