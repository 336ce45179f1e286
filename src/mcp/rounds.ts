import { inputResponse } from "@modelcontextprotocol/server";
import { toValue, type ValueMap } from "../expression/value.ts";
import { remarkOn, remarkOnAnswered } from "../runs/kept-answer.ts";
import type { QuestionData } from "../views/response.ts";
import { answerHere } from "./answer-here.ts";
import { callText } from "./call-text.ts";
import { describeNow } from "./describe-now.ts";
import { formFor } from "./elicitation.ts";
import { reachRun } from "./reach-run.ts";
import type { Waiting } from "./reply.ts";
import type { ServerContext } from "./server-context.ts";
import type { Asking } from "./wire.ts";

/** What the client brings back, unread and signed, when it calls again with what a person said. */
export interface Round {
  /** The tool that was called, which is called again. */
  readonly tool: string;
  readonly runId: string;
  readonly waiting: Waiting;
  /** The questions that were put, by checkpoint: those that come up later are asked in a round of their own. */
  readonly asked: readonly string[];
  /** How often the client has been asked in this call, this time included. */
  readonly count: number;
}

/**
 * Clients follow a call through no more rounds than this. Then the reply says how the run stands, because an error of the client
 * would not even say which run it was.
 */
export const mostRounds = 8;

/** What became of the answers of a round. */
export interface AnsweredRound {
  /** The questions that the person would not answer. */
  readonly declined: ReadonlySet<string>;
  /** Why an answer does not fit, by question: asked again, with that. */
  readonly misfits: ReadonlyMap<string, string>;
  /** Of answers that came second: that the first was kept. Of those that did not come: that nobody answered. */
  readonly remarks: readonly string[];
}

function remarkOnDeclined({ block, checkpoint_id: id }: QuestionData, action: string): string {
  const what =
    action === "cancel" ? `closed the form of '${block}' without an answer` : `declined to answer '${block}'`;
  return `The person ${what}; the run is still paused. ${callText("resume_workflow", { checkpoint_id: id })} asks them again.`;
}

/** Whose questions the forms of a run show. */
export async function findAsking(runId: string, { platform }: ServerContext): Promise<Asking> {
  const run = await (await platform.journal()).find(runId);
  return run ?? { workflow: runId, workspace: "an unknown directory" };
}

/** Answers the questions of a run with filled forms, by checkpoint. */
export async function answerRound(
  { runId, asked }: Pick<Round, "runId"> & Partial<Round>,
  responses: Readonly<Record<string, unknown>>,
  context: ServerContext,
): Promise<AnsweredRound> {
  const declined = new Set<string>();
  const misfits = new Map<string, string>();
  const remarks: string[] = [];
  const round = { declined, misfits, remarks };
  const described = await describeNow(runId, "minimal", context);
  const run = await reachRun(runId, context);
  if (!described.ok || !run.ok) return round;
  const runtime = context.openRuntime(run.value.workspace);
  const waiting = described.value.pending ?? [];
  for (const id of asked ?? []) {
    const isTooLate =
      inputResponse(responses, id).kind === "elicit" && waiting.every((one) => one.checkpoint_id !== id);
    const remark = isTooLate ? await remarkOnAnswered(runtime, id) : undefined;
    if (remark !== undefined) remarks.push(remark);
  }
  for (const pending of waiting) {
    const { checkpoint_id: id } = pending;
    if (asked !== undefined && !asked.includes(id)) continue;
    const response = inputResponse(responses, id);
    if (response.kind !== "elicit") continue;
    const content = response.action === "accept" ? toValue(response.content ?? {}) : undefined;
    if (content?.ok !== true) {
      declined.add(id);
      remarks.push(remarkOnDeclined(pending, response.action));
    } else {
      const value = formFor(pending).read(content.value as ValueMap);
      const given = { value, by: "elicitation", isHuman: true };
      const answered = await answerHere(runtime, id, given, context);
      const remark = answered.ok ? remarkOn(answered.value) : undefined;
      if (remark !== undefined) remarks.push(remark);
      if (answered.ok) continue;
      // Asking again helps with an answer that does not fit, and with nothing else.
      if (answered.error.code === "answer-refused") misfits.set(id, answered.error.message);
      else {
        context.log("warn", answered.error.message);
        declined.add(id);
      }
    }
  }
  return round;
}
