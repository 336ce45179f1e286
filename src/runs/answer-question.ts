import { isDeepStrictEqual } from "node:util";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { checkQuestionAnswer } from "../engine/check-question-answer.ts";
import { runOfCheckpoint } from "../engine/ids.ts";
import { questionOf } from "../engine/run-node.ts";
import type { KeptAnswer, RunState } from "../engine/state.ts";
import type { Value } from "../expression/value.ts";
import type { Journal, RunRequest } from "../journal/journal.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { DrivenRun } from "./driven-run.ts";
import { isHeld, readRun, unreadableCode } from "./read-run.ts";
import type { Runtime } from "./runtime.ts";
import { drivenElsewhereCode, type TakeOverOptions, takeOver } from "./take-over.ts";

type RunAnswer = Extract<RunRequest, { kind: "answer" }>;

export interface Answer {
  readonly value: Value;
  /** Who answers: `terminal`, `command line`, `model`, ... */
  readonly by: string;
  /** Whether a person gives it, as far as can be known. */
  readonly isHuman: boolean;
}

export type Answered =
  /** This process goes on with the run; with the answer of somebody who was faster, if there is one. */
  | { readonly kind: "driven"; readonly run: DrivenRun; readonly kept?: KeptAnswer }
  /** The process that drives the run has been told. */
  | { readonly kind: "posted"; readonly runId: string }
  /** It had an answer already; nothing has changed. */
  | { readonly kind: "answered-before"; readonly runId: string; readonly kept: KeptAnswer };

/** Answers a question of any run, whoever drives it; a run that waits is taken over and goes on here. */
export async function answerQuestion(
  runtime: Runtime,
  questionId: string,
  answer: Answer,
  options: TakeOverOptions,
): Promise<Result<Answered, Problem>> {
  const { platform, workflows } = runtime;
  const runId = runOfCheckpoint(questionId);
  if (runId === undefined) return err(unknownCheckpoint(questionId));
  const journal = await platform.journal();
  for (;;) {
    const read = await readRun(platform, workflows.catalog, runId);
    if (!read.ok) return read.error.code === unreadableCode ? read : err(unknownCheckpoint(questionId));
    const { state, summary } = read.value;
    const refused = refuseAudience(state, questionId, answer);
    if (refused !== undefined) return err(refused);
    const checked = checkQuestionAnswer(state, questionId, answer.value);
    if (!checked.ok) return err(problem("answer-refused", checked.error));
    if (checked.value.kind === "answered-before")
      return ok({ kind: "answered-before", runId, kept: checked.value.kept });
    if (isHeld(summary, platform)) {
      const request = { kind: "answer", questionId, answer: answer.value, by: answer.by } as const;
      if (!(await journal.post(runId, summary.fence, request))) continue;
      const kept = await earlierAnswer(journal, runId, request);
      return ok(kept === undefined ? { kind: "posted", runId } : { kind: "answered-before", runId, kept });
    }
    const taken = await takeOver(runtime, runId, options);
    if (taken.ok) {
      const answered = await taken.value.answer(questionId, answer.value, answer.by);
      if (!answered.ok) return err(problem("answer-refused", answered.error));
      return ok({ kind: "driven", run: taken.value, ...defined({ kept: answered.value }) });
    }
    // Somebody was faster: they are to be told, or the run has ended meanwhile.
    if (taken.error.code !== drivenElsewhereCode) return taken;
  }
}

/** Of two answers that wait for the process that drives the run, the journal keeps the first. */
async function earlierAnswer(
  journal: Journal,
  runId: string,
  { questionId, answer, by }: RunAnswer,
): Promise<KeptAnswer | undefined> {
  for (const { request } of await journal.requests(runId)) {
    if (request.kind !== "answer" || request.questionId !== questionId) continue;
    const isOwn = request.by === by && isDeepStrictEqual(request.answer, answer);
    return isOwn ? undefined : { value: request.answer, by: request.by };
  }
  return undefined;
}

function refuseAudience(state: RunState, questionId: string, { isHuman }: Answer): Problem | undefined {
  const node = state.questions.get(questionId);
  if (isHuman || node === undefined || questionOf(node)?.question.audience !== "human") return undefined;
  return problem("needs-a-person", `'${node.path}' asks a person, and this answer does not come from a person.`, {
    kind: "let-person-answer",
    checkpointId: questionId,
    workspace: state.started.workspace,
  });
}

export function unknownCheckpoint(id: string): Problem {
  return problem("unknown-checkpoint", `There is no checkpoint '${id}'.`, { kind: "list-checkpoints" });
}
