import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { RunQueue } from "../engine/events.ts";
import type { RunSummary } from "../journal/journal.ts";
import { defined } from "../util/defined.ts";

/** Which workers may take a run of a workflow that is started on a machine: unless it says where its files come from, those lie there. */
export function queueOf({ runsOn = [], workspace, concurrency }: WorkflowDefinition, host: string): RunQueue {
  return { labels: runsOn, ...(workspace === undefined ? { host } : {}), ...defined({ concurrency }) };
}

/** Which workers may take a run that repeats another one, or takes it back: its files lie where that one worked. */
export function queueAfter({ queue, host }: Pick<RunSummary, "queue" | "host">, here: string): RunQueue {
  return { ...(queue ?? { labels: [] }), host: host ?? here };
}

/** `a worker with the label gpu on build-1`: who may drive a run. */
export function describeWorkers(queue: RunQueue | null, host: string | null): string {
  const labels = queue?.labels ?? [];
  const labelled = labels.length === 0 ? "" : ` with the label${labels.length === 1 ? "" : "s"} ${labels.join(", ")}`;
  return `a worker${labelled}${host === null ? "" : ` on ${host}`}`;
}
