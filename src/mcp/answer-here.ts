import type { Problem } from "../diagnostic/problem.ts";
import { type Answer, type Answered, answerQuestion } from "../runs/answer-question.ts";
import type { Runtime } from "../runs/runtime.ts";
import type { Result } from "../util/result.ts";
import { driveHere } from "./drive-here.ts";
import type { ServerContext } from "./server-context.ts";

/** Answers a question and lets the run go on here, unless another process drives it. */
export async function answerHere(
  runtime: Runtime,
  questionId: string,
  answer: Answer,
  context: ServerContext,
): Promise<Result<Answered, Problem>> {
  return driveHere(
    context,
    (listener) => answerQuestion(runtime, questionId, answer, listener),
    (answered) => (answered.kind === "driven" ? answered.run : undefined),
  );
}
