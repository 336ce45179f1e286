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
  /**
   * Resolves when it is durable that a worker will take it. One whose workflow has as many runs going on as it may have, or as many that
   * wait for the same workers, stays where it is: workers ask again for what waits.
   */
  enqueue(segment: Segment): Promise<void>;
  /** How many segments wait for a worker, by the name of their queue. */
  waiting(): Promise<ReadonlyMap<string, number>>;
  /** Forgets segments that nobody has to drive any more. */
  drop(segments: readonly Pick<Segment, "runId" | "sequence" | "fence">[]): Promise<void>;
  /** Forgets those that are over for longer than this. */
  forget(olderThanMs: number): Promise<void>;
  close(): Promise<void>;
}

/** The same for a worker, which takes segments, and looks after those that others have left. */
export interface WorkerDispatch extends Dispatch {
  /** Takes segments from now on. Rejects when the database can't be used. */
  listen(taker: SegmentTaker): Promise<void>;
  /** Takes nothing more. */
  pause(): void;
  /** Resolves when all that was taken is on record as over. */
  end(): Promise<void>;
  /** Whether it is this worker's turn to do what one of all workers does so often; and what time it is for all of them. */
  takeTurn(name: string, everyMs: number): Promise<{ readonly isOurs: boolean; readonly now: number }>;
  /**
   * Before a segment that was taken is driven: whether its workflow has a slot left, which is then its own until it is released, or its
   * worker is gone. Only what is driven holds one, not what waits.
   */
  acquire(segment: Segment): Promise<boolean>;
  release(segment: Segment): Promise<void>;
  /** The segments that wait or are taken. */
  listOpen(): Promise<readonly OpenSegment[]>;
  /** Lets another worker take a segment, whose worker has not done anything with it. */
  putBack(segment: OpenSegment): Promise<void>;
}

export interface SegmentTaker {
  readonly labels: readonly string[];
  readonly host: string;
  /** How many segments it takes at the same time. */
  readonly slots: number;
  take(segment: Pick<Segment, "runId" | "sequence" | "fence">): Promise<TakenEnd>;
}

/** `put-back`: another worker is to take it at once. `refused`: it could not be driven here, and is asked for again after a while. */
export type TakenEnd = "over" | "put-back" | "refused";

export interface OpenSegment extends Pick<Segment, "runId" | "sequence" | "fence"> {
  /** Its workflow, of one that holds a slot of it. */
  readonly slotOf?: string;
  /** When it was taken, in milliseconds since 1970 by the clock of all workers; nothing while it waits. */
  readonly takenAt?: number;
}
