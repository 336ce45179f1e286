import { BlockCannotRun, isPure, type LeafBehaviour } from "../block/define-block.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import type { Value } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { ok, type Result } from "../util/result.ts";
import { settledPromises } from "../util/settled-promises.ts";
import { isSliceOver, nextSlice } from "../util/time-slice.ts";
import { pathOf } from "./address.ts";
import { AttemptEnds } from "./attempt-ends.ts";
import { Budgets } from "./budgets.ts";
import { cleanUp } from "./clean-up.ts";
import { EarlyEnds } from "./early-ends.ts";
import { enterChild } from "./enter-child.ts";
import { EventRecorder } from "./event-recorder.ts";
import { crashed, emptyMap, stopped } from "./execution.ts";
import { InterruptedBlocks } from "./interrupted-blocks.ts";
import { interrupted } from "./interruption.ts";
import { failuresBehind } from "./judge.ts";
import { recordedTooMuch } from "./limits.ts";
import { Observations } from "./observations.ts";
import { type BlockCall, judgeBlock, prepareBlock, resolveCall } from "./prepare-block.ts";
import { ProcessGate } from "./process-gate.ts";
import { Rollbacks } from "./rollbacks.ts";
import { crashMessage, type HowToCall } from "./run-leaf.ts";
import { isLeaf, type RunNode } from "./run-node.ts";
import type { RunnerOptions } from "./runner-options.ts";
import { type LeafReports, RunningLeaves } from "./running-leaves.ts";
import { Scheduler } from "./scheduler.ts";
import { WorkflowScope } from "./scope.ts";
import { Sleepers } from "./sleepers.ts";
import type { KeptAnswer, RunState } from "./state.ts";
import type { Step } from "./step.ts";
import { takeAnswer } from "./take-answer.ts";
import { TimeLimits } from "./time-limits.ts";
import { Turns } from "./turns.ts";

/**
 * Performs a run, from whatever state its events have left it in: takes steps from the scheduler, turns each into events, and
 * calls the blocks. Everything from outside (an answer, a cancellation, the end of a block, a time limit) waits for the next turn.
 */
export class Runner {
  readonly #state: RunState;
  readonly #options: RunnerOptions;
  readonly #scheduler: Scheduler;
  readonly #turns: Turns;
  readonly #recorder: EventRecorder;
  readonly #leaves: RunningLeaves;
  readonly #observations: Observations;
  readonly #limits: TimeLimits;
  readonly #sleepers: Sleepers;
  readonly #rollbacks: Rollbacks;
  readonly #ends: AttemptEnds;
  readonly #interrupted: InterruptedBlocks;
  readonly #early: EarlyEnds;
  readonly #gate: ProcessGate;
  readonly #budgets: Budgets;
  /** Blocks that do nothing but compute, and are doing it. */
  #computing = 0;
  /** Of blocks that are about to run: why there is no result to reuse. */
  readonly #notReused = new Map<RunNode, string>();
  #driving: Promise<Settled> | undefined;
  #stopped: { readonly reason: Error } | undefined;

  /** The state is the runner's own from now on; all its events are durable already, but for those of `ahead`. */
  constructor(state: RunState, options: RunnerOptions) {
    this.#options = options;
    this.#state = state;
    this.#turns = new Turns(options);
    this.#scheduler = new Scheduler(state);
    const { runId, observe = false } = state.started;
    this.#observations = new Observations({
      runId,
      observeAsked: observe,
      options,
      reports: {
        observationStarted: (node, snapshot, notCaptured) =>
          this.#turns.ask(() => this.#recorder.observe(node, snapshot, notCaptured)),
        changesObserved: (node, attempt, observed) =>
          this.#turns.ask(() => this.#recorder.recordObserved(node, attempt, observed)),
      },
    });
    const reports: LeafReports = {
      onProcess: (node, process) => {
        this.#turns.tell(() => {
          if (node.stage.kind !== "running") return;
          this.#recorder.append({ type: "process-started", at: this.#recorder.now(), path: node.path, process });
        });
      },
      announce: (node, announced) => this.#turns.ask(() => this.#recorder.announce(node, announced)),
    };
    this.#leaves = new RunningLeaves(runId, options, reports, this.#observations);
    this.#limits = new TimeLimits(options.platform.clock);
    // A test of a workflow waits for nothing.
    this.#sleepers = new Sleepers(state, options.platform.clock, options.standIn !== undefined);
    this.#recorder = new EventRecorder(state, this.#scheduler, this.#turns, this.#limits, options);
    const parts = { recorder: this.#recorder, turns: this.#turns };
    this.#rollbacks = new Rollbacks({ ...parts, options, onLost: (error) => this.stop(error) });
    this.#ends = new AttemptEnds(state.started.runId, { ...parts, leaves: this.#leaves, rollbacks: this.#rollbacks });
    this.#gate = new ProcessGate(options.platform.processSlots, (node) =>
      this.#turns.tell(() => this.#scheduler.retry(node)),
    );
    const around = { ...parts, scheduler: this.#scheduler, gate: this.#gate };
    this.#early = new EarlyEnds({ ...around, state, leaves: this.#leaves, limits: this.#limits });
    const held = { early: this.#early, limits: this.#limits, prices: options.platform.prices };
    this.#budgets = new Budgets({ ...around, ...held, state });
    this.#interrupted = new InterruptedBlocks({
      ...around,
      observations: this.#observations,
      ends: this.#ends,
      options,
    });
    if (state.sequence === 1) this.#recorder.begin(state.root);
    for (const node of state.nodes.values()) this.#early.restoreLimit(node);
  }

  /** Runs until the run has ended or nothing can go on without an answer. However many ask, it is driven once. */
  drive(): Promise<Settled> {
    this.#driving ??= this.#drive();
    return this.#driving;
  }

  async #drive(): Promise<Settled> {
    try {
      for (;;) {
        if (isSliceOver()) await nextSlice();
        if (this.#stopped !== undefined) throw this.#stopped.reason;
        if (this.#options.onlyRecords) {
          // Where nothing is asked it would be over before `drive` has kept its promise, and that one would be kept for ever.
          await Promise.resolve();
          this.#limits.endAll();
          if (!this.#turns.hasRequests) return "recorded";
          this.#turns.begin();
          await this.#turns.end();
          continue;
        }
        const wasFinished = this.#state.finished !== undefined;
        this.#turns.begin();
        for (const node of this.#sleepers.due()) {
          this.#recorder.resumeRun();
          this.#recorder.wake(node);
        }
        const isIdle = await this.#takeSteps();
        if (isIdle) this.#rest();
        const { finished, started, paused } = this.#state;
        // Who answers may do so much later, and in another process. Before the commit, after which another may drive the run.
        if (isIdle && paused) await this.#options.platform.browsers.end(started.runId);
        await this.#turns.end(isIdle && (finished !== undefined || paused) && this.#sleepers.due().length === 0);
        if (finished !== undefined && !wasFinished) await cleanUp(started.runId, finished, this.#options);
        if (this.#turns.hasRequests || !isIdle || this.#sleepers.due().length > 0) continue;
        if (this.#state.finished !== undefined) return "finished";
        if (this.#state.paused) return this.#state.questions.size === 0 ? "sleeping" : "paused";
        const stopAlarm = this.#sleepers.startAlarm(() => this.#turns.tell(() => {}));
        await this.#turns.untilAsked();
        stopAlarm();
      }
    } catch (error) {
      // Nothing can be recorded any more, so nothing may go on.
      this.#stopped ??= { reason: error instanceof Error ? error : new Error(String(error)) };
      this.#limits.endAll();
      this.#turns.refuseAll(error);
      await Promise.all([this.#leaves.stopAll(), this.#observations.stopAll(), this.#rollbacks.stopAll()]);
      this.#gate.close();
      throw error;
    } finally {
      // Not a moment after the last look at the requests: whoever asks then must begin a drive of their own.
      this.#driving = undefined;
    }
  }

  /**
   * False when there are more than this turn has room for. What blocks compute at once belongs to this turn too, unless something waits
   * for its commit: so a chain of them takes one commit.
   */
  async #takeSteps(): Promise<boolean> {
    for (;;) {
      for (let step = this.#nextStep(); step !== undefined; step = this.#nextStep()) {
        this.#attempt(step);
        if (!this.#turns.hasRoom()) return false;
        if (isSliceOver()) await nextSlice();
      }
      if (this.#turns.isAwaited) return true;
      if (this.#computing > 0) await settledPromises();
      if (!this.#turns.hasRequests || this.#stopped !== undefined) return true;
      if (!this.#turns.hasRoom()) return false;
      this.#turns.takeRequests();
    }
  }

  #nextStep(): Step | undefined {
    if (this.#recorder.isFull)
      this.#early.cancelRun({ cause: "limit", message: recordedTooMuch(this.#options.limits) });
    if (this.#state.failures.size > 0) this.#early.stopForFailures();
    if (this.#state.exceeded.size > 0) this.#budgets.askWhereIdle();
    return this.#scheduler.next();
  }

  /** Where nothing can go on by itself, or not soon, the run need not be driven. */
  #rest(): void {
    const { finished, paused, root } = this.#state;
    if (finished !== undefined || paused || !this.#scheduler.isQuiet(root)) return;
    if (this.#sleepers.wakesSoon || this.#limits.hurries) return;
    this.#recorder.rest(this.#sleepers.wakeAt);
  }

  /** Looks at the state when all that is in it is durable. What is seen may not be kept. */
  inspect<T>(look: (state: RunState) => T): Promise<T> {
    return this.#turns.look(() => look(this.#state));
  }

  /**
   * Answers a question; resolves when the answer is durable. One that does not fit leaves the question open, one to a question
   * already answered is no change, and gives that answer.
   */
  answer(id: string, answer: Value, by: string): Promise<Result<KeptAnswer | undefined, string>> {
    return this.#ask(() => takeAnswer(id, answer, by, this.#recorder, this.#budgets));
  }

  /** Nothing new starts, running blocks are told to stop, the run ends as failed. Resolves when that is durable. */
  cancel(message: string): Promise<void> {
    return this.#ask(() => this.#early.cancelRun({ cause: "cancelled", message }));
  }

  /** Stops driving where it is: whoever drives the run next finds it interrupted. */
  stop(reason: Error): void {
    this.#stopped ??= { reason };
    this.#turns.stop();
  }

  #ask<T>(perform: () => T): Promise<T> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped.reason);
    const asked = this.#turns.ask(perform);
    // A run that waits goes on; who drives it hears of what goes wrong, and so does whoever asked.
    this.drive().catch(() => {});
    return asked;
  }

  /** Whatever throws while a step is performed is a fault of that block, and must not take the run with it. */
  #attempt(step: Step): void {
    try {
      this.#perform(step);
    } catch (error) {
      if (step.node.ended || step.node.parent === undefined) throw error;
      this.#gate.leave(step.node);
      this.#recorder.finish(step.node, crashed(crashMessage(error)), this.#recorder.defaults(step.node));
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
      case "interrupted":
        return node.rollback === undefined ? this.#interrupted.decide(node) : this.#rollbacks.goOn(node);
      case "skip":
        this.#gate.leave(node);
        return this.#recorder.skip(node, step.reason);
      case "withdraw":
        this.#gate.leave(node);
        return this.#ends.withdraw(node, step.reason);
      case "conclude":
        if (node.rollback !== undefined) return this.#rollbacks.goOn(node);
        this.#ends.conclude(node);
        return this.#early.limitFinally(node);
    }
  }

  #consider(node: RunNode): void {
    const verdict = judgeBlock(node, this.#state.started.runId);
    switch (verdict.kind) {
      case "run":
        return this.#runOrReuse(node);
      case "skip":
        return this.#recorder.skip(node, verdict.reason);
      case "crash":
        return this.#recorder.finish(node, crashed(verdict.message), this.#recorder.defaults(node));
    }
  }

  #runOrReuse(node: RunNode): void {
    const decision = isLeaf(node) ? this.#options.reuse?.decide(node) : undefined;
    if (decision?.kind === "reuse") {
      return this.#recorder.reuse(node, decision.result, failuresBehind(node, this.#state.started.runId));
    }
    if (decision !== undefined) this.#notReused.set(node, decision.why);
    this.#scheduler.approve(node);
  }

  #begin(node: RunNode): void {
    if (!this.#gate.enter(node)) return this.#scheduler.setAside(node);
    const prepared = prepareBlock(node, this.#state.started.runId);
    switch (prepared.kind) {
      case "crash":
        this.#gate.leave(node);
        return this.#recorder.finish(node, crashed(prepared.message), this.#recorder.defaults(node));
      case "loop":
        return this.#recorder.start(node, { kind: "loop", elements: prepared.elements }, emptyMap, prepared.becauseOf);
      case "block":
        return this.#startBlock(node, prepared, prepared.becauseOf);
    }
  }

  #startBlock(node: RunNode, call: BlockCall, becauseOf: readonly string[]): void {
    const { type } = blockOf(node);
    const behaviour = this.#standIn(node) ?? type.behaviour;
    if (behaviour.kind === "leaf") {
      const admission = this.#budgets.admit(node, call, true);
      if (admission.kind === "held") return;
      if (admission.kind === "refused") throw new BlockCannotRun(admission.message);
      const notReused = this.#notReused.get(node);
      this.#notReused.delete(node);
      const { reserved } = admission;
      this.#recorder.start(node, { kind: "leaf" }, call.input, becauseOf, { notReused, reserved });
      return this.#beginLeaf(node, behaviour, call, { kind: "run" });
    }
    const at = this.#recorder.now();
    const inside =
      behaviour.kind === "group"
        ? ok({ kind: "group" } as const)
        : enterChild(node, behaviour.child(call.input), this.#state, at, this.#options);
    if (!inside.ok) return this.#recorder.finish(node, crashed(inside.error), this.#recorder.defaults(node));
    this.#recorder.start(node, inside.value, call.input, becauseOf, { at });
    this.#early.limitTime(node, call.timeoutSeconds);
  }

  #standIn(node: RunNode): LeafBehaviour | undefined {
    const { type, undoes } = blockOf(node);
    const path = undoes === undefined ? node.path : pathOf(undoes.block);
    return this.#options.standIn?.(path, type, this.#recorder.defaults(node), undoes !== undefined);
  }

  /** Goes on with a block that has begun: after an answer, or after an interruption. */
  #resume(node: RunNode): void {
    if (!this.#gate.enter(node)) return this.#scheduler.setAside(node);
    const { stage, answer } = node;
    const decision = stage.kind === "decided" ? stage.decision : undefined;
    if (decision === "fail") return this.#interrupted.fail(node, stopped(interrupted));
    if (decision === "done" && node.fileChange) return this.#interrupted.succeed(node, node.fileChange.outputs);
    const definition = blockOf(node);
    const call = resolveCall(definition, WorkflowScope.ofBlock(node, this.#state.started.runId));
    if (!call.ok) return this.#interrupted.fail(node, crashed(call.error));
    const { behaviour } = definition.type;
    if (behaviour.kind !== "leaf") throw new Error(`${node.path} holds blocks, which go on by themselves.`);
    // Adopting has no effect of its own, so it needs no intent: after another interruption the decision still stands.
    if (decision === "done") {
      const how = { kind: "adopt", soFar: () => this.#leaves.written(node) } as const;
      return this.#turns.afterwards(() => void this.#runLeaf(node, behaviour, call.value, how));
    }
    if (stage.kind === "woken") {
      const sleptMs = Math.max(0, Date.parse(this.#recorder.now()) - Date.parse(stage.since));
      return this.#beginLeaf(node, behaviour, call.value, { kind: "wake", sleptMs });
    }
    if (answer === undefined) return this.#startBlock(node, call.value, []);
    const isNew = stage.kind !== "answered";
    const admission = this.#budgets.admit(node, call.value, isNew);
    if (admission.kind === "held") return;
    if (admission.kind === "refused") return this.#interrupted.fail(node, crashed(admission.message));
    this.#recorder.begin(node);
    const attempt = node.record.metadata.attempts + (isNew ? 1 : 0);
    const about = { path: node.path, attempt, ...defined({ reserved: admission.reserved }) };
    this.#recorder.append({ type: "block-resumed", at: this.#recorder.now(), ...about });
    this.#beginLeaf(node, behaviour, call.value, { kind: "resume", answer: answer.value });
  }

  /** Once it is durable that it begins; but what only computes need not wait for that. */
  #beginLeaf(node: RunNode, behaviour: LeafBehaviour, call: BlockCall, how: HowToCall): void {
    const { type } = blockOf(node);
    const isOnlyComputed = behaviour === type.behaviour && !node.block?.readsSecrets && isPure(type, call.input);
    if (!isOnlyComputed) return this.#turns.afterwards(() => void this.#runLeaf(node, behaviour, call, how));
    this.#computing++;
    void this.#runLeaf(node, behaviour, call, how).then(() => {
      this.#computing--;
    });
  }

  async #runLeaf(node: RunNode, behaviour: LeafBehaviour, call: BlockCall, how: HowToCall): Promise<void> {
    const result = await this.#leaves.run(node, behaviour, call, this.#recorder.defaults(node), how);
    const durationMs = this.#recorder.duration(node);
    this.#turns.tell(() => {
      this.#gate.leave(node);
      this.#ends.settle(node, result, durationMs);
    });
  }
}

/** How a driven run comes to rest: `sleeping` until a time that is not near. */
/** `recorded`: of one that only records what is asked for. */
export type Settled = "finished" | "paused" | "sleeping" | "recorded";

function blockOf(node: RunNode): BlockDefinition {
  if (node.block === undefined) throw new Error("The root of a run is not a block.");
  return node.block.definition;
}
