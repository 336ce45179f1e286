import { type Answer, type Answered, answerQuestion } from "../service/answer-question.ts";
import type { Engine } from "../service/engine.ts";
import type { Problem } from "../service/problem.ts";
import { Audience } from "../service/run-host.ts";
import type { Result } from "../util/result.ts";
import type { Door } from "./door.ts";

/** Answers a question and lets the run go on here, unless another process drives it. */
export async function answerHere(
  engine: Engine,
  pendingId: string,
  answer: Answer,
  { host }: Door,
): Promise<Result<Answered, Problem>> {
  const audience = new Audience();
  const answered = await answerQuestion(engine, pendingId, answer, audience);
  if (answered.ok && answered.value.kind === "driven") host.take(answered.value.run, audience);
  return answered;
}
