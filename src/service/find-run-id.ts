import { nearestName } from "../diagnostic/did-you-mean.ts";
import { runOfCheckpoint } from "../run/ids.ts";
import { err, ok, type Result } from "../util/result.ts";
import { eachRun } from "./each-run.ts";
import type { Outside } from "./outside.ts";
import { type Problem, problem } from "./problem.ts";

const runPrefix = "run_";
const mostNamed = 5;

/**
 * The run a person means: by its id, the beginning of its id if no other begins so (`run_` may be left out), the id of one of its
 * checkpoints, or `last` for the newest of all.
 */
export async function findRunId(outside: Outside, text: string): Promise<Result<string, Problem>> {
  const journal = await outside.journal();
  if (text === "last") {
    const [newest] = await journal.list({ limit: 1 });
    return newest === undefined ? err(noRuns(text)) : ok(newest.runId);
  }
  const exact = runOfCheckpoint(text) ?? text;
  if ((await journal.find(exact)) !== undefined) return ok(exact);
  const beginning = text.startsWith(runPrefix) ? text : runPrefix + text;
  const ids: string[] = [];
  for await (const { runId } of eachRun(journal, {})) ids.push(runId);
  if (ids.length === 0) return err(noRuns(text));
  const matching = text === "" ? [] : ids.filter((id) => id.startsWith(beginning));
  const [first, second] = matching;
  if (first === undefined) return err(unknown(text, nearestName(beginning, ids)));
  return second === undefined ? ok(first) : err(ambiguous(text, matching));
}

function noRuns(text: string): Problem {
  return problem("unknown-run", `There is no run '${text}'.`, "There are no runs yet: start one with `frond run`.");
}

function unknown(text: string, nearest: string | undefined): Problem {
  const fix = nearest === undefined ? "See `frond runs`." : `Did you mean '${nearest}'? See \`frond runs\`.`;
  return problem("unknown-run", `There is no run '${text}'.`, fix);
}

/** Newest first, because that is the likeliest. */
function ambiguous(text: string, matching: readonly string[]): Problem {
  const more = matching.length > mostNamed ? `, and ${matching.length - mostNamed} more` : "";
  const named = matching.slice(0, mostNamed).join(", ");
  return problem("ambiguous-run", `'${text}' can mean ${matching.length} runs.`, `Say which: ${named}${more}.`);
}
