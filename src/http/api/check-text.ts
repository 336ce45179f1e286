import { type Problem, problem } from "../../diagnostic/problem.ts";
import type { CheckedWorkflow, Workflows } from "../../library/workflows.ts";
import { inlineSource } from "../../mcp/tools/execute-inline-workflow.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { inSlices } from "../../util/time-slice.ts";
import type { PageContext } from "../page-context.ts";

/** Reading YAML can't be interrupted: a text of this length holds everybody else up for a moment, a longer one for seconds. */
const mostCharacters = 200_000;

/** Checks the text of a workflow, one after the other; whoever has gone meanwhile is not waited for. */
export async function checkText(
  text: string,
  workflows: Workflows,
  { checks }: PageContext,
  signal: AbortSignal,
): Promise<Result<CheckedWorkflow, Problem>> {
  if (text.length > mostCharacters) return err(tooLong(text));
  await checks.acquire();
  try {
    if (signal.aborted) return err(problem("gone", "Nobody waits for the answer any more."));
    return ok(await inSlices(workflows.checkInSlices(inlineSource(text, workflows))));
  } finally {
    checks.release();
  }
}

function tooLong({ length }: string): Problem {
  const [has, most] = [length, mostCharacters].map((count) => count.toLocaleString("en-GB"));
  return problem(
    "text-too-long",
    `The text has ${has} characters, and the page takes at most ${most}.`,
    "Save it as a file: `frond validate FILE` checks it and `frond run FILE` runs it, however long it is.",
  );
}
