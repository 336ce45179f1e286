import * as z from "zod";
import { problem } from "../../diagnostic/problem.ts";
import { toValue } from "../../expression/value.ts";
import { answerHere } from "../../mcp/answer-here.ts";
import { refuseWhenClosing } from "../../mcp/await-run.ts";
import { reachRun } from "../../mcp/reach-run.ts";
import { chooseQuestion } from "../../runs/choose-question.ts";
import { remarkOn } from "../../runs/kept-answer.ts";
import { err } from "../../util/result.ts";
import { defineRoute, type Route } from "../route.ts";
import { runStatus, runStatusSchema } from "./run-status.ts";

export const answerQuestionRoute: Route = defineRoute({
  method: "POST",
  path: "/runs/:run/answers",
  summary: "Answers a question of a run, which goes on then.",
  description:
    "A question to a person takes an answer only from the page: the token may be a program's. A budget is raised by answering its question. A question that has an answer keeps it, and 409 says what it is and who gave it.",
  effect: "acts",
  body: () =>
    z.strictObject({
      question: z.string().min(1).optional().describe("Its id; needed where the run asks several"),
      answer: z.unknown().describe("A text, one of the choices, or what the schema asks for"),
    }),
  gives: runStatusSchema,
  async answer({ params, body, visitor }, context) {
    const closing = refuseWhenClosing(context);
    if (!closing.ok) return closing;
    const run = await reachRun(params.run ?? "", context);
    if (!run.ok) return run;
    const { runId, workspace } = run.value;
    const question = chooseQuestion(run.value, body.question ?? runId);
    if (!question.ok) return question;
    const value = toValue(body.answer ?? null);
    if (!value.ok) return err(problem("answer-refused", `The answer can't be used: ${value.error}`));
    const given = { value: value.value, by: visitor.name, isHuman: visitor.isPerson };
    const runtime = context.openRuntime(workspace);
    const answered = await answerHere(runtime, question.value, given, context);
    if (!answered.ok) return answered;
    const remark = remarkOn(answered.value);
    if (remark === undefined || answered.value.kind === "posted") return runStatus(runId, context);
    return err(problem("already-answered", remark));
  },
});
