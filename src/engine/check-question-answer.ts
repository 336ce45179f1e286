import { checkAnswer } from "../block/check-answer.ts";
import type { Value } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import { readBudgetAnswer } from "./budget-question.ts";
import type { ScopeNode } from "./budget-scope.ts";
import { cancelReason, questionOf, type RunNode } from "./run-node.ts";
import type { KeptAnswer, RunState } from "./state.ts";

export type CheckedAnswer =
  | { readonly kind: "fits"; readonly node: RunNode; readonly value: Value }
  /** Whoever answers a question again changes nothing. */
  | { readonly kind: "answered-before"; readonly kept: KeptAnswer };

/** Whether an answer can be taken, and as what value; the error says why not, and the question stays open. */
export function checkQuestionAnswer(state: RunState, id: string, answer: Value): Result<CheckedAnswer, string> {
  const kept = state.answered.get(id);
  if (kept !== undefined) return ok({ kind: "answered-before", kept });
  const node = state.questions.get(id);
  const question = node === undefined ? undefined : questionOf(node);
  if (node === undefined || question === undefined) return err(`No question is waiting under ${id}.`);
  const cancelled = cancelReason(node);
  if (cancelled !== undefined) return err(`The question is no longer open: ${cancelled.message}.`);
  const checked = checkAnswer(question.question, answer);
  if (!checked.ok) return checked;
  const { value } = checked;
  const scope = question.scope === undefined ? undefined : (state.nodes.get(question.scope) as ScopeNode | undefined);
  if (scope?.budget.exceeded !== undefined) {
    const read = readBudgetAnswer(scope, scope.budget.exceeded, value, Date.parse(state.latest));
    if (!read.ok) return read;
  }
  return ok({ kind: "fits", node, value });
}
