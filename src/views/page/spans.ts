import { consumeEvent, type EventTable, ignoreEvent, type RunEvent } from "../../engine/events.ts";
import type { RunState } from "../../engine/state.ts";
import type { Span } from "./page-records.ts";

type Kind = Span["kind"];
type Writable = { -readonly [Key in keyof Span]: Span[Key] };

/** A block that begins so much later than it could have has waited for a slot. */
const leastSlotMs = 200;

/** The stretches of time in the life of each block, as its events tell them: what is inside an attempt goes with it. */
export class SpanRecorder {
  readonly #byPath = new Map<string, Writable[]>();

  /** Heard after the event has been applied to the state. */
  hear(event: RunEvent, state: RunState): void {
    consumeEvent(changes, event, this, state);
  }

  of(path: string): readonly Span[] {
    return this.#byPath.get(path) ?? none;
  }

  /** What goes on in the block ends, and something else begins. */
  turn(path: string, at: string, kind?: Kind, attempt?: number): void {
    const spans = this.#byPath.get(path) ?? [];
    const last = spans.at(-1);
    // Records that were made of it stay as they are.
    if (last?.to === null) spans[spans.length - 1] = { ...last, to: at };
    if (kind !== undefined)
      spans.push({ kind, from: at, to: null, ...(attempt === undefined || attempt === 1 ? {} : { attempt }) });
    if (spans.length > 0) this.#byPath.set(path, [...spans]);
  }

  /** It could have begun at one time, and did so at another. */
  waited(path: string, from: string, to: string): void {
    const spans = this.#byPath.get(path) ?? [];
    if (spans.length === 0) this.#byPath.set(path, [{ kind: "slot", from, to }]);
  }

  /** What ran before this attempt was not the last word. */
  fail(path: string, attempt: number): void {
    const spans = this.#byPath.get(path);
    const isBefore = ({ kind, attempt: own = 1 }: Span): boolean => kind === "ran" && own < attempt;
    if (spans?.some(isBefore) !== true) return;
    this.#byPath.set(
      path,
      spans.map((span) => (isBefore(span) ? { ...span, kind: "failed" } : span)),
    );
  }

  forgetInside(path: string): void {
    const begin = `${path}/`;
    for (const other of this.#byPath.keys()) if (other.startsWith(begin)) this.#byPath.delete(other);
  }
}

const none: readonly Span[] = [];

const changes: EventTable<[spans: SpanRecorder, state: RunState], void> = {
  "run-started": ignoreEvent,
  "workspace-made": ignoreEvent,
  "block-started": ({ path, at, attempt, inside }, spans, state) => {
    if (attempt > 1) {
      spans.fail(path, attempt);
      if (inside.kind !== "leaf") spans.forgetInside(path);
    } else {
      const ready = inside.kind === "leaf" ? readySince(path, state) : undefined;
      if (ready !== undefined && Date.parse(at) - Date.parse(ready) >= leastSlotMs) spans.waited(path, ready, at);
    }
    spans.turn(path, at, "ran", attempt);
  },
  "process-started": ignoreEvent,
  "file-changed": ignoreEvent,
  "observation-started": ignoreEvent,
  "changes-observed": ignoreEvent,
  "block-interrupted": ({ path, at }, spans) => spans.turn(path, at),
  "attempt-ended": ({ path, at, attempt }, spans) => {
    spans.fail(path, attempt + 1);
    spans.turn(path, at, "backed_off", attempt);
  },
  "block-finished": ({ path, at }, spans) => spans.turn(path, at),
  "block-skipped": ({ path, at }, spans) => spans.turn(path, at),
  "block-reused": ignoreEvent,
  "block-paused": ({ path, at }, spans) => spans.turn(path, at, "asked"),
  "question-answered": ({ path, at }, spans) => spans.turn(path, at),
  "block-resumed": ({ path, at, attempt }, spans) => {
    spans.fail(path, attempt);
    spans.turn(path, at, "ran", attempt);
  },
  "block-sleeping": ({ path, at }, spans) => spans.turn(path, at, "slept"),
  "block-woken": ({ path, at }, spans, state) => {
    const node = state.nodes.get(path);
    // A repeated block goes on with its next pass; any other says so itself.
    const isLoop = node?.inside.kind === "loop";
    spans.turn(path, at, isLoop ? "ran" : undefined, isLoop ? node?.record.metadata.attempts : undefined);
  },
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
  "run-finished": ignoreEvent,
};

/** When the last of the blocks had ended that it waits for; passes of a loop wait for each other, which is not the same. */
function readySince(path: string, { nodes }: RunState): string | undefined {
  const node = nodes.get(path);
  const { parent } = node ?? {};
  if (node?.block?.definition.isFinally || node?.element !== undefined || parent?.inside.kind !== "workflow")
    return undefined;
  const { children } = parent.inside;
  let ready = parent.attemptAt ?? parent.record.metadata.started_at ?? undefined;
  for (const { on } of node?.block?.edges ?? []) {
    const ended = children[on]?.record.metadata.completed_at;
    if (ended !== null && ended !== undefined && (ready === undefined || ended > ready)) ready = ended;
  }
  return ready;
}
