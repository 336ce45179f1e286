import type { PathChange, RunChanges } from "../changes.ts";
import { countOf } from "./say-words.ts";

/** What people read of changed files beside the figures. */
export interface WordedChanges extends Omit<RunChanges, "changes"> {
  /** What an undo would do with them. */
  readonly says: string;
  readonly lines_added: number;
  readonly lines_removed: number;
  readonly changes: readonly WordedChange[];
}

interface WordedChange extends PathChange {
  /** What it is besides being changed, in a word each. */
  readonly tags: readonly string[];
  /** What its diff does not tell. */
  readonly notes: readonly string[];
}

export function wordChanges(read: RunChanges): WordedChanges {
  const { changes } = read;
  const sum = (what: "lines_added" | "lines_removed"): number =>
    changes.reduce((total, change) => total + (change[what] ?? 0), 0);
  return {
    ...read,
    says: sayCoverage(changes, read.not_captured?.length ?? 0),
    lines_added: sum("lines_added"),
    lines_removed: sum("lines_removed"),
    changes: changes.map((change) => ({ ...change, tags: tagsOf(change), notes: notesOf(change) })),
  };
}

function sayCoverage(changes: readonly PathChange[], lost: number): string {
  if (changes.length > 0 && changes.every(({ now }) => now === "as before")) return "Undone";
  const since = changes.filter(({ now }) => now === "changed since").length;
  const restored = changes.length - since;
  const later = since > 0 ? `${countOf(since, "file")} changed since` : "";
  if (restored === 0 && since > 0) return later;
  const all = since + lost > 0 ? `${restored} of ${changes.length + lost}` : restored === 1 ? "it" : `all ${restored}`;
  return [`Undo restores ${all}`, ...(later === "" ? [] : [later])].join(", ");
}

function tagsOf({ change, now }: PathChange): readonly string[] {
  const word = { created: "new", edited: "", deleted: "deleted", moved: "moved", mode: "mode" }[change];
  return [now ?? "", word].filter((tag) => tag !== "");
}

function notesOf({ from, mode_before, mode_after, no_diff, size_before, size_after }: PathChange): readonly string[] {
  const sizes =
    size_before === undefined && size_after === undefined
      ? ""
      : ` ${countOf(size_before ?? 0, "byte")} before, ${countOf(size_after ?? 0, "byte")} after.`;
  return [
    ...(from === undefined ? [] : [`moved from ${from}`]),
    ...(mode_after === undefined ? [] : [`mode ${mode_before} to ${mode_after}`]),
    ...(no_diff === undefined ? [] : [`No diff: ${no_diff}.${sizes}`]),
  ];
}
