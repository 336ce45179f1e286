import type { RunQueue } from "../engine/events.ts";

/** A stretch of a run that one worker drives: from its start, an answer or a time to wake, until it ends or comes to rest. */
export interface Segment {
  readonly runId: string;
  /** The number of the run's latest event: the same segment asked for twice is driven once. */
  readonly sequence: number;
  /** How often the run has been taken: one whose worker is gone is handed on under the next. */
  readonly fence: number;
  readonly workflow: string;
  readonly queue: RunQueue;
  /** The machine that has its workspace, if that matters. */
  readonly host: string | null;
}

/** Hands runs to workers. */
export interface Dispatch {
  /** Resolves when it is durable that a worker will take it. */
  enqueue(segment: Segment): Promise<void>;
  /** How many segments wait for a worker, by the name of their queue. */
  waiting(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}
