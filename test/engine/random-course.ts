import { createCatalog } from "../../src/block/catalog.ts";
import type { BlockType } from "../../src/block/define-block.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import type { RunEvent, RunStarted } from "../../src/engine/events.ts";
import { nodeAt } from "../../src/engine/node-at.ts";
import { createPlanSource } from "../../src/engine/plan-source.ts";
import { decisions, questionOf, type RunNode } from "../../src/engine/run-node.ts";
import { applyEvent, createState, type PlanSource, type RunState } from "../../src/engine/state.ts";
import { answerQuestion } from "../../src/runs/answer-question.ts";
import { cancelRun } from "../../src/runs/cancel-run.ts";
import { RunLost } from "../../src/runs/driven-run.ts";
import { openTestEngine, type TestEngine, type TestRun } from "../rig/engine.ts";
import type { FakeClock } from "../rig/fake-clock.ts";
import { idle } from "../rig/idle.ts";
import { TestMachine } from "../rig/machine.ts";
import { Steps } from "../rig/steps.ts";
import { checkEnd } from "./check-end.ts";
import { answerFor, checkAnswers, createRandom, meetFate } from "./fates.ts";
import { checkFresh } from "./fresh-scheduler.ts";
import { checkMoment, isEnding, msUntilWake, must } from "./invariants.ts";
import type { RandomWorkflow } from "./random-workflow.ts";
import { snapshot } from "./snapshot.ts";

export interface Course {
  /** Decides how each block ends, whatever the order. */
  readonly fate: number;
  /** Decides what happens next. */
  readonly order: number;
  /** The run is cancelled somewhere on the way. */
  readonly cancels?: true;
  /** Processes that drive the run die on the way, and others ask things of it. */
  readonly deaths?: true;
  /** Processes that drive the run are taken for dead, and go on nevertheless. */
  readonly zombies?: true;
  /** Time passes, so that limits are exceeded. */
  readonly time?: true;
  /** Interrupted blocks that are asked about become anything. */
  readonly decides?: true;
}

export interface Ended {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly plans: PlanSource;
  readonly processSlots: number;
}

const mostMoves = 2_000;
const inboxMs = 250;
const momentMs = 700;

/** Drives a run to its end by hand, checking at every moment what must always hold. */
export async function followCourse(workflow: RandomWorkflow, course: Course, clock: FakeClock): Promise<Ended> {
  const play = new Play(workflow, course, clock);
  try {
    await play.begin();
    for (let moves = 0; moves < mostMoves; moves++) {
      const ended = await play.look();
      if (ended !== undefined) return ended;
      await play.move();
    }
    throw new Error("The run does not end.");
  } finally {
    await play.close();
  }
}

interface Process {
  readonly steps: Steps;
  readonly engine: TestEngine;
}

class Play {
  readonly #workflow: RandomWorkflow;
  readonly #course: Course;
  readonly #clock: FakeClock;
  readonly #next: (below: number) => number;
  readonly #machine = new TestMachine();
  readonly #processes: Process[] = [];
  readonly #processSlots: number;
  readonly #events: RunEvent[] = [];
  readonly #zombies: Process[] = [];
  /** The fold over the events that are durable. */
  #folded: RunState | undefined;
  #plans: PlanSource | undefined;
  #driver: Process;
  #run: TestRun | undefined;

  constructor(workflow: RandomWorkflow, course: Course, clock: FakeClock) {
    this.#workflow = workflow;
    this.#course = course;
    this.#clock = clock;
    this.#next = createRandom(course.order);
    this.#processSlots = 1 + (course.fate % 3);
    this.#driver = this.#boot();
  }

  async begin(): Promise<void> {
    const maxParallel = 1 + (this.#course.fate % 4);
    this.#run = await this.#driver.engine.start(this.#workflow.root, { maxParallel });
  }

  async close(): Promise<void> {
    this.#clock.forget();
    for (const { engine } of this.#processes) await engine.close();
    this.#machine.close();
  }

  /** Waits until nothing happens by itself, and checks what must hold then. */
  async look(): Promise<Ended | undefined> {
    await this.#idle();
    const folded = await this.#fold();
    if (folded.finished !== undefined) return this.#end(folded);
    if (this.#driver.engine.process.isDead) {
      for (const path of this.#driver.steps.running) {
        must(nodeAt(folded, path).stage.kind === "running", `${path} began before it was durable`);
      }
      await this.#takeOver();
      return this.look();
    }
    const { state } = this.#held;
    must(snapshot(folded) === snapshot(state), "the state is what the durable events say");
    checkFresh(folded);
    checkMoment(state, this.#driver.steps.running, this.#processSlots, this.#clock.now());
    checkAnswers(this.#driver.steps, this.#events);
    return undefined;
  }

  /** A process that died with the last event leaves nothing but the events. */
  #end(folded: RunState): Ended {
    const state = this.#driver.engine.process.isDead ? folded : this.#held.state;
    const plans = this.#plans as PlanSource;
    checkFresh(folded);
    checkEnd(state, this.#events, plans);
    return { state, events: this.#events, plans, processSlots: this.#processSlots };
  }

  async move(): Promise<void> {
    const { cancels, deaths, time, zombies } = this.#course;
    if (cancels && this.#next(8) === 0) return this.#cancel();
    if (time && this.#next(4) === 0) return this.#clock.advance(momentMs);
    if (zombies && this.#next(8) === 0) return this.#loseSight();
    if (zombies && this.#next(4) === 0) return this.#stir();
    if (deaths) {
      const { process } = this.#driver.engine;
      const moment = this.#next(12);
      if (moment === 0) return process.die();
      if (moment === 1) process.doom("before-append");
      if (moment === 2) process.doom("after-append");
    }
    return this.#goOn();
  }

  /** Something that runs ends, a question is answered, or time passes for what sleeps. */
  async #goOn(): Promise<void> {
    const { steps } = this.#driver;
    const { state } = this.#held;
    // One that is given up may have to wait for a place in its loop, and is not answered any more.
    const pending = [...state.questions].filter(([, node]) => !isEnding(node));
    const choice = this.#next(steps.running.length + pending.length + Math.min(1, state.sleeping.size));
    const path = steps.running[choice];
    if (path !== undefined) return meetFate(steps, nodeAt(state, path), this.#events, this.#course.fate);
    const [id, node] = pending[choice - steps.running.length] ?? [];
    if (id === undefined || node === undefined) return this.#sleep();
    await this.#answer(id, this.#decide(node) ?? answerFor(node, this.#events));
  }

  /** Some of the time passes, or all of it. A run that nobody drives is then taken by any process, which may be late. */
  async #sleep(): Promise<void> {
    const { state, runId } = this.#held;
    must(state.sleeping.size > 0, "nothing runs and nothing waits, but it has not ended");
    const leftMs = msUntilWake(state, this.#clock);
    const isTooEarly = leftMs > 1 && this.#next(4) === 0;
    this.#clock.advance(isTooEarly ? leftMs - 1 : leftMs + (this.#next(3) === 0 ? momentMs : 0));
    if (!state.paused) return;
    if (this.#next(2) === 0) this.#driver = this.#boot();
    this.#run = await this.#driver.engine.takeOver(runId);
  }

  #decide(node: RunNode): string | undefined {
    if (!this.#course.decides || questionOf(node)?.about !== "interruption") return undefined;
    return decisions[this.#next(decisions.length)];
  }

  async #answer(id: string, value: string): Promise<void> {
    const run = this.#held;
    const byOther = this.#course.deaths !== undefined && this.#next(3) === 0;
    if (byOther && !run.state.paused) {
      const answer = { value, by: "another", isHuman: true };
      const told = await answerQuestion(this.#boot().engine.engine, id, answer, nobody);
      // One that died may have left an answer, which then counts.
      must(told.ok && told.value.kind !== "driven", "the owner is told");
      return this.#clock.advance(inboxMs);
    }
    if (byOther) {
      this.#driver = this.#boot();
      this.#run = await this.#driver.engine.takeOver(run.runId);
      await this.#idle();
    }
    // A process that dies with it does not say whether the answer was taken.
    const answering = this.#held.answer(id, value);
    const answered = await Promise.race([answering, this.#idle()]);
    must(answered?.ok ?? this.#driver.engine.process.isDead, "the answer is taken");
  }

  async #cancel(): Promise<void> {
    const { state, runId } = this.#held;
    if (state.paused || this.#next(2) === 0) return this.#held.cancel();
    const told = await cancelRun(this.#boot().engine.engine, runId, nobody);
    must(told.ok && told.value === "posted", "the owner is told");
    this.#clock.advance(inboxMs);
  }

  /** The run is taken over although its owner lives. */
  async #loseSight(): Promise<void> {
    const { state, settled } = this.#held;
    if (state.paused) return;
    settled.catch((error: unknown) => must(error instanceof RunLost, `its former owner says: ${error}`));
    this.#machine.presumeGone(this.#driver.engine.process);
    this.#zombies.push(this.#driver);
    await this.#takeOver();
  }

  /** A former owner wants to go on, and finds that it can't. */
  async #stir(): Promise<void> {
    const zombie = this.#zombies[this.#next(this.#zombies.length)];
    const [path] = zombie?.steps.running ?? [];
    if (zombie === undefined || path === undefined) return;
    zombie.steps.succeed(path, "stale");
    await this.#idle();
    must(zombie.steps.running.length === 0, `${zombie.steps.running} still run for a former owner`);
  }

  async #takeOver(): Promise<void> {
    const { runId } = this.#held;
    this.#driver = this.#boot();
    this.#run = await this.#driver.engine.takeOver(runId);
    await this.#idle();
  }

  async #fold(): Promise<RunState> {
    const { runId } = this.#held;
    const fresh = await this.#machine.journal.read(runId, this.#events.length);
    for (const event of fresh) {
      if (this.#folded === undefined) {
        const started = event as RunStarted;
        const catalog = createCatalog([...blockTypes, ...typesOf(new Steps())]);
        this.#plans = createPlanSource(started.definitions, catalog);
        this.#folded = createState(started, this.#plans);
      } else {
        if (event.type === "block-woken") this.#checkWake(nodeAt(this.#folded, event.path));
        applyEvent(this.#folded, event);
      }
      this.#events.push(event);
    }
    if (this.#folded === undefined) throw new Error("The run has no events.");
    return this.#folded;
  }

  /** By the clock, whatever the event says. */
  #checkWake({ path, stage }: RunNode): void {
    const isDue = stage.kind === "sleeping" && Date.parse(stage.until) <= this.#clock.now().getTime();
    must(isDue, `${path} is woken before its time`);
  }

  get #held(): TestRun {
    if (this.#run === undefined) throw new Error("The run has not begun.");
    return this.#run;
  }

  #boot(): Process {
    const steps = new Steps();
    const engine = openTestEngine({
      machine: this.#machine,
      clock: this.#clock,
      types: typesOf(steps),
      workflows: this.#workflow.library,
      maxProcesses: this.#processSlots,
    });
    const process = { steps, engine };
    this.#processes.push(process);
    return process;
  }

  #idle(): Promise<void> {
    return idle();
  }
}

const nobody = { onEvents() {}, onOutput() {} };

function typesOf({ type, command, computed }: Steps): BlockType[] {
  return [type, command, computed];
}
