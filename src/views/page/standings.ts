import type { BlockStatus } from "../run-tree.ts";
import { type PageStanding, type StandingCounts, type Strip, standingLetters } from "./page-records.ts";

/** How the page words what the other doors say of a block. */
export const standingOfStatus: Readonly<Record<BlockStatus, PageStanding>> = {
  success: "done",
  pending: "to_come",
  skipped: "skipped",
  running: "running",
  paused: "asks",
  sleeping: "sleeping",
  interrupted: "interrupted",
  failure: "failed",
  timeout: "failed",
  cancelled: "cancelled",
  crashed: "crashed",
};

/** What needs somebody to look comes first. */
const byNeed: readonly PageStanding[] = [
  "crashed",
  "failed",
  "asks",
  "interrupted",
  "running",
  "sleeping",
  "cancelled",
  "handled",
  "to_come",
  "done",
  "skipped",
  "undone",
];

const needs = new Map(byNeed.map((standing, index) => [standing, index]));

/** How much somebody has to look at it: 0 is most. */
export function needOf(standing: PageStanding): number {
  return needs.get(standing) as number;
}

/** Whether it did not go well, and says why. */
export function isFailure(standing: PageStanding): boolean {
  return standing === "failed" || standing === "crashed" || standing === "handled";
}

export function countStandings(standings: readonly PageStanding[]): StandingCounts {
  const counts: { -readonly [Standing in PageStanding]?: number } = {};
  for (const standing of standings) counts[standing] = (counts[standing] ?? 0) + 1;
  return counts;
}

export function wholeStrip(standings: readonly PageStanding[]): Strip {
  return standings.map((standing) => standingLetters[standing]).join("");
}

const mostLetters = 40;

/** Of more than there is room for, each letter is that of the worst among several. */
export function shortStrip(standings: readonly PageStanding[]): Strip {
  if (standings.length <= mostLetters) return wholeStrip(standings);
  return wholeStrip(
    Array.from({ length: mostLetters }, (_, letter) => {
      const part = standings.slice(
        Math.floor((letter * standings.length) / mostLetters),
        Math.floor(((letter + 1) * standings.length) / mostLetters),
      );
      return part.reduce((worst, one) => (needOf(one) < needOf(worst) ? one : worst));
    }),
  );
}
