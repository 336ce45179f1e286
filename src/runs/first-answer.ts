import { isDeepStrictEqual } from "node:util";
import type { RunEvent } from "../engine/events.ts";
import type { KeptAnswer } from "../engine/state.ts";
import type { Value } from "../expression/value.ts";
import type { Journal, RunRequest } from "../journal/journal.ts";

export type RunAnswer = Extract<RunRequest, { kind: "answer" }>;

/**
 * What became of an answer that was put into the inbox of a run: `taken`, unless another one is `kept`; `dropped` when the question is
 * gone. Every answer goes through the inbox, which keeps one to a question until the event that it became is durable. So an answer that
 * is found there while the events have none is the one that will be taken.
 */
export type Fate =
  | { readonly kind: "taken" }
  | { readonly kind: "kept"; readonly kept: KeptAnswer }
  | { kind: "dropped" };

/** `value`: as what the answer is taken. `seen`: the number of the last event that was looked at before it was given. */
export async function findFate(
  journal: Journal,
  runId: string,
  own: RunAnswer,
  value: Value,
  seen: number,
): Promise<Fate> {
  const first = (await journal.requests(runId))
    .map(({ request }) => request)
    .find((one) => isAnswerTo(one, own.questionId));
  const answered = (await journal.read(runId, seen)).find((event) => answers(event, own.questionId));
  if (answered !== undefined) {
    const kept = { value: answered.answer, by: answered.by };
    return isOwn(kept, own, value) ? { kind: "taken" } : { kind: "kept", kept };
  }
  if (first === undefined) return { kind: "dropped" };
  return isSameAnswer(first, own) ? { kind: "taken" } : { kind: "kept", kept: { value: first.answer, by: first.by } };
}

export function isAnswerTo(request: RunRequest, questionId: string): request is RunAnswer {
  return request.kind === "answer" && request.questionId === questionId;
}

export function isSameAnswer(one: RunAnswer, other: RunAnswer): boolean {
  return one.by === other.by && isDeepStrictEqual(one.answer, other.answer);
}

export function isOwn(kept: KeptAnswer, own: RunAnswer, value: Value): boolean {
  return kept.by === own.by && isDeepStrictEqual(kept.value, value);
}

function answers(event: RunEvent, questionId: string): event is Extract<RunEvent, { type: "question-answered" }> {
  return event.type === "question-answered" && event.questionId === questionId;
}
