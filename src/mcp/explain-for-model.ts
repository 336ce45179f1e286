import type { Diagnostic } from "../diagnostic/diagnostic.ts";

/** What to call next, where the words for a person at a terminal would send a model to the wrong place. */
const nextCalls: Readonly<Record<string, string>> = {
  "unknown-checkpoint": "Call list_checkpoints for those there are.",
  "unknown-run": "Call list_runs for those there are.",
  "ambiguous-run": "Call list_runs and give the whole run_id.",
  "untrusted-workflow":
    "A person has to look at the project's workflows and run `frond trust` in its directory; no tool can do that. Tell them.",
  "unreadable-run":
    "Every other run works. Call cancel_run to end this one, or tell a person: another version of Frond, or a copy of the journal, may have it.",
  "run-ended": "Call get_run for its result, or execute_workflow for a new run.",
};

/** The same problem with advice that fits a model. */
export function explainForModel(diagnostic: Diagnostic): Diagnostic {
  const fix = nextCalls[diagnostic.code];
  return fix === undefined ? diagnostic : { ...diagnostic, fix };
}
