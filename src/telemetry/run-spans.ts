import { consumeEvent, type EventTable, ignoreEvent, type RunEvent, type RunStarted } from "../engine/events.ts";
import type { ObservedRun } from "../runs/run-observer.ts";
import { parseTraceParent, type TraceParent } from "../util/trace-parent.ts";
import { type Ended, outcomeWord } from "./outcome-word.ts";
import { attemptSpanId, blockSpanId, runSpan, type Span, type SpanLink } from "./span.ts";

/** A block that has begun and not ended. */
interface OpenBlock {
  readonly key: string;
  readonly kind: string;
  readonly startMs: number;
  attempt: number;
  /** When the attempt began; absent between two of them. */
  attemptMs: number | undefined;
}

/**
 * The spans of one run: of the run, of each block that has started and of each attempt at it, each when it has ended. What is inside
 * a block belongs to the attempt that holds it. Of a run that other processes have driven before, all that they saw is followed first.
 */
export class RunSpans {
  readonly #started: RunStarted;
  readonly #root: TraceParent;
  readonly #open = new Map<string, OpenBlock>();
  readonly #kindOf: ObservedRun["kindOf"];
  #emit: (span: Span) => void = () => {};

  constructor({ started, past, kindOf }: ObservedRun, emit: (span: Span) => void) {
    this.#started = started;
    this.#root = runSpan(started);
    this.#kindOf = kindOf;
    for (const event of past) this.hear(event);
    this.#emit = emit;
  }

  hear(event: RunEvent): void {
    consumeEvent(reactions, event, this);
  }

  begin(path: string, attempt: number, at: string, key: string): void {
    const known = this.#open.get(path);
    const atMs = Date.parse(at);
    if (known?.key === key) {
      this.endAttempt(path, at, interrupted);
      known.attempt = attempt;
      known.attemptMs = atMs;
    } else this.#open.set(path, { key, kind: this.#kindOf(path), startMs: atMs, attempt, attemptMs: atMs });
  }

  /** It goes on after a question; if as another attempt, the one before had been interrupted. */
  resume(path: string, attempt: number, at: string): void {
    const known = this.#open.get(path);
    if (known !== undefined && known.attempt !== attempt) this.begin(path, attempt, at, known.key);
  }

  endAttempt(path: string, at: string, ending: Ended, outputs: unknown = undefined): void {
    const block = this.#open.get(path);
    if (block?.attemptMs === undefined) return;
    const { key, attempt, attemptMs } = block;
    block.attemptMs = undefined;
    this.#add({
      spanId: attemptSpanId({ block: key, attempt }),
      parentId: blockSpanId(key),
      name: `attempt ${attempt}`,
      startMs: attemptMs,
      endMs: Date.parse(at),
      attributes: { ...this.#describe(path, block.kind), "frond.attempt": attempt, ...exitCode(outputs) },
      ...how(ending),
    });
  }

  endBlock(path: string, at: string, ending: Ended, outputs: unknown): void {
    this.endAttempt(path, at, ending, outputs);
    const block = this.#open.get(path);
    this.#open.delete(path);
    const endMs = Date.parse(at);
    const parentId = this.#around(path);
    this.#add({
      // What could not even start has no key.
      spanId: blockSpanId(block?.key ?? `${parentId}/${path}`),
      parentId,
      name: this.#nameOf(path),
      startMs: block?.startMs ?? endMs,
      endMs,
      attributes: {
        ...this.#describe(path, block?.kind ?? this.#kindOf(path)),
        "frond.attempts": block?.attempt ?? 0,
        ...exitCode(outputs),
      },
      ...how(ending),
    });
  }

  /** It has its result from another run. */
  addReused(path: string, at: string, ending: Ended, origin: string): void {
    const [parentId, atMs] = [this.#around(path), Date.parse(at)];
    this.#add({
      spanId: blockSpanId(`${parentId}/${path}`),
      parentId,
      name: this.#nameOf(path),
      startMs: atMs,
      endMs: atMs,
      attributes: { ...this.#describe(path, this.#kindOf(path)), "frond.reused_from": origin },
      ...how(ending),
    });
  }

  end(at: string, ending: Ended): void {
    const { runId, workflow, rerunOf, undoOf, startedBy, traceParent, at: startedAt } = this.#started;
    const parentId = parseTraceParent(traceParent)?.spanId;
    const attributes = {
      "frond.run_id": runId,
      "frond.workflow": workflow,
      ...(startedBy === undefined ? {} : { "frond.started_by": startedBy }),
      ...(rerunOf === undefined ? {} : { "frond.rerun_of": rerunOf }),
      ...(undoOf === undefined ? {} : { "frond.undo_of": undoOf.runId }),
    };
    this.#add({
      spanId: this.#root.spanId,
      ...(parentId === undefined ? {} : { parentId }),
      name: workflow,
      startMs: Date.parse(startedAt),
      endMs: Date.parse(at),
      attributes,
      links: rerunOf === undefined ? [] : [this.#linkTo(rerunOf)],
      ...how(ending),
    });
  }

  #linkTo(rerunOf: string): SpanLink {
    const { traceId, spanId } = runSpan({ runId: rerunOf });
    const { rerunTrace = traceId } = this.#started;
    return { traceId: rerunTrace, spanId, attributes: { "frond.run_id": rerunOf } };
  }

  #add({ startMs, endMs, attributes, ending, ...span }: Omit<Span, "traceId"> & { readonly ending: string }): void {
    const { traceId } = this.#root;
    // Clocks of machines differ.
    const times = { startMs, endMs: Math.max(startMs, endMs) };
    this.#emit({ traceId, ...span, ...times, attributes: { ...attributes, "frond.outcome": ending } });
  }

  #describe(path: string, kind: string): Span["attributes"] {
    const { runId, workflow } = this.#started;
    return { "frond.run_id": runId, "frond.workflow": workflow, "frond.block": path, "frond.type": kind };
  }

  /** The attempt that holds it, or the run. */
  #around(path: string): string {
    const around = this.#open.get(parentPath(path));
    return around === undefined ? this.#root.spanId : attemptSpanId({ block: around.key, attempt: around.attempt });
  }

  /** The block's own name; of a pass also that of its loop, because it has none that says anything. */
  #nameOf(path: string): string {
    const around = parentPath(path);
    const name = lastStep(path);
    return this.#open.get(around)?.kind === "loop" ? `${lastStep(around)}[${name}]` : name;
  }
}

const interrupted: Ended = { status: "failed", outcome: "n/a", message: "interrupted", cause: "interrupted" };

const reactions: EventTable<[spans: RunSpans], void> = {
  "run-started": ignoreEvent,
  "workspace-made": ignoreEvent,
  "block-started": ({ path, attempt, at, idempotencyKey }, spans) => spans.begin(path, attempt, at, idempotencyKey),
  "process-started": ignoreEvent,
  "file-changed": ignoreEvent,
  "observation-started": ignoreEvent,
  "changes-observed": ignoreEvent,
  "block-interrupted": ({ path, at }, spans) => spans.endAttempt(path, at, interrupted),
  "attempt-ended": ({ path, at, outputs, ...ending }, spans) => spans.endAttempt(path, at, ending, outputs),
  "block-finished": ({ path, at, outputs, ...ending }, spans) => spans.endBlock(path, at, ending, outputs),
  "block-skipped": ignoreEvent,
  "block-reused": ({ path, at, origin, ...ending }, spans) => spans.addReused(path, at, ending, origin.runId),
  "block-paused": ignoreEvent,
  "question-answered": ignoreEvent,
  "block-resumed": ({ path, attempt, at }, spans) => spans.resume(path, attempt, at),
  "block-sleeping": ignoreEvent,
  "block-woken": ignoreEvent,
  "finally-started": ignoreEvent,
  "workflow-stopping": ignoreEvent,
  "rollback-started": ignoreEvent,
  "rollback-finished": ignoreEvent,
  "budget-exceeded": ignoreEvent,
  "budget-raised": ignoreEvent,
  "block-cancelling": ignoreEvent,
  "run-paused": ignoreEvent,
  "run-sleeping": ignoreEvent,
  "run-resumed": ignoreEvent,
  "run-cancelling": ignoreEvent,
  "run-finished": ({ at, ...ending }, spans) => spans.end(at, ending),
};

function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function lastStep(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const longestMessage = 500;

function how(ending: Ended): { readonly ending: string; readonly error?: string } {
  const word = outcomeWord(ending);
  return word === "success"
    ? { ending: word }
    : { ending: word, error: (ending.message ?? "").slice(0, longestMessage) };
}

function exitCode(outputs: unknown): { readonly "frond.exit_code"?: number } {
  const { exit_code: code } = (outputs ?? {}) as { readonly exit_code?: unknown };
  return typeof code === "number" ? { "frond.exit_code": code } : {};
}
