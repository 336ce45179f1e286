import { onTestFinished } from "vitest";
import { idOf, queueOf, queuesOf } from "../../src/dispatch/segment-rows.ts";
import type { OpenSegment, Segment, SegmentTaker, TakenEnd, WorkerDispatch } from "../../src/runs/dispatch.ts";
import { driveSegment, type SegmentEnd } from "../../src/runs/drive-segment.ts";
import { findRun } from "../../src/runs/read-run.ts";
import { findWaiting } from "../../src/runs/recover-runs.ts";
import { settledWithin, waitWithin } from "../../src/util/wait-within.ts";
import type { TestEngine, TestEngineOptions } from "./engine.ts";
import { createStepEngine } from "./step-engine.ts";
import type { Steps } from "./steps.ts";
import { unwrap } from "./unwrap.ts";

interface Row {
  readonly segment: Segment;
  readonly queue: string;
  status: "waiting" | "taken" | "over";
  /** Of whoever has it: what another one had of it before counts for nothing. */
  takenAs: object | undefined;
  /** Whether it holds a slot of its workflow. */
  isDriven: boolean;
  /** When it was taken, or was over. */
  at: number;
}

/** What all processes share: it lasts as long as the test. */
export class FakeQueues {
  readonly rows: Map<string, Row> = new Map();
  readonly turns: Map<string, number> = new Map();
  /** Told when something waits. */
  readonly listeners: Set<() => void> = new Set();
  readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** The oldest of some queues that nobody has. */
  take(queues: readonly string[], takenAs: object): Row | undefined {
    for (const row of this.rows.values()) {
      if (row.status !== "waiting" || !queues.includes(row.queue)) continue;
      row.status = "taken";
      row.takenAs = takenAs;
      row.at = this.now();
      return row;
    }
    return undefined;
  }

  /** Under whichever id it had before: it is the newest again. */
  wait(segment: Segment): void {
    const [id, queue] = [idOf(segment), queueOf(segment)];
    this.rows.delete(id);
    this.rows.set(id, { segment, queue, status: "waiting", takenAs: undefined, isDriven: false, at: this.now() });
    for (const hear of [...this.listeners]) hear();
  }

  end(row: Row): void {
    row.status = "over";
    row.at = this.now();
  }

  /** Those that hold a slot of a workflow. */
  driven(workflow: string): readonly Row[] {
    return this.open().filter((row) => row.isDriven && row.segment.workflow === workflow);
  }

  open(): readonly Row[] {
    return [...this.rows.values()].filter(({ status }) => status !== "over");
  }
}

/** How long a run that could not be driven is kept from being asked for, and what was taken may take to end. */
const [refusedMs, endMs] = [5_000, 1_000];

/** One process's way to queues in memory: what DBOS does, held to the same contract. */
export class FakeDispatch implements WorkerDispatch {
  /** All that was ever asked for here, once each. */
  readonly asked: Segment[] = [];
  readonly queues: FakeQueues;
  /** Set to let calls fail, as where the database is away. */
  isAway = false;
  readonly #closing = new AbortController();
  readonly #taking = new Set<Promise<void>>();
  #taker: SegmentTaker | undefined;
  #isPaused = false;
  #isDead = false;

  constructor(queues: FakeQueues = new FakeQueues()) {
    this.queues = queues;
  }

  async enqueue(segment: Segment): Promise<void> {
    await this.#reach();
    const { concurrency = Number.POSITIVE_INFINITY } = segment.queue;
    const open = this.queues.open();
    if (open.some((row) => idOf(row.segment) === idOf(segment))) return;
    const inSame = open.filter(
      (row) => row.status === "waiting" && row.queue === queueOf(segment) && row.segment.workflow === segment.workflow,
    );
    if (this.queues.driven(segment.workflow).length + inSame.length >= concurrency) return;
    if (!this.asked.some((one) => idOf(one) === idOf(segment))) this.asked.push(segment);
    this.queues.wait(segment);
  }

  async waiting(): Promise<ReadonlyMap<string, number>> {
    await this.#reach();
    const counts = new Map<string, number>();
    for (const { queue, status } of this.queues.open()) {
      if (status === "waiting") counts.set(queue, (counts.get(queue) ?? 0) + 1);
    }
    return counts;
  }

  async listen(taker: SegmentTaker): Promise<void> {
    await this.#reach();
    this.#taker = taker;
    this.queues.listeners.add(this.#poll);
    this.#poll();
  }

  pause(): void {
    this.#isPaused = true;
  }

  async end(): Promise<void> {
    this.pause();
    this.#closing.abort();
    await settledWithin(Promise.allSettled(this.#taking), endMs);
    this.queues.listeners.delete(this.#poll);
  }

  async takeTurn(name: string, everyMs: number): Promise<{ readonly isOurs: boolean; readonly now: number }> {
    await this.#reach();
    const now = this.queues.now();
    const last = this.queues.turns.get(name);
    const isOurs = last === undefined || last < now - everyMs;
    if (isOurs) this.queues.turns.set(name, now);
    return { isOurs, now: isOurs ? now : 0 };
  }

  async acquire(segment: Segment): Promise<boolean> {
    await this.#reach();
    const row = this.queues.rows.get(idOf(segment));
    const others = this.queues.driven(segment.workflow).filter((one) => one !== row);
    if (others.length >= (segment.queue.concurrency ?? Number.POSITIVE_INFINITY)) return false;
    if (row !== undefined) row.isDriven = segment.queue.concurrency !== undefined;
    return true;
  }

  async release(segment: Segment): Promise<void> {
    await this.#reach();
    const row = this.queues.rows.get(idOf(segment));
    if (row !== undefined) row.isDriven = false;
  }

  async listOpen(): Promise<readonly OpenSegment[]> {
    await this.#reach();
    return this.queues.open().map(({ segment, status, at, isDriven }) => ({
      ...{ runId: segment.runId, sequence: segment.sequence, fence: segment.fence },
      ...(isDriven && { slotOf: segment.workflow }),
      ...(status === "taken" && { takenAt: at }),
    }));
  }

  async putBack(segment: OpenSegment): Promise<void> {
    await this.#reach();
    const row = this.queues.rows.get(idOf(segment));
    if (row?.status === "taken") this.queues.wait(row.segment);
  }

  async drop(segments: Parameters<WorkerDispatch["drop"]>[0]): Promise<void> {
    await this.#reach();
    for (const segment of segments) {
      const row = this.queues.rows.get(idOf(segment));
      if (row !== undefined && row.status !== "over") this.queues.end(row);
    }
  }

  async forget(olderThanMs: number): Promise<void> {
    await this.#reach();
    for (const [id, { status, at }] of this.queues.rows) {
      if (status === "over" && at <= this.queues.now() - olderThanMs) this.queues.rows.delete(id);
    }
  }

  close(): Promise<void> {
    return this.end();
  }

  /** As by kill -9: nothing that it does from then on happens or is answered. */
  die(): void {
    this.#isDead = true;
    this.pause();
    this.queues.listeners.delete(this.#poll);
  }

  async #reach(): Promise<void> {
    if (this.#isDead) await new Promise<never>(() => {});
    if (this.isAway) throw new Error("The database is away.");
  }

  readonly #poll = (): void => {
    const { labels = [], host = "", slots = 0 } = this.#taker ?? {};
    while (!this.#isPaused && !this.isAway && this.#taking.size < slots) {
      const takenAs = {};
      const row = this.queues.take(queuesOf(labels, host), takenAs);
      if (row === undefined) return;
      const taking = this.#take(row, takenAs).finally(() => {
        this.#taking.delete(taking);
        this.#poll();
      });
      this.#taking.add(taking);
    }
  };

  async #take(row: Row, takenAs: object): Promise<void> {
    const end: TakenEnd = (await this.#taker?.take(row.segment).catch(() => "refused" as const)) ?? "refused";
    const isOurs = (): boolean => !this.#isDead && row.status === "taken" && row.takenAs === takenAs;
    if (end === "refused") void this.#endLater(row, isOurs);
    else if (isOurs()) end === "over" ? this.queues.end(row) : this.queues.wait(row.segment);
  }

  async #endLater(row: Row, isOurs: () => boolean): Promise<void> {
    await waitWithin(refusedMs, () => undefined, this.#closing.signal);
    if (isOurs()) this.queues.end(row);
  }
}

export interface FakeWorker {
  readonly engine: TestEngine;
  readonly steps: Steps;
  /** Drives one segment that waits, and says how it ended; nothing when none does. */
  work(): Promise<SegmentEnd | undefined>;
  /** Drives whatever waits, from now on. */
  serve(): void;
  /** Asks for what nobody has asked for: what a worker does every so often. */
  look(): Promise<void>;
  /** Leaves what it drives where it is, as on a restart. */
  readonly stopping: AbortController;
}

export interface FakeWorkerOptions extends TestEngineOptions {
  readonly dispatch: FakeDispatch;
  readonly labels?: readonly string[];
}

/** A worker in a process of its own, which does what the test says. */
export function createFakeWorker({ labels = [], ...options }: FakeWorkerOptions): FakeWorker {
  const { engine, steps } = createStepEngine(options);
  const { platform } = engine.engine;
  const { queues } = options.dispatch;
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const worker: FakeWorker = {
    engine,
    steps,
    stopping,
    serve() {
      const begin = (): void => void worker.work();
      queues.listeners.add(begin);
      stopping.signal.addEventListener("abort", () => queues.listeners.delete(begin));
      begin();
    },
    async work() {
      const row = queues.take(queuesOf(labels, platform.host), worker);
      if (row === undefined) return undefined;
      const silent = { onEvents() {}, onOutput() {} };
      const found = unwrap(await findRun(platform, row.segment.runId));
      const ended = unwrap(await driveSegment(engine.engine, found, silent, stopping.signal));
      queues.end(row);
      return ended;
    },
    async look() {
      for (const segment of await findWaiting(platform)) await options.dispatch.enqueue(segment);
    },
  };
  return worker;
}
