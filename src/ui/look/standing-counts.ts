import type { PageStanding, StandingCounts } from "../../views/page/page-records.ts";
import { standingOrder, standingWords } from "./standing.ts";

export function countStandings(standings: Iterable<PageStanding>): StandingCounts {
  const counts: Partial<Record<PageStanding, number>> = {};
  for (const standing of standings) counts[standing] = (counts[standing] ?? 0) + 1;
  return counts;
}

/** How many stand how, those first that need somebody: a figure and a word for each. */
export function wordCounts(counts: StandingCounts): readonly (readonly [PageStanding, count: string, word: string])[] {
  return standingOrder.flatMap((standing) => {
    const count = counts[standing] ?? 0;
    return count === 0 ? [] : [[standing, count.toLocaleString("en-GB"), standingWords[standing]] as const];
  });
}

export function describeCounts(counts: StandingCounts): string {
  return wordCounts(counts)
    .map(([, count, word]) => `${count} ${word}`)
    .join(", ");
}
