import type { Question } from "../block/define-block.ts";
import type { Redactor } from "./redactor.ts";
import type { LeafResult } from "./run-leaf.ts";

/** What came of a block, without secrets. */
export function redactResult(result: LeafResult, redactor: Redactor): LeafResult {
  if (result.kind === "paused") return { kind: "paused", question: redactQuestion(result.question, redactor) };
  if (result.kind === "sleeping") return result;
  const { ending } = result;
  return {
    ...result,
    ending: ending.message === null ? ending : { ...ending, message: redactor.text(ending.message) },
    outputs: redactor.map(result.outputs),
  };
}

function redactQuestion({ audience, ...told }: Question, redactor: Redactor): Question {
  return { ...(redactor.map(told) as Omit<Question, "audience">), audience };
}
