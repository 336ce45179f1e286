import type { Problem } from "../diagnostic/problem.ts";
import { type Answer, type Answered, answerQuestion } from "../runs/answer-question.ts";
import { Audience } from "../runs/run-host.ts";
import type { Runtime } from "../runs/runtime.ts";
import type { Result } from "../util/result.ts";
import type { ServerContext } from "./server-context.ts";

/** Answers a question and lets the run go on here, unless another process drives it. */
export async function answerHere(
  runtime: Runtime,
  questionId: string,
  answer: Answer,
  { host }: ServerContext,
): Promise<Result<Answered, Problem>> {
  const audience = new Audience();
  const answered = await answerQuestion(runtime, questionId, answer, audience);
  if (answered.ok && answered.value.kind === "driven") host.take(answered.value.run, audience);
  return answered;
}
