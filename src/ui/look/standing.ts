import type { PageStanding } from "../../views/page/page-records.ts";

/**
 * All ways to stand, those first that need somebody: the letter of a strip, a word, since status is never told by colour alone, and the word for a
 * whole run where that is another one.
 */
const standings: readonly (readonly [PageStanding, letter: string, word: string, runWord?: string])[] = [
  ["asks", "a", "asks", "waits for an answer"],
  ["failed", "f", "failed"],
  ["crashed", "x", "could not run"],
  ["interrupted", "i", "interrupted"],
  ["running", "r", "running"],
  ["sleeping", "s", "sleeping"],
  ["handled", "h", "failed, handled"],
  ["cancelled", "c", "cancelled"],
  ["undone", "u", "undone"],
  ["done", "d", "done", "succeeded"],
  ["skipped", "k", "skipped"],
  ["to_come", ".", "to come"],
];

export const standingOrder: readonly PageStanding[] = standings.map(([standing]) => standing);

export const standingWords: Readonly<Record<PageStanding, string>> = wordsOf((_, word) => word);

/** The same for a whole run, where the word stands alone. */
export const runWords: Readonly<Record<PageStanding, string>> = wordsOf((_, word, runWord = word) =>
  capitalise(runWord),
);

const letters: Readonly<Record<PageStanding, string>> = wordsOf((letter) => letter);

function wordsOf(
  choose: (letter: string, word: string, runWord?: string) => string,
): Readonly<Record<PageStanding, string>> {
  return Object.fromEntries(standings.map(([standing, ...words]) => [standing, choose(...words)])) as Record<
    PageStanding,
    string
  >;
}

export function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const byLetter: ReadonlyMap<string, PageStanding> = new Map(standings.map(([standing, letter]) => [letter, standing]));

/** What a letter of a strip stands for. */
export function standingOf(letter: string): PageStanding {
  return byLetter.get(letter) ?? "to_come";
}

/** The letter of a strip that stands for it. */
export function letterOf(standing: PageStanding): string {
  return letters[standing];
}

/** Whether nothing more comes of it by itself, and nobody is waited for. */
export function isOver(standing: PageStanding): boolean {
  return !["running", "asks", "interrupted", "sleeping", "to_come"].includes(standing);
}
