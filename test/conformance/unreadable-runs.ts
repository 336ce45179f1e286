import type { Journal } from "../../src/journal/journal.ts";
import type { Platform } from "../../src/runs/platform.ts";
import type { RunHost } from "../../src/runs/run-host.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";

/** The same outside, where the record of any run of one workflow can't be read back. */
export function withUnreadableRuns(platform: Platform, workflow: string): Platform {
  const read = async (journal: Journal, runId: string, after?: number): ReturnType<Journal["read"]> => {
    if ((await journal.find(runId))?.workflow === workflow) throw unreadable();
    return journal.read(runId, after);
  };
  return {
    ...platform,
    async journal() {
      const journal = await platform.journal();
      return decorateJournal(journal, ({ name, given, perform }) =>
        name === "read" ? read(journal, ...(given as Parameters<Journal["read"]>)) : perform(),
      );
    },
  };
}

/** A run that has just ended is still in memory for a moment, and nobody knows how long that is: there it can't be looked at either. */
export function hideEndedRuns(host: RunHost, workflow: string): void {
  const take = host.take.bind(host);
  host.take = (run, audience) => {
    const inspect = run.inspect.bind(run);
    run.inspect = async (look) => {
      const { seen, isHidden } = await inspect((state) => {
        return { seen: look(state), isHidden: state.finished !== undefined && state.started.workflow === workflow };
      });
      if (isHidden) throw unreadable();
      return seen;
    };
    return take(run, audience);
  };
}

function unreadable(): Error {
  return new Error("The record of this run can't be read.");
}
