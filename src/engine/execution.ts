import { formatSeconds } from "../definition/duration.ts";
import type { Value, ValueMap } from "../expression/value.ts";

/**
 * The one record. A run, a block, a nested workflow and one pass of a loop all leave this shape, at any depth, so that reading,
 * showing and resuming never ask what kind of thing they look at.
 */
export interface Execution {
  inputs: ValueMap;
  outputs: ValueMap;
  metadata: Metadata;
  /** By block id, or by element key in a loop. */
  blocks: Record<string, Execution>;
}

export type Status = "pending" | "running" | "completed" | "failed" | "skipped" | "paused";
export type Outcome = "success" | "failure" | "n/a";

/** State and timing; outputs hold data only. */
export interface Metadata {
  status: Status;
  outcome: Outcome;
  succeeded: boolean;
  failed: boolean;
  skipped: boolean;
  message: string | null;
  error: string | null;
  execution_time_ms: number;
  started_at: string | null;
  completed_at: string | null;
  wave: number;
  execution_order: number | null;
  attempts: number;
  [extra: string]: Value;
}

export function createExecution(wave: number): Execution {
  return {
    inputs: emptyMap,
    outputs: emptyMap,
    metadata: {
      // Written so, it is the prototype: the fastest way to have none.
      __proto__: null,
      status: "pending",
      outcome: "n/a",
      succeeded: false,
      failed: false,
      skipped: false,
      message: null,
      error: null,
      execution_time_ms: 0,
      started_at: null,
      completed_at: null,
      wave,
      execution_order: null,
      attempts: 0,
    },
    blocks: noBlocks,
  };
}

/** Until there are some: most records are of blocks that hold none. */
const noBlocks: Record<string, Execution> = Object.freeze(Object.create(null));

export const emptyMap: ValueMap = Object.freeze(Object.create(null) as ValueMap);

/** How an execution ended. */
export type Ending =
  | { readonly status: "completed"; readonly outcome: "success"; readonly message: null }
  | { readonly status: "completed"; readonly outcome: "failure"; readonly message: string }
  /** Without a cause it crashed: it could not run, or not to its end. */
  | { readonly status: "failed"; readonly outcome: "n/a"; readonly message: string; readonly cause?: StopCause };

/** Why something was ended before it had come to its own end. `limit`: the run became larger than it may be. `budget`: something in it would have cost more than it may. */
export type StopCause = "timeout" | "cancelled" | "interrupted" | "limit" | "budget";

export const succeeded: Ending = { status: "completed", outcome: "success", message: null };

/** It ran, and what it tried did not work. */
export function operationFailed(message: string): Ending {
  return { status: "completed", outcome: "failure", message };
}

/** It could not run. */
export function crashed(message: string): Ending {
  return { status: "failed", outcome: "n/a", message };
}

/** It was ended early. */
export function stopped({ cause, message }: Stop): Ending {
  return { status: "failed", outcome: "n/a", message, cause };
}

export interface Stop {
  readonly cause: StopCause;
  readonly message: string;
}

export function timedOut(seconds: number): Stop {
  return { cause: "timeout", message: `ran longer than its limit of ${formatSeconds(seconds)}` };
}

/** The ending alone, of an event that tells one. */
export function endingOf(event: Ending): Ending {
  const { status, outcome, message } = event;
  const cause = event.status === "failed" && event.cause !== undefined ? { cause: event.cause } : {};
  return { status, outcome, message, ...cause } as Ending;
}

/** Writes state into a record, keeping the fields that follow from it consistent. */
export function setState(metadata: Metadata, status: Status, outcome: Outcome, message: string | null): void {
  metadata.status = status;
  metadata.outcome = outcome;
  metadata.succeeded = status === "completed" && outcome === "success";
  metadata.failed = status === "failed" || outcome === "failure";
  metadata.skipped = status === "skipped";
  metadata.message = message;
  metadata.error = metadata.failed ? message : null;
}
