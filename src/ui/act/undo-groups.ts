import type { OnConflict, PageUndo, PageUndoFile } from "../../views/page/act-records.ts";
import { plural } from "../look/format.ts";

/** What was chosen for all files that were changed since, and for some instead. */
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
  const since = undo.choices.map(({ choice, becomes: [one, several] }) => {
    const chosen = conflictsOf(undo).filter((file) => choiceFor(file, choices) === choice);
    return chosen.length > 0 && `${countEntries(chosen)} changed since ${chosen.length === 1 ? one : several}.`;
  });
  return [undo.says, ...since, undo.left].filter(Boolean).join(" ");
}

/** `3 files and 1 directory`. */
function countEntries(entries: readonly PageUndoFile[]): string {
  const directories = entries.filter(({ kind }) => kind === "directory").length;
  const files = entries.length - directories;
  return [files > 0 && plural(files, "file"), directories > 0 && plural(directories, "directory", "directories")]
    .filter(Boolean)
    .join(" and ");
}
