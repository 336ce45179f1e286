import type { PageUndo, PageUndoFile } from "../../views/page/act-records.ts";
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

export function conflictsOf({ files }: PageUndo): readonly PageUndoFile[] {
  return files.filter(({ found }) => found === "conflict");
}

/** How many files it takes back, of how many it could. */
export function countUndone({ files }: PageUndo, choices: Choices): [number, number] {
  const all = files.filter(
    ({ found, kind }) => kind !== "directory" && (found === "conflict" || found === "restorable"),
  );
  const kept = all.filter((file) => file.found === "conflict" && choiceFor(file, choices) === "keep");
  return [all.length - kept.length, all.length];
}

/** What it will do, in a sentence or two. */
export function sayUndo(undo: PageUndo, choices: Choices): string {
  const since = (Object.keys(becomes) as OnConflict[]).map((choice) => {
    const { length } = conflictsOf(undo).filter((file) => choiceFor(file, choices) === choice);
    return length > 0 && `${plural(length, "file")} changed since ${becomes[choice][length === 1 ? 0 : 1]}.`;
  });
  return [undo.says, ...since, undo.left].filter(Boolean).join(" ");
}

const becomes: Readonly<Record<OnConflict, readonly [one: string, several: string]>> = {
  keep: ["stays as it is", "stay as they are"],
  merge: ["is merged, if other lines were changed", "are merged, where other lines were changed"],
  force: ["loses what was changed since", "lose what was changed since"],
};
