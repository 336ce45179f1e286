import type { ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import type { NextSteps, QuestionData, StayedData } from "../views/response.ts";
import { callText } from "./call-text.ts";
import { exampleOf } from "./example-value.ts";
import { forPerson } from "./for-person.ts";
import { usualWaitSeconds } from "./reply.ts";

/** What to call next, literally. */
export const nextCalls: NextSteps = {
  answer: (pending, workspace) => answerAll(pending, ({ checkpoint_id: id }) => forPerson.answer(id, workspace)),
  wake(runId, wakeAt, isOverdue) {
    const resume = callText("resume_workflow", { checkpoint_id: runId });
    if (isOverdue) return `It should have gone on at ${wakeAt}, and no process woke it. Go on with ${resume}.`;
    return `It sleeps until ${wakeAt}. Call ${waitFor(runId)} after that; if it has not gone on by then, ${resume}.`;
  },
  runAll: (runId) =>
    `Nothing had to run: all results were reused. To run all of it call ${callText("rerun_workflow", { run_id: runId, all: true })}.`,
  takeOver: (runId) =>
    `The process that drove it is gone. Go on with ${callText("resume_workflow", { checkpoint_id: runId })}, or end it with ${callText("cancel_run", { run_id: runId })}.`,
  follow: (runId, isWaiting = false) => `${isWaiting ? "" : "It goes on. "}Call ${waitFor(runId)} for its result.`,
  redo: (runId) => `To take that back again: ${callText("undo_run", { run_id: runId })}.`,
  takeBack: (runId) => `To take back what it changed: ${callText("undo_run", { run_id: runId })}.`,
  repair(failure) {
    const { runId, failed, hasBegun, skipped, isCancelled, isOverBudget, isInline, leftChanges, commitPoint, undone } =
      failure;
    const [first] = failed;
    if (undone?.isStopped) return `It was cancelled. To take back the rest: ${undoAgain(undone)}.`;
    if (undone !== undefined)
      return undone.isForcible ? force(undone) : `Undo does not replace what stayed; undo.conflicts says why.`;
    const rerun = callText("rerun_workflow", { run_id: runId });
    const undo = callText("undo_run", { run_id: runId, ...defined({ to: commitPoint }) });
    const back = leftChanges ? ` To take back what it changed: ${undo}.` : "";
    if (isCancelled) return `It was cancelled. ${rerun} runs what had not succeeded.${back}`;
    if (isOverBudget) return `It stopped at its budget. Once that is raised in the workflow, call ${rerun}.${back}`;
    const log = hasBegun ? `Log: ${readLog(runId, first)}. ` : "";
    const missed = skipped.length === 0 ? "" : ` Skipped for it: ${nameSome(skipped)}.`;
    const text = isInline ? ", with workflow_yaml if the text is at fault" : "";
    return `${log}Fix the cause, then call ${rerun}${text}.${missed}${back}`;
  },
  inspect: (runId, [first = "", ...others]) =>
    `${others.length === 0 ? `'${first}' failed` : `${others.length + 1} blocks failed`}, and the workflow went on. Log: ${readLog(runId, first)}.`,
};

/** The same where the client shows forms: a person gets one as soon as nothing is left for the model to answer. */
export const nextCallsWithForms: NextSteps = {
  ...nextCalls,
  answer: (pending, workspace) =>
    pending.some(({ audience }) => audience === "llm")
      ? answerAll(pending, () => "they get a form when yours is answered.")
      : nextCalls.answer(pending, workspace),
};

function answerAll(pending: readonly QuestionData[], howPersonsAnswer: (question: QuestionData) => string): string {
  if (pending.length === 0) return "The run waits.";
  const forModel = pending.find(({ audience }) => audience === "llm");
  const forHuman = pending.find(({ audience }) => audience === "human");
  return [
    ...(forModel === undefined ? [] : [`Answer with ${callText("resume_workflow", answerTo(forModel))}.`]),
    ...(forHuman === undefined
      ? []
      : [`'${forHuman.block}' asks a person, and only a person may answer: ${howPersonsAnswer(forHuman)}`]),
    ...(pending.length > 1 ? [`There are ${pending.length} questions, each answered by its checkpoint_id.`] : []),
  ].join(" ");
}

function undoAgain({ runId, only, to }: StayedData, more: ValueMap = {}): string {
  return callText("undo_run", { run_id: runId, ...defined({ only, to }), ...more });
}

function force(stayed: StayedData): string {
  const call = undoAgain(stayed, { on_conflict: "force" });
  return `What stayed was changed since. To replace it: ${call}.`;
}

function waitFor(runId: string): string {
  return callText("get_run", { run_id: runId, wait_seconds: usualWaitSeconds });
}

/** Enough to see what went wrong, and little to read. */
const logLines = 50;

function readLog(runId: string, block: string | undefined): string {
  const path = block === undefined ? {} : { path: block };
  return callText("get_run", { run_id: runId, ...path, include: ["log"], tail: logLines });
}

const mostNames = 10;

function nameSome(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function answerTo({ checkpoint_id, choices, schema }: QuestionData): object {
  return { checkpoint_id, response: choices?.[0] ?? (schema === undefined ? "..." : exampleOf(schema)) };
}
