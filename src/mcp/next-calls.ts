import type { NextSteps, PendingData } from "../service/response.ts";

/** What to call next, literally. */
export const nextCalls: NextSteps = {
  answer(pending) {
    const [first] = pending;
    if (first === undefined) return "The run waits.";
    const more =
      pending.length > 1 ? ` There are ${pending.length} questions, each answered by its checkpoint_id.` : "";
    if (first.audience === "human") {
      return `It asks a person, and only a person may answer: tell them to run \`frond resume ${first.checkpoint_id}\` in a terminal.${more}`;
    }
    return `Answer with resume_workflow(${JSON.stringify(exampleAnswer(first))}).${more}`;
  },
  takeOver: (runId) =>
    `The process that drove it is gone. Go on with resume_workflow(${JSON.stringify({ checkpoint_id: runId })}), or end it with cancel_run.`,
  follow: (runId) => `It goes on. Call get_run(${JSON.stringify({ run_id: runId, wait_seconds: 45 })}) for its result.`,
};

function exampleAnswer({ checkpoint_id, choices, schema }: PendingData): object {
  const response = choices?.[0] ?? (schema === undefined ? "..." : {});
  return { checkpoint_id, response };
}
