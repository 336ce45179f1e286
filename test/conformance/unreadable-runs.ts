import type { Journal } from "../../src/journal/journal.ts";
import type { Platform } from "../../src/runs/platform.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";

/** The same outside, where the record of any run of one workflow can't be read back. */
export function withUnreadableRuns(platform: Platform, workflow: string): Platform {
  const read = async (journal: Journal, runId: string, after?: number): ReturnType<Journal["read"]> => {
    const run = await journal.find(runId);
    if (run?.workflow === workflow) throw new Error("The record of this run can't be read.");
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
