import type { Journal } from "../../src/journal/journal.ts";
import type { Platform } from "../../src/runs/platform.ts";
import type { RunHost } from "../../src/runs/run-host.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";

/** The same outside, where the record of any run of one workflow can't be read back; those of them that have ended are told. */
export function withUnreadableRuns(platform: Platform, workflow: string, ended: Set<string>): Platform {
  const isUnreadable = async (journal: Journal, runId: string): Promise<boolean> =>
    (await journal.find(runId))?.workflow === workflow;
  const read = async (journal: Journal, runId: string, after?: number): ReturnType<Journal["read"]> => {
    if (await isUnreadable(journal, runId)) throw new Error("The record of this run can't be read.");
    return journal.read(runId, after);
  };
  const append = async (journal: Journal, ...given: Parameters<Journal["append"]>): ReturnType<Journal["append"]> => {
    const [runId, , events] = given;
    const isEnd = events.some(({ type }) => type === "run-finished");
    if (isEnd && (await isUnreadable(journal, runId))) ended.add(runId);
    return journal.append(...given);
  };
  return {
    ...platform,
    async journal() {
      const journal = await platform.journal();
      return decorateJournal(journal, ({ name, given, perform }) => {
        if (name === "append") return append(journal, ...(given as Parameters<Journal["append"]>));
        return name === "read" ? read(journal, ...(given as Parameters<Journal["read"]>)) : perform();
      });
    },
  };
}

/** A run that has just ended is still in memory for a moment, and nobody knows how long that is. */
export function hideRuns(host: RunHost, ended: ReadonlySet<string>): void {
  const find = host.find.bind(host);
  host.find = (runId) => (ended.has(runId) ? undefined : find(runId));
}
