import { createHash } from "node:crypto";
import type { RunStarted } from "../engine/events.ts";
import type { BlockAttempt } from "../runs/run-observer.ts";
import { parseTraceParent, type TraceParent } from "../util/trace-parent.ts";

/** Something that took its time, as traces have it. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the first of a trace. */
  readonly parentId?: string;
  readonly name: string;
  /** In milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Why it did not go well; absent when it did. */
  readonly error?: string;
  readonly links?: readonly SpanLink[];
}

export type SpanLink = Pick<Span, "traceId" | "spanId" | "attributes">;

/**
 * Ids follow from the run and the block alone, so that whichever process goes on with a run, however much later, goes on with its
 * trace.
 */
export function runSpan({ runId, traceParent }: Pick<RunStarted, "runId" | "traceParent">): TraceParent {
  const parent = parseTraceParent(traceParent);
  return {
    traceId: parent?.traceId ?? digits(`trace ${runId}`, 32),
    spanId: digits(`run ${runId}`, 16),
    isSampled: parent?.isSampled ?? true,
  };
}

/** The key is the block's idempotency key, which is another one in every run, and in every attempt of what is around the block. */
export function blockSpanId(key: string): string {
  return digits(`block ${key}`, 16);
}

export function attemptSpanId({ block, attempt }: BlockAttempt): string {
  return digits(`attempt ${block}@${attempt}`, 16);
}

function digits(text: string, count: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, count);
}
