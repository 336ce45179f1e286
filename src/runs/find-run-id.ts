import { nearestName } from "../diagnostic/did-you-mean.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { runOfCheckpoint } from "../engine/ids.ts";
import type { Journal } from "../journal/journal.ts";
import { err, ok, type Result } from "../util/result.ts";
import { eachRun } from "./each-run.ts";
import type { Platform } from "./platform.ts";

const runPrefix = "run_";
const mostNamed = 5;

/**
 * The run a person means: by its id, the beginning of its id if no other begins so (`run_` may be left out), the id of one of its
 * checkpoints, or `last` for the newest of this directory: that of another may be somebody else's.
 */
export async function findRunId(platform: Platform, text: string, directory = "."): Promise<Result<string, Problem>> {
  const journal = await platform.journal();
  if (text === "last") return findLast(platform, journal, directory);
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

async function findLast(platform: Platform, journal: Journal, directory: string): Promise<Result<string, Problem>> {
  const here = platform.realDirectory(directory);
  for await (const { runId, workspace } of eachRun(journal, {}))
    if (here.ok && workspace === here.value) return ok(runId);
  return err(problem("unknown-run", "No run has been started in this directory.", "See `frond runs` for all of them."));
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
