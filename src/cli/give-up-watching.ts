import { problem } from "../diagnostic/problem.ts";
import { exitCodes } from "./context.ts";
import { refuse } from "./print-diagnostics.ts";
import type { Terminal } from "./terminal.ts";
import { cleanLine } from "./text/visible-text.ts";

export function sayAway(runId: string, why: string): string {
  return cleanLine(`${runId} can't be watched for now: ${why} It is waited for; the run itself goes on.`);
}

/** Says that nothing is known of the run, which others drive. The answer is the exit code. */
export function giveUpWatching(runId: string, failure: Error, json: boolean, terminal: Terminal): number {
  const fix = `The run goes on without being watched. Watch it again with: frond attach ${runId}`;
  refuse([problem("journal-busy", failure.message, fix)], json, terminal);
  return exitCodes.unwatched;
}
