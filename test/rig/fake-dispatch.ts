import { onTestFinished } from "vitest";
import type { Dispatch, Segment } from "../../src/runs/dispatch.ts";
import { driveSegment, type SegmentEnd } from "../../src/runs/drive-segment.ts";
import { findWaiting } from "../../src/runs/recover-runs.ts";
import type { TestEngine, TestEngineOptions } from "./engine.ts";
import { createStepEngine } from "./step-engine.ts";
import type { Steps } from "./steps.ts";
import { unwrap } from "./unwrap.ts";

/** Queues that last as long as the test. What has been asked for once is not kept twice. */
export class FakeDispatch implements Dispatch {
  /** All that was ever asked for, once each. */
  readonly asked: Segment[] = [];
  readonly #waiting: Segment[] = [];
  /** Told when something waits. */
  readonly listeners: Set<() => void> = new Set();
  /** Set to let the next calls fail, as where the database is away. */
  isAway = false;

  async enqueue(segment: Segment): Promise<void> {
    if (this.isAway) throw new Error("The database is away.");
    if (this.asked.some((one) => idOf(one) === idOf(segment))) return;
    this.asked.push(segment);
    this.#waiting.push(segment);
    for (const hear of this.listeners) hear();
  }

  /** The oldest that a worker may take. */
  take(labels: readonly string[], host: string): Segment | undefined {
    const index = this.#waiting.findIndex(
      (segment) =>
        segment.queue.labels.every((label) => labels.includes(label)) &&
        (segment.host === null || segment.host === host),
    );
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  async waiting(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { queue } of this.#waiting) {
      const name = queue.labels.join(",");
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  async close(): Promise<void> {}
}

function idOf({ runId, sequence, fence }: Segment): string {
  return `${runId}:${sequence}:${fence}`;
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

/** A worker in a process of its own. */
export function createFakeWorker({ labels = [], ...options }: FakeWorkerOptions): FakeWorker {
  const { engine, steps } = createStepEngine(options);
  const { platform } = engine.engine;
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const worker: FakeWorker = {
    engine,
    steps,
    stopping,
    serve() {
      const begin = (): void => void worker.work();
      options.dispatch.listeners.add(begin);
      stopping.signal.addEventListener("abort", () => options.dispatch.listeners.delete(begin));
      begin();
    },
    async work() {
      const segment = options.dispatch.take(labels, platform.host);
      if (segment === undefined) return undefined;
      const silent = { onEvents() {}, onOutput() {} };
      return unwrap(await driveSegment(engine.engine, segment, silent, stopping.signal));
    },
    async look() {
      for (const segment of await findWaiting(platform)) await options.dispatch.enqueue(segment);
    },
  };
  return worker;
}
