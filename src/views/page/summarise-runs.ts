import type { PageStanding, StandingCounts } from "./page-records.ts";

const ended: readonly PageStanding[] = ["done", "failed", "crashed", "handled", "cancelled", "undone"];

/** The list in a sentence or two: who is waited for first. */
export function summariseRuns(counts: StandingCounts, today: StandingCounts): string {
  const of = (...standings: readonly PageStanding[]): number =>
    standings.reduce((sum, standing) => sum + (counts[standing] ?? 0), 0);
  const parts = [
    count(of("asks"), "waits for an answer", "wait for an answer"),
    count(of("interrupted"), "was interrupted", "were interrupted"),
    count(of("running"), "is running", "are running"),
    count(of("sleeping"), "sleeps", "sleep"),
  ].filter((part) => part !== undefined);
  const endedToday = ended.reduce((sum, standing) => sum + (today[standing] ?? 0), 0);
  const succeeded = today.done ?? 0;
  return [
    parts.length === 0 ? "Nothing runs, and nobody is waited for." : `${parts.join(", ")}.`,
    endedToday === 0
      ? "None of today has ended."
      : endedToday === succeeded
        ? `${endedToday === 1 ? "The one" : `All ${endedToday}`} of today that ended succeeded.`
        : `Of the ${endedToday} of today that ended, ${succeeded} succeeded.`,
  ].join(" ");
}

function count(number: number, one: string, many: string): string | undefined {
  return number === 0 ? undefined : `${number} ${number === 1 ? one : many}`;
}
