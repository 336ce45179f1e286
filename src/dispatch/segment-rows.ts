import type { Segment } from "../runs/dispatch.ts";

/** The same segment has the same id, so that it is there once however often it is asked for. */
export function idOf({ runId, sequence, fence }: Pick<Segment, "runId" | "sequence" | "fence">): string {
  return `${runId}:${sequence}:${fence}`;
}

/** Nothing of a row that is not one of ours. */
export function segmentOf(id: string): Pick<Segment, "runId" | "sequence" | "fence"> | undefined {
  const [, runId, sequence, fence] = /^(.+):(\d+):(\d+)$/.exec(id) ?? [];
  return runId === undefined ? undefined : { runId, sequence: Number(sequence), fence: Number(fence) };
}

/** `gpu,linux@build-1`: what a worker must have, all of it. */
export function queueOf({ queue, host }: Pick<Segment, "queue" | "host">): string {
  return queueName([...queue.labels].sort(), host ?? queue.host);
}

function queueName(labels: readonly string[], host: string | undefined): string {
  return `${labels.join(",") || "any"}${host === undefined ? "" : `@${host}`}`;
}

/** The queues from which a worker takes: one for each choice of its labels, on any machine and on its own. */
export function queuesOf(labels: readonly string[], host: string): string[] {
  let choices: string[][] = [[]];
  for (const label of [...new Set(labels)].sort()) choices = [...choices, ...choices.map((some) => [...some, label])];
  return choices.flatMap((some) => [queueName(some, undefined), queueName(some, host)]);
}
