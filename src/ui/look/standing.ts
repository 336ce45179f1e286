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

/** The same for a whole run, where the word stands alone. */
export const runWords: Readonly<Record<PageStanding, string>> = {
  done: "Succeeded",
  running: "Running",
  failed: "Failed",
  handled: "Failed, handled",
  crashed: "Could not run",
  asks: "Waits for an answer",
  interrupted: "Interrupted",
  sleeping: "Sleeping",
  skipped: "Skipped",
  to_come: "To come",
  cancelled: "Cancelled",
  undone: "Undone",
};

/** Whether nothing more comes of it by itself, and nobody is waited for. */
export function isOver(standing: PageStanding): boolean {
  return !["running", "asks", "interrupted", "sleeping", "to_come"].includes(standing);
}

const letters: ReadonlyMap<PageStanding, string> = new Map(
  Object.entries(byLetter).map(([letter, standing]) => [standing, letter]),
);

/** The letter of a strip that stands for it. */
export function letterOf(standing: PageStanding): string {
  return letters.get(standing) ?? ".";
}
