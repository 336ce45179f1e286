import type { NextSteps, QuestionData } from "../views/response.ts";
import { exampleOf } from "./example-value.ts";
import { forPerson } from "./for-person.ts";
import { usualWaitSeconds } from "./reply.ts";

/** What to call next, literally. */
export const nextCalls: NextSteps = {
  answer(pending) {
    if (pending.length === 0) return "The run waits.";
    const forModel = pending.find(({ audience }) => audience === "llm");
    const forPerson = pending.find(({ audience }) => audience === "human");
    return [
      ...(forModel === undefined ? [] : [`Answer with resume_workflow(${JSON.stringify(answerTo(forModel))}).`]),
      ...(forPerson === undefined ? [] : [askPerson(forPerson)]),
      ...(pending.length > 1 ? [`There are ${pending.length} questions, each answered by its checkpoint_id.`] : []),
    ].join(" ");
  },
  wake(runId, wakeAt, isOverdue) {
    const resume = `resume_workflow(${JSON.stringify({ checkpoint_id: runId })})`;
    if (isOverdue) return `It was to go on at ${wakeAt}, and no process has woken it. Go on with ${resume}.`;
    const look = `get_run(${JSON.stringify({ run_id: runId, wait_seconds: usualWaitSeconds })})`;
    return `It sleeps until ${wakeAt}. Call ${look} after that; if it has not gone on by then, ${resume}.`;
  },
  runAll: (runId) =>
    `Nothing had to run: all results were reused. To run all of it call rerun_workflow(${JSON.stringify({ run_id: runId, all: true })}).`,
  takeOver: (runId) =>
    `The process that drove it is gone. Go on with resume_workflow(${JSON.stringify({ checkpoint_id: runId })}), or end it with cancel_run.`,
  follow: (runId) =>
    `It goes on. Call get_run(${JSON.stringify({ run_id: runId, wait_seconds: usualWaitSeconds })}) for its result.`,
};

function askPerson({ block, checkpoint_id: id }: QuestionData): string {
  return `'${block}' asks a person, and only a person may answer: ${forPerson.answer(id)}`;
}

function answerTo({ checkpoint_id, choices, schema }: QuestionData): object {
  return { checkpoint_id, response: choices?.[0] ?? (schema === undefined ? "..." : exampleOf(schema)) };
}
