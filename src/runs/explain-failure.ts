import { type Problem, problem } from "../diagnostic/problem.ts";
import { JournalError } from "../journal/journal.ts";
import { RunLost, RunStopped } from "./driven-run.ts";

/** What the outside kept a use case from doing, as a problem its user can act on. Nothing for what is a bug. */
export function explainFailure(error: unknown): Problem | undefined {
  if (error instanceof JournalError) {
    const fix = error.code === "damaged-run" ? "Restore the journal from a copy. No other run is affected." : undefined;
    return problem(`journal-${error.code}`, error.message, fix);
  }
  if (error instanceof RunLost) return problem("run-lost", error.message);
  return error instanceof RunStopped ? problem("run-stopped", error.message) : undefined;
}
