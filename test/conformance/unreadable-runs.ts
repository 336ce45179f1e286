import type { Journal } from "../../src/journal/journal.ts";
import type { Platform } from "../../src/runs/platform.ts";
import type { RunHost } from "../../src/runs/run-host.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";

/** The same outside, where the record of any run of one workflow can't be read back; those of them that have ended are told. */
export function withUnreadableRuns(platform: Platform, workflow: string, ended: Set<string>): Platform {
  const isUnreadable = async (journal: Journal, runId: string): Promise<boolean> =>
    (await journal.find(runId))?.workflow === workflow;
  const read = async (journal: Journal, runId: string, after?: number): ReturnType<Journal["read"]> => {
    if (await isUnreadable(journal, runId)) throw unreadable();
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

/**
 * A run that has just ended is still in memory for a moment, and nobody knows how long that is: it is not found there any more. Who
 * found it before can't look at it either, once it has ended.
 */
export function hideRuns(host: RunHost, ended: ReadonlySet<string>): void {
  const find = host.find.bind(host);
  host.find = (runId) => (ended.has(runId) ? undefined : find(runId));
  const take = host.take.bind(host);
  host.take = (run, audience) => {
    const inspect = run.inspect.bind(run);
    run.inspect = async (look) => {
      const seen = await inspect(look);
      if (ended.has(run.runId)) throw unreadable();
      return seen;
    };
    return take(run, audience);
  };
}

function unreadable(): Error {
  return new Error("The record of this run can't be read.");
}
