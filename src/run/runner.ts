import { checkAnswer } from "../block/check-answer.ts";
import type { LeafBehaviour } from "../block/define-block.ts";
import { formatSeconds } from "../definition/duration.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Semaphore } from "../util/semaphore.ts";
import { concludeLoop, concludeWorkflow } from "./conclude.ts";
import { defaultOutputs } from "./default-outputs.ts";
import { type ChildSurroundings, enterChild } from "./enter-child.ts";
import type { Inside, RunEvent, RunStarted, SkipReason, WorkflowRemarks } from "./events.ts";
import { crashed, type Ending, emptyMap } from "./execution.ts";
import { idempotencyKey, pendingId } from "./ids.ts";
import { cancelReason, type Node, type WorkflowInside } from "./node.ts";
import { type BlockCall, judgeBlock, prepareBlock, resolveCall } from "./prepare-block.ts";
import { ProcessGate } from "./process-gate.ts";
import { crashMessage, type LeafResult } from "./run-leaf.ts";
import { type LeafSurroundings, RunningLeaves } from "./running-leaves.ts";
import { Scheduler, type Step } from "./scheduler.ts";
import { WorkflowScope } from "./scope.ts";
import { applyEvent, createState, frozenDefinition, nodeAt, type PlanSource, type RunState } from "./state.ts";
import { TimeLimits } from "./time-limits.ts";

export interface RunnerOptions extends LeafSurroundings {
  readonly children: ChildSurroundings;
  /** Bounds commands over all runs of the process. */
  readonly processSlots: Semaphore;
  /** Hears of events in groups, in order, before anything they announce begins. */
  onEvents(events: readonly RunEvent[]): void;
  /** Told what the user should know although nothing has failed. */
  warn(message: string): void;
}

/**
 * Performs a run: takes steps from the scheduler, turns each into events, and calls the blocks. One turn handles everything
 * that is ready; its events are handed on together before the effects they announce begin.
 */
export class Runner {
  readonly state: RunState;
  readonly #options: RunnerOptions;
  readonly #scheduler: Scheduler;
  readonly #turn: RunEvent[] = [];
  readonly #effects: (() => void)[] = [];
  readonly #startedAt = new Map<Node, number>();
  readonly #leaves: RunningLeaves;
  readonly #limits: TimeLimits;
  readonly #gate: ProcessGate;
  #latest = "";
  #driving: Promise<"finished" | "paused"> | undefined;
  #woken = false;
  #stopWaiting: () => void = () => {};

  constructor(started: RunStarted, plans: PlanSource, options: RunnerOptions) {
    this.#options = options;
    this.state = createState(started, plans);
    this.#scheduler = new Scheduler(this.state);
    this.#leaves = new RunningLeaves(started.runId, options);
    this.#limits = new TimeLimits(options.ports.clock);
    this.#gate = new ProcessGate(options.processSlots, (node) => {
      this.#scheduler.retry(node);
      this.#wake();
    });
    this.#startedAt.set(this.state.root, options.ports.clock.monotonic());
    this.#latest = started.at;
    options.onEvents([started]);
    this.#limitTime(this.state.root, (this.state.root.inside as WorkflowInside).plan.definition.timeout);
  }

  /** Runs until the run has ended or nothing can go on without an answer. However many ask, it is driven once. */
  drive(): Promise<"finished" | "paused"> {
    this.#driving ??= this.#drive().finally(() => {
      this.#driving = undefined;
    });
    return this.#driving;
  }

  async #drive(): Promise<"finished" | "paused"> {
    for (;;) {
      this.#woken = false;
      for (let step = this.#scheduler.next(); step !== undefined; step = this.#scheduler.next()) this.#attempt(step);
      const isStuck = this.state.finished === undefined && this.#scheduler.isQuiet(this.state.root);
      if (isStuck && this.state.pending.size === 0)
        throw new Error("The run can't go on, and nobody is asked anything.");
      if (isStuck && !this.state.paused) this.#append({ type: "run-paused", at: this.#now() });
      this.#endTurn();
      if (this.state.finished !== undefined) {
        await this.#cleanUp();
        return "finished";
      }
      // Whoever heard of the pause may have answered already.
      if (this.state.paused) return "paused";
      if (!this.#woken) await this.#untilWoken();
    }
  }

  #untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.#stopWaiting = resolve;
    });
  }

  #wake(): void {
    this.#woken = true;
    this.#stopWaiting();
  }

  /** Answers a question. An answer that does not fit leaves the question open; one to a question already answered is no change. */
  answer(id: string, answer: Value, by: string): Result<void, string> {
    if (this.state.answered.has(id)) return ok(undefined);
    const node = this.state.pending.get(id);
    if (node?.pending === undefined) return err(`No question is waiting under ${id}.`);
    const cancelled = cancelReason(node);
    if (cancelled !== undefined) return err(`The question is no longer open: ${cancelled}.`);
    const checked = checkAnswer(node.pending.prompt, answer);
    if (!checked.ok) return checked;
    if (this.state.paused) this.#append({ type: "run-resumed", at: this.#now() });
    this.#append({
      type: "prompt-answered",
      at: this.#now(),
      path: node.path,
      pendingId: id,
      answer: checked.value,
      by,
    });
    this.#wake();
    return ok(undefined);
  }

  /** Nothing new starts, running blocks are told to stop, the run ends as failed. */
  cancel(message: string, requested: boolean): void {
    if (this.state.finished !== undefined || this.state.root.cancelling !== undefined) return;
    if (this.state.paused) this.#append({ type: "run-resumed", at: this.#now() });
    this.#append({ type: "run-cancelling", at: this.#now(), message, requested });
    this.#stopBelow(this.state.root);
    this.#wake();
  }

  /** Whatever throws while a step is performed is a fault of that block, and must not take the run with it. */
  #attempt(step: Step): void {
    try {
      this.#perform(step);
    } catch (error) {
      if (step.node.ended || step.node.parent === undefined) throw error;
      this.#gate.leave(step.node);
      this.#finish(step.node, crashed(crashMessage(error)), this.#defaults(step.node));
    }
  }

  #perform(step: Step): void {
    const { node } = step;
    switch (step.kind) {
      case "consider":
        return this.#consider(node);
      case "start":
        return this.#begin(node);
      case "wait":
        return this.#gate.leave(node);
      case "resume":
        return this.#resume(node);
      case "skip":
        this.#gate.leave(node);
        return this.#append({ type: "block-skipped", at: this.#now(), path: node.path, reason: step.reason });
      case "withdraw":
        return this.#withdraw(node, step.reason);
      case "conclude":
        return this.#conclude(node);
    }
  }

  #consider(node: Node): void {
    const verdict = judgeBlock(node, this.state.started.runId);
    switch (verdict.kind) {
      case "run":
        return this.#scheduler.approve(node);
      case "skip":
        return this.#append({ type: "block-skipped", at: this.#now(), path: node.path, reason: verdict.reason });
      case "crash":
        return this.#finish(node, crashed(verdict.message), this.#defaults(node));
    }
  }

  #begin(node: Node): void {
    if (!this.#gate.enter(node)) return this.#scheduler.setAside(node);
    const prepared = prepareBlock(node, this.state.started.runId);
    switch (prepared.kind) {
      case "crash":
        this.#gate.leave(node);
        return this.#finish(node, crashed(prepared.message), this.#defaults(node));
      case "loop":
        return this.#start(
          node,
          { kind: "loop", elements: prepared.elements },
          emptyMap,
          prepared.handles,
          this.#now(),
        );
      case "block":
        return this.#startBlock(node, prepared, prepared.handles);
    }
  }

  /** An element of a stopped loop that only waits has not done anything; a block deeper inside leaves something unfinished. */
  #withdraw(node: Node, reason: SkipReason): void {
    if (reason.kind === "loop-stopped" && node.element !== undefined) {
      return this.#append({ type: "block-skipped", at: this.#now(), path: node.path, reason });
    }
    this.#finish(node, crashed(reason.message), this.#defaults(node));
  }

  #startBlock(node: Node, call: BlockCall, handles: readonly string[]): void {
    const { behaviour } = blockOf(node).type;
    if (behaviour.kind === "leaf") {
      this.#start(node, { kind: "leaf" }, call.input, handles, this.#now());
      this.#effects.push(() => this.#runLeaf(node, behaviour, call, undefined));
      return;
    }
    const at = this.#now();
    const inside = enterChild(node, behaviour.child(call.input), this.state, at, this.#options.children);
    if (!inside.ok) return this.#finish(node, crashed(inside.error), this.#defaults(node));
    this.#start(node, inside.value, call.input, handles, at);
    this.#limitTime(node, shorter(call.timeoutSeconds, (node.inside as WorkflowInside).plan.definition.timeout));
  }

  #start(node: Node, inside: Inside, inputs: ValueMap, handles: readonly string[], at: string): void {
    const { runId } = this.state.started;
    this.#startedAt.set(node, this.#options.ports.clock.monotonic());
    this.#append({
      type: "block-started",
      at,
      path: node.path,
      attempt: 1,
      inputs,
      idempotencyKey: idempotencyKey(runId, node.path),
      handles,
      inside,
    });
  }

  #resume(node: Node): void {
    const definition = blockOf(node);
    const answer = node.pending?.answer;
    const call = resolveCall(definition, WorkflowScope.ofBlock(node, this.state.started.runId));
    if (!call.ok || definition.type.behaviour.kind !== "leaf") {
      return this.#finish(node, crashed(call.ok ? "it can't be resumed" : call.error), this.#defaults(node));
    }
    const { behaviour } = definition.type;
    this.#startedAt.set(node, this.#options.ports.clock.monotonic());
    this.#effects.push(() => this.#runLeaf(node, behaviour, call.value, answer));
  }

  #runLeaf(node: Node, behaviour: LeafBehaviour, call: BlockCall, answer: { readonly value: Value } | undefined): void {
    void this.#leaves.run(node, behaviour, call, this.#defaults(node), answer).then((result) => {
      this.#gate.leave(node);
      this.#settleLeaf(node, result);
      this.#wake();
    });
  }

  #settleLeaf(node: Node, result: LeafResult): void {
    if (result.kind === "ended") return this.#finish(node, result.ending, result.outputs);
    this.#append({
      type: "block-paused",
      at: this.#now(),
      path: node.path,
      pendingId: pendingId(this.state.started.runId, node.path, node.questions),
      prompt: result.prompt,
      durationMs: this.#duration(node),
    });
  }

  #conclude(node: Node): void {
    const { inside } = node;
    if (inside.kind === "leaf") throw new Error(`${node.path} has nothing inside to conclude.`);
    if (inside.kind === "loop") {
      const { ending, outputs } = concludeLoop(node, inside);
      return this.#finish(node, ending, outputs);
    }
    const scope = WorkflowScope.inside(node, this.state.started.runId);
    const { ending, outputs, remarks } = concludeWorkflow(node, inside, scope);
    if (node.parent !== undefined) return this.#finish(node, ending, outputs, remarks);
    this.#limits.end(node);
    const durationMs = this.#duration(node);
    this.#append({ type: "run-finished", at: this.#now(), ...ending, outputs, durationMs, remarks });
  }

  #finish(node: Node, ending: Ending, outputs: ValueMap, remarks?: WorkflowRemarks): void {
    this.#limits.end(node);
    this.#append({
      type: "block-finished",
      at: this.#now(),
      path: node.path,
      ...ending,
      outputs,
      durationMs: this.#duration(node),
      ...(remarks === undefined ? {} : { remarks }),
    });
    this.#startedAt.delete(node);
  }

  #defaults(node: Node): ValueMap {
    return defaultOutputs(node, (name) => frozenDefinition(this.state, name));
  }

  /** A workflow's own time limit, and that of the block it runs for, end everything below it. */
  #limitTime(node: Node, seconds: number | undefined): void {
    if (seconds === undefined) return;
    const message = `timed out after ${formatSeconds(seconds)}`;
    this.#limits.start(node, seconds, () => {
      if (node.parent === undefined) return this.cancel(message, false);
      this.#append({ type: "block-cancelling", at: this.#now(), path: node.path, message });
      this.#stopBelow(node);
      this.#wake();
    });
  }

  #stopBelow(node: Node): void {
    this.#leaves.stopWithin(node);
    this.#gate.dismissWaiting();
  }

  #append(event: RunEvent): void {
    applyEvent(this.state, event);
    this.#scheduler.observe(event);
    this.#turn.push(event);
    if (event.type === "prompt-answered") this.#limits.goOnAround(nodeAt(this.state, event.path));
    if (event.type === "block-finished" || event.type === "block-skipped" || event.type === "block-paused") {
      this.#limits.pauseAround(nodeAt(this.state, event.path), (node) => this.#scheduler.isQuiet(node));
    }
  }

  #endTurn(): void {
    if (this.#turn.length > 0) this.#options.onEvents(this.#turn.splice(0));
    for (const effect of this.#effects.splice(0)) effect();
  }

  async #cleanUp(): Promise<void> {
    await this.#options.ports.processes.endBackground(this.state.started.runId);
    // What can't be removed is a nuisance; it must not cost the result of the run.
    await this.#options.scratch.remove().catch((error: unknown) => {
      this.#options.warn(
        `The run's scratch directory can't be removed: ${error instanceof Error ? error.message : error}`,
      );
    });
  }

  #duration(node: Node): number {
    const since = this.#startedAt.get(node);
    if (since === undefined) return 0;
    const microseconds = Math.round((this.#options.ports.clock.monotonic() - since) * 1000);
    return Math.max(0, microseconds / 1000);
  }

  /** Wall time, but never before what has been said already: a clock set back must not make an end precede its start. */
  #now(): string {
    const now = this.#options.ports.clock.now().toISOString();
    if (now > this.#latest) this.#latest = now;
    return this.#latest;
  }
}

function blockOf(node: Node): BlockDefinition {
  if (node.block === undefined) throw new Error("The root of a run is not a block.");
  return node.block.definition;
}

function shorter(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
