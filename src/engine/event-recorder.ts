import { BlockCannotRun, type Question } from "../block/define-block.ts";
import type { Clock } from "../block/ports.ts";
import type { Cost, Spend } from "../block/spend.ts";
import type { ObservedChanges } from "../changes/observer.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { defaultOutputs } from "./default-outputs.ts";
import type {
  BlockPaused,
  Inside,
  NotCaptured,
  PendingEnd,
  RunEvent,
  SeenEntry,
  SkipReason,
  WorkflowRemarks,
} from "./events.ts";
import { crashed, type Ending } from "./execution.ts";
import { idempotencyKey, newRunId, questionId } from "./ids.ts";
import type { AnnouncedChanges } from "./journaled-files.ts";
import { type RunLimits, recordedSize, refuseNodes, refuseRecord } from "./limits.ts";
import { nodeAt } from "./node-at.ts";
import type { ReusedResult } from "./reuse.ts";
import { addressWithin, childNodes, isInFinally, type RunNode } from "./run-node.ts";
import type { Scheduler } from "./scheduler.ts";
import { applyEvent, frozenDefinition, type RunState } from "./state.ts";
import type { TimeLimits } from "./time-limits.ts";
import type { Turns } from "./turns.ts";

/**
 * Writes down what happens in a run: every event goes through here into the state, to the scheduler and into the turn. What would
 * make the run larger than it may be is refused: it can't begin, and its outputs are not kept.
 */
export class EventRecorder {
  readonly state: RunState;
  readonly #scheduler: Scheduler;
  readonly #turns: Turns;
  readonly #limits: TimeLimits;
  readonly #sizes: RunLimits;
  readonly #clock: Clock;
  readonly #begunAt = new Map<RunNode, number>();
  #isFull = false;

  constructor(
    state: RunState,
    scheduler: Scheduler,
    turns: Turns,
    limits: TimeLimits,
    options: { readonly limits: RunLimits; readonly platform: { readonly clock: Clock } },
  ) {
    this.state = state;
    this.#scheduler = scheduler;
    this.#turns = turns;
    this.#limits = limits;
    this.#sizes = options.limits;
    this.#clock = options.platform.clock;
  }

  /** Whether something could not be recorded any more, so that there is no use in going on. */
  get isFull(): boolean {
    return this.#isFull;
  }

  append(event: RunEvent): void {
    applyEvent(this.state, event);
    this.#scheduler.observe(event);
    this.#turns.record(event);
    const limits = effectsOnLimits[event.type];
    if (limits === undefined || !("path" in event)) return;
    const node = nodeAt(this.state, event.path);
    this.#limits[limits](node, (around) => this.#scheduler.isQuiet(around));
  }

  /** Throws `BlockCannotRun` when the run would become too large. */
  start(node: RunNode, inside: Inside, inputs: ValueMap, becauseOf: readonly string[], more: StartDetails = {}): void {
    const { at = this.now(), notReused, reserved } = more;
    const refused = refuseNodes(this.state, this.#nodesIn(inside, node) - countInside(node), this.#sizes);
    if (refused !== undefined) throw new BlockCannotRun(refused);
    this.begin(node);
    this.#appendIfItFits({
      type: "block-started",
      at,
      path: node.path,
      attempt: node.record.metadata.attempts + 1,
      inputs,
      idempotencyKey: idempotencyKey(this.state.started.runId, addressWithin(node)),
      becauseOf,
      inside,
      ...(reserved === undefined ? {} : { reserved }),
      ...(notReused === undefined ? {} : { notReused }),
    });
  }

  #nodesIn(inside: Inside, { block }: RunNode): number {
    if (inside.kind === "loop") return inside.elements.length;
    if (inside.kind === "group") return block?.group?.blocks.length ?? 0;
    if (inside.kind === "leaf") return 0;
    const plan = this.state.plans(inside.workflow, inside.definition);
    return plan.ok ? plan.value.blocks.length : 0;
  }

  /** Nothing in the run can go on before it is answered, or before this time. */
  rest(wakeAt: string | undefined): void {
    const told = { at: this.now(), ...this.spent() };
    if (this.state.questions.size > 0) this.append({ type: "run-paused", ...told, ...defined({ wakeAt }) });
    else if (wakeAt !== undefined) this.append({ type: "run-sleeping", ...told, wakeAt });
    else throw new Error("The run can't go on, and nobody is asked anything.");
  }

  /** A run that waits goes on. */
  resumeRun(): void {
    if (this.state.paused) this.append({ type: "run-resumed", at: this.now() });
  }

  /** Everything but `finally` has ended; the time limit was for that. */
  beginFinally(node: RunNode, ending: Ending): void {
    this.#limits.end(node);
    this.append({ type: "finally-started", at: this.now(), path: node.path, ...ending });
  }

  /** Files are about to be changed. Throws `BlockCannotRun` when the run would become too large. */
  announce(node: RunNode, { changes, outputs, rerun }: AnnouncedChanges): void {
    const { path, record } = node;
    const sequence = this.state.sequence + 1;
    const { attempts: attempt } = record.metadata;
    this.#appendIfItFits({
      type: "file-changed",
      at: this.now(),
      path,
      attempt,
      changes: changes(sequence),
      outputs,
      ...(rerun === undefined ? {} : { rerun }),
    });
  }

  /** A command is about to run. */
  observe(node: RunNode, snapshot: string, notCaptured: readonly NotCaptured[]): void {
    const { path, record } = node;
    const { attempts: attempt } = record.metadata;
    const named = notCaptured.length === 0 ? {} : { notCaptured };
    this.#appendIfItFits({ type: "observation-started", at: this.now(), path, attempt, snapshot, ...named });
  }

  /** It has ended. Throws `BlockCannotRun` when the run would become too large. */
  recordObserved({ path }: RunNode, attempt: number, { changes, notCaptured }: ObservedChanges): void {
    this.#appendIfItFits({ type: "changes-observed", at: this.now(), path, attempt, changes, notCaptured });
  }

  #appendIfItFits(event: RunEvent): void {
    const refused = this.#refuse(event);
    if (refused !== undefined) throw new BlockCannotRun(refused);
    this.append(event);
  }

  #refuse(event: RunEvent): string | undefined {
    const isOfFinally = "path" in event && isInFinally(nodeAt(this.state, event.path));
    const refused = refuseRecord(this.state, recordedSize(event), this.#sizes, isOfFinally);
    if (refused !== undefined) this.#isFull = true;
    return refused;
  }

  skip(node: RunNode, reason: SkipReason): void {
    this.append({ type: "block-skipped", at: this.now(), path: node.path, reason });
  }

  /** Throws `BlockCannotRun` when the run would become too large. */
  reuse(node: RunNode, result: ReusedResult, becauseOf: readonly string[]): void {
    this.#appendIfItFits({ type: "block-reused", at: this.now(), path: node.path, ...result, becauseOf });
  }

  pause(
    node: RunNode,
    question: Question,
    about: BlockPaused["about"],
    durationMs: number,
    more: Pick<BlockPaused, "spend" | "scope"> = {},
  ): void {
    const { path, questions } = node;
    const id = questionId(this.state.started.runId, addressWithin(node), questions);
    this.#begunAt.delete(node);
    this.append({
      type: "block-paused",
      at: this.now(),
      path,
      questionId: id,
      question,
      about,
      durationMs,
      ...more,
    });
  }

  /** Until its next attempt. */
  endAttempt(node: RunNode, ending: Ending, outputs: ValueMap | undefined, retry: RetryDetails): void {
    this.#limits.end(node);
    const { durationMs, delayMs, spend } = retry;
    const { attempts: attempt } = node.record.metadata;
    const at = this.now();
    const event = {
      type: "attempt-ended",
      at,
      path: node.path,
      attempt,
      durationMs,
      retryAt: later(at, delayMs),
    } as const;
    const whole = { ...event, ...ending, ...defined({ outputs, spend }) };
    this.#begunAt.delete(node);
    // There would be no room for another attempt either.
    if (this.#refuse(whole) === undefined) this.append(whole);
    else this.finish(node, ending, outputs, { durationMs, ...defined({ spend }) });
  }

  /** As its own code says. */
  sleep(node: RunNode, until: Date, durationMs: number, spend?: Spend): void {
    this.#begunAt.delete(node);
    const at = this.now();
    this.append({
      type: "block-sleeping",
      at,
      path: node.path,
      until: until.toISOString(),
      about: "block",
      durationMs,
      ...defined({ spend }),
    });
  }

  /** Of a repeated block: another pass, after so long. */
  repeat(node: RunNode, delayMs: number): void {
    const at = this.now();
    const until = later(at, delayMs);
    this.append({ type: "block-sleeping", at, path: node.path, until, about: "repeat", durationMs: 0 });
  }

  wake(node: RunNode): void {
    this.append({ type: "block-woken", at: this.now(), path: node.path });
  }

  /** What it did is taken back before it ends. */
  beginRollback(node: RunNode, end: PendingEnd): void {
    this.#limits.end(node);
    const { path, record } = node;
    const undoRun = newRunId(this.#clock.now());
    const { attempts: attempt } = record.metadata;
    this.append({ type: "rollback-started", at: this.now(), path, attempt, undoRun, end });
  }

  /** A loop all of whose passes have ended needs no outputs of its own. */
  finish(node: RunNode, ending: Ending, outputs: ValueMap | undefined, more: FinishDetails = {}): void {
    this.#limits.end(node);
    const { durationMs = this.duration(node), ...remarks } = more;
    const told = { type: "block-finished", at: this.now(), path: node.path, durationMs } as const;
    const event = { ...told, ...ending, ...(outputs === undefined ? {} : { outputs }), ...remarks };
    const refused = this.#refuse(event);
    if (refused === undefined) this.append(event);
    else {
      const kept = { outputs: this.defaults(node), ...defined({ spend: more.spend }) };
      this.append({ ...told, ...crashed(refused), ...kept });
    }
    this.#begunAt.delete(node);
  }

  /** The end of the run itself. Outputs that are too large are left out. */
  finishRun(ending: Ending, outputs: ValueMap, remarks: WorkflowRemarks): void {
    const { root } = this.state;
    this.#limits.end(root);
    const told = { type: "run-finished", at: this.now(), durationMs: this.duration(root), ...this.spent() } as const;
    const event = { ...told, ...ending, outputs, remarks };
    const refused = this.#refuse(event);
    if (refused === undefined) return this.append(event);
    const none = Object.create(null) as Record<string, Value>;
    for (const name of Object.keys(outputs)) none[name] = null;
    this.append({ ...told, ...(ending.status === "failed" ? ending : crashed(refused)), outputs: none, remarks });
  }

  /** What the run has cost so far. */
  spent(): { readonly spend?: Spend } {
    return defined({ spend: this.state.root.record.metadata.spend as Spend | undefined });
  }

  /** The outputs of a block that did not run to its end. */
  defaults(node: RunNode): ValueMap {
    return defaultOutputs(node, (name) => frozenDefinition(this.state, name));
  }

  /** From here on the time of the node is measured. */
  begin(node: RunNode): void {
    this.#begunAt.set(node, this.#clock.monotonic());
  }

  /** Of what began in another process only the wall clock knows; of a block's own code that does not run here, nobody does. */
  duration(node: RunNode): number {
    const begunAt = this.#begunAt.get(node);
    const startedAt = node.attemptAt ?? node.record.metadata.started_at;
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

/** What an earlier attempt holds, and the next one forgets. */
function countInside(node: RunNode): number {
  return childNodes(node).reduce((count, child) => count + 1 + countInside(child), 0);
}

function later(at: string, milliseconds: number): string {
  return new Date(Date.parse(at) + milliseconds).toISOString();
}

interface RetryDetails {
  readonly durationMs: number;
  readonly delayMs: number;
  readonly spend?: Spend;
}

export interface StartDetails {
  readonly at?: string;
  readonly notReused?: string | undefined;
  readonly reserved?: Cost | undefined;
}

export interface FinishDetails {
  /** When it is known better than by now. */
  readonly durationMs?: number;
  readonly remarks?: WorkflowRemarks;
  readonly seen?: readonly SeenEntry[];
  readonly spend?: Spend;
}

/** What an event of a block does to the time limits around it. One that goes on may have had to wait for a slot of its loop. */
const effectsOnLimits: Readonly<Record<RunEvent["type"], "goOnAround" | "pauseAround" | undefined>> = {
  "block-started": "goOnAround",
  "question-answered": "goOnAround",
  "block-resumed": "goOnAround",
  "block-finished": "pauseAround",
  "block-skipped": "pauseAround",
  "block-reused": "pauseAround",
  "block-paused": "pauseAround",
  "attempt-ended": "pauseAround",
  "block-sleeping": "pauseAround",
  "block-woken": "goOnAround",
  "block-interrupted": undefined,
  "finally-started": undefined,
  "block-cancelling": undefined,
  "process-started": undefined,
  "file-changed": undefined,
  "observation-started": undefined,
  "changes-observed": undefined,
  "workflow-stopping": undefined,
  "rollback-started": undefined,
  "rollback-finished": undefined,
  "budget-exceeded": undefined,
  "budget-raised": undefined,
  "run-started": undefined,
  "workspace-made": undefined,
  "run-paused": undefined,
  "run-sleeping": undefined,
  "run-resumed": undefined,
  "run-cancelling": undefined,
  "run-finished": undefined,
};
