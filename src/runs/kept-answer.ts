import { runOfCheckpoint } from "../engine/ids.ts";
import type { KeptAnswer } from "../engine/state.ts";
import { formatValue } from "../expression/format-value.ts";
import type { Answered } from "./answer-question.ts";
import { readRun } from "./read-run.ts";
import type { Runtime } from "./runtime.ts";

/** What somebody is told whose answer came second, or has to be followed by more; nothing when it was taken and the run goes on. */
export function remarkOn(answered: Answered): string | undefined {
  if (answered.kind !== "posted") return answered.kept && describeKept(answered.kept);
  const { runId, host } = answered;
  return host === undefined ? undefined : `The answer is on record. The files of ${runId} are on ${host}: go on there.`;
}

/** The same for a question that was answered by somebody else before the answer could be given. */
export async function remarkOnAnswered(runtime: Runtime, questionId: string): Promise<string | undefined> {
  const kept = await findKept(runtime, questionId);
  return kept && describeKept(kept);
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
