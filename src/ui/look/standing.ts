import type { PageStanding } from "../../views/page/page-records.ts";

/** A word for each way to stand: status is never told by colour alone. */
export const standingWords: Readonly<Record<PageStanding, string>> = {
  done: "done",
  running: "running",
  failed: "failed",
  handled: "failed, handled",
  crashed: "could not run",
  asks: "asks",
  interrupted: "interrupted",
  sleeping: "sleeping",
  skipped: "skipped",
  to_come: "to come",
  cancelled: "cancelled",
  undone: "undone",
};

/** Those that need somebody first. */
export const standingOrder: readonly PageStanding[] = [
  "asks",
  "failed",
  "crashed",
  "interrupted",
  "running",
  "sleeping",
  "handled",
  "cancelled",
  "undone",
  "done",
  "skipped",
  "to_come",
];

const byLetter: Readonly<Record<string, PageStanding>> = {
  d: "done",
  r: "running",
  f: "failed",
  h: "handled",
  x: "crashed",
  a: "asks",
  i: "interrupted",
  s: "sleeping",
  k: "skipped",
  ".": "to_come",
  c: "cancelled",
  u: "undone",
};

/** What a letter of a strip stands for. */
export function standingOf(letter: string): PageStanding {
  return byLetter[letter] ?? "to_come";
}
