import type { PromptRequest } from "../block/define-block.ts";
import type { Clock } from "../block/ports.ts";
import type { ValueMap } from "../expression/value.ts";
import { defaultOutputs } from "./default-outputs.ts";
import type { BlockPaused, Inside, RecordedChange, RunEvent, SkipReason, WorkflowRemarks } from "./events.ts";
import type { Ending } from "./execution.ts";
import { idempotencyKey, pendingId } from "./ids.ts";
import type { Node } from "./node.ts";
import type { Scheduler } from "./scheduler.ts";
import { applyEvent, frozenDefinition, nodeAt, type RunState } from "./state.ts";
import type { TimeLimits } from "./time-limits.ts";
import type { Turns } from "./turns.ts";

/** Writes down what happens in a run: every event goes through here into the state, to the scheduler and into the turn. */
export class Chronicle {
  readonly state: RunState;
  readonly #scheduler: Scheduler;
  readonly #turns: Turns;
  readonly #limits: TimeLimits;
  readonly #clock: Clock;
  readonly #begunAt = new Map<Node, number>();

  constructor(state: RunState, scheduler: Scheduler, turns: Turns, limits: TimeLimits, clock: Clock) {
    this.state = state;
    this.#scheduler = scheduler;
    this.#turns = turns;
    this.#limits = limits;
    this.#clock = clock;
  }

  append(event: RunEvent): void {
    applyEvent(this.state, event);
    this.#scheduler.observe(event);
    this.#turns.record(event);
    const isQuiet = (node: Node): boolean => this.#scheduler.isQuiet(node);
    switch (event.type) {
      case "prompt-answered":
      case "block-started":
      // One that was answered may have had to wait for a place in its loop.
      case "block-resumed":
        return this.#limits.goOnAround(nodeAt(this.state, event.path), isQuiet);
      case "block-finished":
      case "block-skipped":
      case "block-paused":
        return this.#limits.pauseAround(nodeAt(this.state, event.path), isQuiet);
    }
  }

  start(node: Node, inside: Inside, inputs: ValueMap, handles: readonly string[], at: string): void {
    this.begin(node);
    this.append({
      type: "block-started",
      at,
      path: node.path,
      attempt: node.record.metadata.attempts + 1,
      inputs,
      idempotencyKey: idempotencyKey(this.state.started.runId, node.path),
      handles,
      inside,
    });
  }

  /** Files are about to be changed. */
  announce(node: Node, changes: (sequence: number) => readonly RecordedChange[], outputs: ValueMap): void {
    const { path, record } = node;
    const sequence = this.state.sequence + 1;
    const { attempts: attempt } = record.metadata;
    this.append({ type: "file-changed", at: this.now(), path, attempt, changes: changes(sequence), outputs });
  }

  skip(node: Node, reason: SkipReason): void {
    this.append({ type: "block-skipped", at: this.now(), path: node.path, reason });
  }

  pause(node: Node, prompt: PromptRequest, about: BlockPaused["about"], durationMs: number): void {
    const { path, questions } = node;
    const id = pendingId(this.state.started.runId, path, questions);
    this.#begunAt.delete(node);
    this.append({ type: "block-paused", at: this.now(), path, pendingId: id, prompt, about, durationMs });
  }

  finish(node: Node, ending: Ending, outputs: ValueMap, more: FinishDetails = {}): void {
    this.#limits.end(node);
    const { durationMs = this.duration(node), ...remarks } = more;
    const at = this.now();
    this.append({ type: "block-finished", at, path: node.path, ...ending, outputs, durationMs, ...remarks });
    this.#begunAt.delete(node);
  }

  /** The outputs of a block that did not run to its end. */
  defaults(node: Node): ValueMap {
    return defaultOutputs(node, (name) => frozenDefinition(this.state, name));
  }

  /** From here on the time of the node is measured. */
  begin(node: Node): void {
    this.#begunAt.set(node, this.#clock.monotonic());
  }

  /** Of what began in another process only the wall clock knows; of a block's own code that does not run here, nobody does. */
  duration(node: Node): number {
    const begunAt = this.#begunAt.get(node);
    const { started_at: startedAt } = node.record.metadata;
    if (begunAt === undefined) {
      return startedAt === null || node.inside.kind === "leaf"
        ? 0
        : Math.max(0, Date.parse(this.now()) - Date.parse(startedAt));
    }
    const microseconds = Math.round((this.#clock.monotonic() - begunAt) * 1000);
    return Math.max(0, microseconds / 1000);
  }

  /** Wall time, but never before what has been said already: a clock set back must not make an end precede its start. */
  now(): string {
    const now = this.#clock.now().toISOString();
    const { latest } = this.state;
    if (now < latest) return latest;
    return now;
  }
}

interface FinishDetails {
  /** When it is known better than by now. */
  readonly durationMs?: number;
  readonly remarks?: WorkflowRemarks;
}
