import { type Problem, problem } from "../diagnostic/problem.ts";
import { isQuestionId, runOfCheckpoint } from "../engine/ids.ts";
import type { RunSummary } from "../journal/journal.ts";
import { err, ok, type Result } from "../util/result.ts";
import { unknownCheckpoint } from "./answer-question.ts";
import { endedAlready } from "./take-over.ts";

/** The question of a run that an answer is for, given what was named: the question itself, or the run, which asks only one thing. */
export function chooseQuestion({ runId, questions, finishedAt }: RunSummary, named: string): Result<string, Problem> {
  if (isQuestionId(named)) return runOfCheckpoint(named) === runId ? ok(named) : err(unknownCheckpoint(named));
  const [first, ...others] = questions.map(({ id }) => id);
  if (finishedAt !== null) return err(endedAlready(runId));
  if (first === undefined) {
    return err(problem("no-question", `${runId} asks nothing.`, { kind: "give-no-answer", runId }));
  }
  if (others.length === 0) return ok(first);
  const message = `${runId} asks ${questions.length} questions, and the answer does not say which.`;
  return err(problem("which-question", message, { kind: "choose-question", checkpointIds: [first, ...others] }));
}
