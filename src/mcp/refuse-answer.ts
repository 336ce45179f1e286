import { toData } from "../diagnostic/diagnostic.ts";
import type { Problem } from "../diagnostic/problem.ts";
import type { RunSummary } from "../journal/journal.ts";
import { toReply } from "../views/reply.ts";
import { describeNow } from "./describe-now.ts";
import { nextCalls } from "./next-calls.ts";
import { refuse, type ToolReply } from "./reply.ts";
import type { ServerContext } from "./server-context.ts";
import { explainForModel } from "./word-advice.ts";

/** Other problems are not with the answer, and the same answer may be right once they are fixed. */
const answerCodes: ReadonlySet<string> = new Set(["answer-refused", "needs-a-person", "which-question"]);

/** Whoever was asked has read the prompt already. */
const longestPrompt = 300;

/**
 * An answer that was not taken changes nothing: the reply says how the run stands, what the question takes, and the call that
 * answers it. `questionId` is the one that was answered; without it, all that wait are told.
 */
export async function refuseAnswer(
  problem: Problem,
  { runId, workspace }: RunSummary,
  questionId: string | undefined,
  context: ServerContext,
): Promise<ToolReply> {
  if (!answerCodes.has(problem.code)) return refuse(problem);
  const described = await describeNow(runId, "minimal", context);
  const waiting = described.ok ? (described.value.pending ?? []) : [];
  const pending = waiting.filter(({ checkpoint_id: id }) => questionId === undefined || id === questionId);
  if (!described.ok || pending.length === 0) return refuse(problem);
  const { status } = described.value;
  const asked = pending.map((question) => ({ ...question, prompt: shorten(question.prompt) }));
  const { code, message: why } = toData(explainForModel(problem));
  const message = `Not taken; the run is still ${status}. ${nextCalls.answer(asked, workspace)}`;
  const { status: _, run_id, ...rest } = toReply({ status, run_id: runId, pending: asked, message });
  const data = { status, run_id, errors: [{ code, message: why }], ...rest };
  return { kind: "result", data, isError: true, format: "minimal" };
}

function shorten(prompt: string): string {
  return prompt.length > longestPrompt ? `${prompt.slice(0, longestPrompt)}...` : prompt;
}
