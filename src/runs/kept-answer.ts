import { runOfCheckpoint } from "../engine/ids.ts";
import type { KeptAnswer } from "../engine/state.ts";
import { formatValue } from "../expression/format-value.ts";
import type { Answer, Answered } from "./answer-question.ts";
import { readRun } from "./read-run.ts";
import type { Runtime } from "./runtime.ts";

/** What somebody is told whose answer came second; nothing when it was taken, as far as is known. */
export async function remarkOn(
  runtime: Runtime,
  questionId: string,
  given: Answer,
  answered: Answered,
): Promise<string | undefined> {
  const kept = answered.kind === "posted" ? await findOther(runtime, questionId, given) : answered.kept;
  return kept && describeKept(kept);
}

/** The same for a question that was answered by somebody else before the answer could be given. */
export async function remarkOnAnswered(runtime: Runtime, questionId: string): Promise<string | undefined> {
  const kept = await findKept(runtime, questionId);
  return kept && describeKept(kept);
}

/** The process that drives the run may have had another answer by the time it was given this one. */
async function findOther(runtime: Runtime, questionId: string, { value, by }: Answer): Promise<KeptAnswer | undefined> {
  const kept = await findKept(runtime, questionId);
  return kept?.by === by && formatValue(kept.value) === formatValue(value) ? undefined : kept;
}

async function findKept({ platform, workflows }: Runtime, questionId: string): Promise<KeptAnswer | undefined> {
  const runId = runOfCheckpoint(questionId);
  const read = runId === undefined ? undefined : await readRun(platform, workflows.catalog, runId);
  return read?.ok ? read.value.state.answered.get(questionId) : undefined;
}

const longestShown = 200;

export function describeKept(kept: KeptAnswer): string {
  return `Already answered; the earlier answer was kept: ${quoteAnswer(kept)}.`;
}

/** The answer and who gave it. */
export function quoteAnswer({ value, by }: KeptAnswer): string {
  const text = formatValue(value);
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}...` : text;
  return `'${shown}' (given by ${by})`;
}
