import { type Problem, problem } from "../diagnostic/problem.ts";
import { checkQuestionAnswer } from "../engine/check-question-answer.ts";
import { runOfCheckpoint } from "../engine/ids.ts";
import { questionOf } from "../engine/run-node.ts";
import type { KeptAnswer, RunState } from "../engine/state.ts";
import type { Value } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { DrivenRun } from "./driven-run.ts";
import { findFate } from "./first-answer.ts";
import { isHeld, readRun, unreadableCode } from "./read-run.ts";
import type { Runtime } from "./runtime.ts";
import { drivenElsewhereCode, endedCode, type TakeOverOptions, takeOver } from "./take-over.ts";

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
  /** It was taken, and another process goes on with the run; or has to be started for that, on a machine, if there is one here. */
  | { readonly kind: "posted"; readonly runId: string; readonly host?: string }
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
      const fate = await findFate(journal, runId, request, checked.value.value, state.sequence);
      if (fate.kind === "dropped") continue;
      return ok(
        fate.kind === "taken" ? { kind: "posted", runId } : { kind: "answered-before", runId, kept: fate.kept },
      );
    }
    const taken = await takeOver(runtime, runId, options, "to answer");
    if (taken.ok) {
      const run = taken.value;
      const answered = await run.answer(questionId, answer.value, answer.by);
      if (run.onlyRecords) await run.settled();
      if (!answered.ok) return err(problem("answer-refused", answered.error));
      const kept = answered.value;
      if (!run.onlyRecords) return ok({ kind: "driven", run, ...defined({ kept }) });
      const host = summary.queue === null ? (summary.host ?? undefined) : undefined;
      return ok(
        kept === undefined ? { kind: "posted", runId, ...defined({ host }) } : { kind: "answered-before", runId, kept },
      );
    }
    // Somebody was faster: they are to be told, or the run has gone on to its end with what they said.
    if (taken.error.code !== drivenElsewhereCode && taken.error.code !== endedCode) return taken;
  }
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
