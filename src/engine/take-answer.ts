import type { Value } from "../expression/value.ts";
import { ok, type Result } from "../util/result.ts";
import type { Budgets } from "./budgets.ts";
import { checkQuestionAnswer } from "./check-question-answer.ts";
import type { EventRecorder } from "./event-recorder.ts";
import { questionOf } from "./run-node.ts";
import type { KeptAnswer } from "./state.ts";

/** Records the answer to a question; gives the one that it had before, if it had one, or why this one does not fit. */
export function takeAnswer(
  id: string,
  answer: Value,
  by: string,
  recorder: EventRecorder,
  budgets: Budgets,
): Result<KeptAnswer | undefined, string> {
  const checked = checkQuestionAnswer(recorder.state, id, answer);
  if (!checked.ok) return checked;
  if (checked.value.kind === "answered-before") return ok(checked.value.kept);
  const { node, value } = checked.value;
  const { scope } = questionOf(node) ?? {};
  recorder.resumeRun();
  recorder.append({
    type: "question-answered",
    at: recorder.now(),
    path: node.path,
    questionId: id,
    answer: value,
    by,
  });
  if (scope !== undefined) budgets.decide(scope, value, by);
  return ok(undefined);
}
