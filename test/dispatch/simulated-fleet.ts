import { newRunId } from "../../src/engine/ids.ts";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { answerQuestion } from "../../src/runs/answer-question.ts";
import { cancelRun } from "../../src/runs/cancel-run.ts";
import { queueOf } from "../../src/runs/choose-queue.ts";
import { queueRun } from "../../src/runs/start-run.ts";
import { Worker } from "../../src/runs/worker.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";
import { openTestEngine, type TestEngine } from "../rig/engine.ts";
import type { FakeClock } from "../rig/fake-clock.ts";
import { FakeDispatch, FakeQueues } from "../rig/fake-dispatch.ts";
import { idle } from "../rig/idle.ts";
import { TestMachine } from "../rig/machine.ts";
import { ending, step } from "../rig/step-engine.ts";
import { Steps } from "../rig/steps.ts";
import { unwrap } from "../rig/unwrap.ts";

/** What runs consist of; the name of each block has the number of its run, so that no two are alike. */
export type Kind = "chain" | "asks" | "sleeps" | "limited" | "cleans-up";

const blocksOf: Record<Kind, (run: number) => readonly object[]> = {
  chain: (run) => [step(`a${run}`), step(`b${run}`, { depends_on: [`a${run}`] })],
  asks: (run) => [ending(`q${run}`, "pause"), step(`a${run}`, { depends_on: [`q${run}`] })],
  sleeps: (run) => [
    { id: `w${run}`, type: "Wait", inputs: { duration: "2m" } },
    step(`a${run}`, { depends_on: [`w${run}`] }),
  ],
  limited: (run) => [step(`l${run}`)],
  "cleans-up": (run) => [step(`a${run}`)],
};

interface SimulatedWorker {
  readonly engine: TestEngine;
  readonly steps: Steps;
  readonly dispatch: FakeDispatch;
  readonly worker: Worker;
  /** `draining`: it has been told to end. */
  state: "lives" | "draining" | "gone";
}

export const slots = 2;
const nobody = { onEvents() {}, onOutput() {} };

/**
 * Real workers and a real door on a journal and on queues in memory, in one process and by one clock. Each call to the journal takes a
 * number of turns of the event loop that follows from a seed, so that what processes do falls into each other in every order.
 */
export class SimulatedFleet {
  readonly runs: { readonly runId: string; readonly kind: Kind; readonly number: number }[] = [];
  readonly workers: SimulatedWorker[] = [];
  /** What went wrong in what was asked for. */
  readonly failures: unknown[] = [];
  readonly queues: FakeQueues;
  readonly #machine: TestMachine;
  readonly #door: TestEngine;
  readonly #doorDispatch: FakeDispatch;
  readonly #clock: FakeClock;
  readonly #random: () => number;
  #pending = 0;

  constructor(seed: number, clock: FakeClock) {
    this.#clock = clock;
    this.#random = numbersFrom(seed);
    this.queues = new FakeQueues(() => clock.now().getTime());
    this.#machine = new TestMachine(this.#slow());
    this.#doorDispatch = new FakeDispatch(this.queues);
    this.#door = openTestEngine({ ...this.#common(this.#doorDispatch), types: [new Steps().type] });
  }

  /** For workers on this machine, where all of them are, or on another. */
  queue(kind: Kind, host = "here"): void {
    const number = this.runs.length;
    const cleanUp = kind === "cleans-up" ? { finally: [ending(`f${number}`, "succeed")] } : {};
    const limit = kind === "limited" ? { concurrency: 1 } : {};
    const plan = this.#door.plan({ name: kind, ...limit, ...cleanUp, blocks: blocksOf[kind](number) });
    const options = { inputs: {}, workspace: this.#machine.workspace, queue: queueOf(plan.definition, host) };
    const runId = newRunId(this.#clock.now());
    this.runs.push({ runId, kind, number });
    this.#ask(queueRun(this.#door.engine, plan, { ...options, runId }).then(unwrap));
  }

  startWorker(): void {
    const steps = new Steps();
    const dispatch = new FakeDispatch(this.queues);
    const engine = openTestEngine({ ...this.#common(dispatch), types: [steps.type] });
    const { platform } = engine.engine;
    const parts = { platform, dispatch, openRuntime: () => engine.engine, log: () => {} };
    const settings = { workspace: this.#machine.workspace, labels: [], slots, drainMs: 5_000 };
    const worker = new Worker(parts, settings);
    const started: SimulatedWorker = { engine, steps, dispatch, worker, state: "lives" };
    this.workers.push(started);
    this.#ask(worker.start().catch((error: unknown) => this.#endUnstarted(started, error)));
  }

  /** A process whose worker can't start because the database is away ends, and says so; for its supervisor to start it again. */
  #endUnstarted(worker: SimulatedWorker, error: unknown): void {
    if (!/database is away/.test(String(error))) throw error;
    this.#die(worker);
  }

  /** As by kill -9. */
  kill(at: number): void {
    const worker = this.#pick(this.living, at);
    if (worker !== undefined) this.#die(worker);
  }

  #die(worker: SimulatedWorker): void {
    worker.state = "gone";
    worker.engine.process.die();
    worker.dispatch.die();
  }

  drain(at: number): void {
    const worker = this.#pick(
      this.workers.filter(({ state }) => state === "lives"),
      at,
    );
    if (worker === undefined) return;
    worker.state = "draining";
    const drained = worker.worker.drain(new AbortController().signal).then(() => {
      if (worker.state === "draining") worker.state = "gone";
    });
    this.#ask(drained);
  }

  /** The queues of one worker, or of the door, can't be reached for a while. */
  setAway(at: number, isAway: boolean): void {
    const all = [this.#doorDispatch, ...this.workers.map(({ dispatch }) => dispatch)];
    const dispatch = this.#pick(all, at);
    if (dispatch !== undefined) dispatch.isAway = isAway;
  }

  release(at: number): void {
    const running = this.living.flatMap(({ steps }) => steps.running.map((path) => ({ steps, path })));
    const one = this.#pick(running, at);
    one?.steps.succeed(one.path);
  }

  async answer(at: number): Promise<void> {
    const questions = (await this.#machine.journal.list({ statuses: ["paused"] })).flatMap((run) => run.questions);
    const question = this.#pick(questions, at);
    if (question === undefined) return;
    const answer = { value: "yes", by: "test", isHuman: true };
    this.#ask(answerQuestion(this.#door.engine, question.id, answer, nobody));
  }

  cancel(at: number): void {
    const run = this.#pick(this.runs, at);
    if (run !== undefined) this.#ask(cancelRun(this.#door.engine, run.runId, nobody));
  }

  /** Asks for a stretch once more that was asked for before: a row too many does no harm. */
  repeat(at: number): void {
    const segment = this.#pick(this.#doorDispatch.asked, at);
    if (segment !== undefined) this.#ask(this.#doorDispatch.enqueue(segment).catch(() => {}));
  }

  advance(ms: number): void {
    this.#clock.advance(ms);
  }

  /** Until nothing happens by itself any more. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 4; ) {
      await idle();
      quiet = this.#pending === 0 ? quiet + 1 : 0;
    }
  }

  /** Until it is so, or can't be expected any more: files are removed at the speed of the disk, which no clock of ours tells. */
  async until(isSo: () => boolean): Promise<void> {
    for (const deadline = performance.now() + 10_000; !isSo() && performance.now() < deadline; ) await this.settle();
  }

  async close(): Promise<void> {
    for (const worker of this.living) {
      worker.engine.process.die();
      worker.dispatch.die();
    }
    await this.settle();
    for (const { engine } of [...this.workers, { engine: this.#door }]) await engine.close();
    this.#machine.close();
    this.#clock.forget();
  }

  get living(): SimulatedWorker[] {
    return this.workers.filter(({ state }) => state !== "gone");
  }

  get journal(): TestMachine["journal"] {
    return this.#machine.journal;
  }

  #common(dispatch: FakeDispatch): Parameters<typeof openTestEngine>[0] & object {
    return { machine: this.#machine, dispatch, clock: this.#clock, onWarning() {} };
  }

  /** What it waits for is what the next steps bring. */
  #ask(asked: Promise<unknown>): void {
    asked.catch((error: unknown) => this.failures.push(error));
  }

  #pick<T>(all: readonly T[], at: number): T | undefined {
    return all.length === 0 ? undefined : all[at % all.length];
  }

  #slow(): TestMachine["journal"] {
    return decorateJournal(createMemoryJournal({ now: () => this.#clock.now().getTime() }), ({ name, perform }) =>
      name === "subscribe" || name === "close" ? perform() : this.#later(perform),
    );
  }

  async #later(perform: () => unknown): Promise<unknown> {
    this.#pending += 1;
    try {
      for (let turns = this.#random() % 4; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      const result = await perform();
      for (let turns = this.#random() % 4; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      return result;
    } finally {
      this.#pending -= 1;
    }
  }
}

function numbersFrom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state >>> 8;
  };
}
