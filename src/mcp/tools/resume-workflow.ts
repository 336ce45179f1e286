import * as z from "zod";
import { problem } from "../../diagnostic/problem.ts";
import { toValue } from "../../expression/value.ts";
import type { RunSummary } from "../../journal/journal.ts";
import { chooseQuestion } from "../../runs/choose-question.ts";
import { continueRun } from "../../runs/continue-run.ts";
import { remarkOn } from "../../runs/kept-answer.ts";
import { answerHere } from "../answer-here.ts";
import { awaitRun, refuseWhenClosing } from "../await-run.ts";
import type { Call } from "../call.ts";
import { driveHere } from "../drive-here.ts";
import { reachRun } from "../reach-run.ts";
import { refuseAnswer } from "../refuse-answer.ts";
import { refuse, type ToolReply, type Waiting, withRemarks } from "../reply.ts";
import type { ServerContext } from "../server-context.ts";
import { defineTool, type Tool } from "../tool.ts";
import { anything, responseFormat, runSchema, waitingOf, waitSeconds } from "./parameters.ts";

export const resumeWorkflow: Tool = defineTool({
  name: "resume_workflow",
  title: "Answer or go on with a run",
  description:
    "Answers a paused run's question (checkpoint_id from its reply or list_checkpoints); without response, goes on with one that is interrupted or sleeps. Questions to a person are refused. Next, while it runs: get_run.",
  toolset: "core",
  effect: "runs",
  repliesWithRun: true,
  outputSchema: runSchema,
  parameters: () =>
    z.strictObject({
      checkpoint_id: z.string().min(1).describe("Or a run_id"),
      response: anything.optional().describe("The answer: a text, one of the choices, or what the schema asks for"),
      response_format: responseFormat,
      wait_seconds: waitSeconds,
    }),
  async call(args, call, context) {
    const closing = refuseWhenClosing(context);
    if (!closing.ok) return refuse(closing.error);
    const run = await reachRun(args.checkpoint_id, context);
    if (!run.ok) return refuse(run.error);
    const waiting = waitingOf(args);
    if (args.response === undefined) return goOn(run.value, waiting, call, context);
    const question = chooseQuestion(run.value, args.checkpoint_id);
    if (!question.ok) return refuseAnswer(question.error, run.value, undefined, context);
    return answer(run.value, question.value, args.response, waiting, call, context);
  },
});

async function answer(
  run: RunSummary,
  questionId: string,
  response: unknown,
  waiting: Waiting,
  call: Call,
  context: ServerContext,
): Promise<ToolReply> {
  const value = toValue(response);
  if (!value.ok) {
    const refused = problem("answer-refused", `The response can't be used: ${value.error}`);
    return refuseAnswer(refused, run, questionId, context);
  }
  const given = { value: value.value, by: "model", isHuman: false };
  const runtime = context.openRuntime(run.workspace);
  const answered = await answerHere(runtime, questionId, given, context);
  if (!answered.ok) return refuseAnswer(answered.error, run, questionId, context);
  const reply = await awaitRun(run.runId, waiting, call, context);
  return withRemarks([remarkOn(answered.value)], reply);
}

async function goOn(
  { runId, workspace }: RunSummary,
  waiting: Waiting,
  call: Call,
  context: ServerContext,
): Promise<ToolReply> {
  const runtime = context.openRuntime(workspace);
  const continued = await driveHere(
    context,
    (listener) => continueRun(runtime, runId, listener),
    (run) => run,
  );
  if (!continued.ok) return refuse(continued.error);
  return awaitRun(runId, waiting, call, context);
}
