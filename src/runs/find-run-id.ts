import { nearestName } from "../diagnostic/did-you-mean.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { runOfCheckpoint } from "../engine/ids.ts";
import type { Journal, RunSummary } from "../journal/journal.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { unknownCheckpoint } from "./answer-question.ts";
import { eachRun } from "./each-run.ts";
import type { Platform } from "./platform.ts";

export const runPrefix = "run_";
const mostNamed = 5;

/**
 * The run a person means: by its id, the beginning of its id if no other begins so (`run_` may be left out), the id of one of its
 * checkpoints, or `last` for the newest of this directory: that of another may be somebody else's. What only takes another run back
 * is not meant by that: to undo the last thing done is not to do again what was just taken back.
 */
export async function findRunId(platform: Platform, text: string, directory = "."): Promise<Result<string, Problem>> {
  const journal = await platform.journal();
  if (text === "last") return findLast(platform, journal, directory);
  const exact = runOfCheckpoint(text) ?? text;
  if ((await journal.find(exact)) !== undefined) return ok(exact);
  if (exact !== text || /^(?:pause|chk)_/.test(text)) return err(unknownCheckpoint(text));
  const beginning = text.startsWith(runPrefix) ? text : runPrefix + text;
  const ids: string[] = [];
  for await (const { runId } of eachRun(journal, {})) ids.push(runId);
  if (ids.length === 0) return err(noRuns(text));
  const matching = text === "" ? [] : ids.filter((id) => id.startsWith(beginning));
  const [first, second] = matching;
  if (first === undefined) return err(unknown(text, nearestName(beginning, ids)));
  return second === undefined ? ok(first) : err(ambiguous(text, matching));
}

/** The run of a checkpoint, and of nothing else. */
export async function findRunOfCheckpoint(platform: Platform, id: string): Promise<Result<RunSummary, Problem>> {
  const runId = runOfCheckpoint(id);
  const found = runId === undefined ? undefined : await (await platform.journal()).find(runId);
  return found === undefined ? err(unknownCheckpoint(id)) : ok(found);
}

async function findLast(platform: Platform, journal: Journal, directory: string): Promise<Result<string, Problem>> {
  const here = platform.realDirectory(directory);
  for await (const { runId, workspace, undoOf } of eachRun(journal, {}))
    if (here.ok && workspace === here.value && undoOf === null) return ok(runId);
  return err(problem("unknown-run", "No run has been started in this directory.", { kind: "list-runs" }));
}

function noRuns(text: string): Problem {
  return problem("unknown-run", `There is no run '${text}'.`, { kind: "start-run" });
}

function unknown(text: string, nearest: string | undefined): Problem {
  const advice = { kind: "list-runs", ...defined({ nearest }) } as const;
  return problem("unknown-run", `There is no run '${text}'.`, advice);
}

/** Newest first, because that is the likeliest. */
function ambiguous(text: string, matching: readonly string[]): Problem {
  const { length: count } = matching;
  const advice = { kind: "choose-run", runIds: matching.slice(0, mostNamed), count } as const;
  return problem("ambiguous-run", `'${text}' can mean ${count} runs.`, advice);
}
