import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { RunQueue } from "../engine/events.ts";
import type { RunSummary } from "../journal/journal.ts";
import { defined } from "../util/defined.ts";

export { mostLabels } from "../definition/load-runs-on.ts";

/** Which workers may take a run of a workflow that is started on a machine: unless it says where its files come from, those lie there. */
export function queueOf({ runsOn = [], workspace, concurrency }: WorkflowDefinition, host: string): RunQueue {
  return { labels: runsOn, ...(workspace === undefined ? { host } : {}), ...defined({ concurrency }) };
}

/** Which workers may take a run that repeats another one, or takes it back: its files lie where that one worked. */
export function queueAfter({ queue, host }: Pick<RunSummary, "queue" | "host">, here: string): RunQueue {
  if (queue === null) return { labels: [], host: host ?? here };
  const { labels, concurrency } = queue;
  return { labels, ...(host === null ? {} : { host }), ...defined({ concurrency }) };
}

/** Why what needs the files of a run can't be done on this machine, if they lie on another. */
export function refuseElsewhere({ runId, host }: RunSummary, here: string): Problem | undefined {
  if (host === null || host === here) return undefined;
  const fix = `Do this on ${host}. If this is that machine under another name, set FROND_HOST=${host}.`;
  return problem("other-host", `The files of ${runId} are on ${host}, and this is ${here}.`, fix);
}

/** `a worker with the label gpu on build-1`: who may drive a run. */
export function describeWorkers(queue: RunQueue | null, host: string | null): string {
  const labels = queue?.labels ?? [];
  const labelled = labels.length === 0 ? "" : ` with the label${labels.length === 1 ? "" : "s"} ${labels.join(", ")}`;
  return `a worker${labelled}${host === null ? "" : ` on ${host}`}`;
}

/** What a run waits for that nobody drives; its workflow may have as many going on as it may have. */
export function describeWait(queue: RunQueue | null, host: string | null): string {
  const turn = queue?.concurrency === undefined ? "" : `, or for its turn: concurrency is ${queue.concurrency}`;
  return `${describeWorkers(queue, host)}${turn}`;
}
