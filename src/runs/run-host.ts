import type { OutputStream } from "../block/ports.ts";
import type { RunEvent } from "../engine/events.ts";
import type { Settled } from "../engine/runner.ts";
import { settledWithin } from "../util/wait-within.ts";
import { collectWhenDue } from "./collect-garbage.ts";
import type { DrivenRun, RunListener } from "./driven-run.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Platform } from "./platform.ts";
import { takeWhenDue } from "./take-when-due.ts";
import { waitForRun } from "./wait-for-run.ts";

/** Passes on what happens in a run to everybody who watches it at the time. */
export class Audience implements RunListener {
  readonly #watchers = new Set<(events: readonly RunEvent[]) => void>();

  /** Returns how to stop. */
  watch(watcher: (events: readonly RunEvent[]) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  onEvents(events: readonly RunEvent[]): void {
    for (const watcher of this.#watchers) watcher(events);
  }

  /** What blocks write is in the logs, for whoever asks. */
  onOutput(_path: string, _stream: OutputStream, _chunk: Uint8Array): void {}
}

/** A run as whoever shows it sees it. */
export interface WatchedRun {
  readonly run: Pick<DrivenRun, "inspect">;
  readonly audience: Audience;
}

export interface HostedRun extends WatchedRun {
  readonly run: DrivenRun;
  /** Resolves, and never rejects, when it is no longer driven here; to how it came to rest, if it did. */
  readonly ended: Promise<Settled | undefined>;
}

/**
 * The runs that a process with many clients drives. A run goes on whoever waits for it; it leaves when it has ended, waits for
 * answers, or can't be driven any more.
 */
export class RunHost {
  readonly #platform: Platform;
  readonly #runs = new Map<string, HostedRun>();
  readonly #stopped = new Set<string>();
  /** Those in which something sleeps, and that are gone on with here when the time has come. */
  readonly #asleep = new Set<string>();
  /** From then on no run is taken any more; those that go on may end. */
  readonly #draining = new AbortController();
  readonly #closing = new AbortController();
  readonly #others = new Set<Promise<unknown>>();
  #collecting: Promise<void> | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Whether runs may still be started: none are once this process is about to end. */
  get isClosing(): boolean {
    return this.#draining.signal.aborted;
  }

  /** Whether a run was left where it was, and the journal does not know yet: it has an owner still, who does nothing for it. */
  hasStopped(runId: string): boolean {
    return this.#stopped.has(runId);
  }

  /** Whether this process wakes the run itself when the time has come. */
  wakes(runId: string): boolean {
    return this.#asleep.has(runId);
  }

  /** The runs that go on here, by their ids. */
  get driven(): readonly string[] {
    return [...this.#runs.keys()];
  }

  /** Those that this process would wake. */
  get asleep(): readonly string[] {
    return [...this.#asleep];
  }

  /** Comes when everything is being stopped. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Something beside the runs that has to have ended before everything has. */
  async accompany<T>(work: Promise<T>): Promise<T> {
    this.#others.add(work);
    try {
      return await work;
    } finally {
      this.#others.delete(work);
    }
  }

  find(runId: string): HostedRun | undefined {
    return this.#runs.get(runId);
  }

  /** Drives a run from now on. */
  take(run: DrivenRun, audience: Audience): HostedRun {
    const hosted: HostedRun = { run, audience, ended: this.#drive(run, audience) };
    this.#runs.set(run.runId, hosted);
    if (this.#closing.signal.aborted) void this.#stop(run);
    return hosted;
  }

  /**
   * Until the run has ended, waits for answers or sleeps for longer than that, whoever drives it; or until the time is over, or the
   * signal comes. Gives the run where it has ended here meanwhile, so that nobody has to read it again.
   */
  async wait(runId: string, longestMs: number, signal: AbortSignal): Promise<DrivenRun | undefined> {
    return (await Promise.race([this.#untilAtRest(runId, longestMs, signal), aborted(signal)])) ?? undefined;
  }

  async #untilAtRest(runId: string, longestMs: number, signal: AbortSignal): Promise<DrivenRun | undefined> {
    const { clock } = this.#platform;
    const deadline = clock.monotonic() + longestMs;
    const hosted = this.#runs.get(runId);
    if (hosted !== undefined) {
      let settled: Settled | undefined;
      const ended = hosted.ended.then((how) => {
        settled = how;
      });
      await settledWithin(ended, longestMs, signal);
      if (settled === "finished") return hosted.run;
      // It may have come to rest only for a while.
      if (settled !== "sleeping") return undefined;
    }
    await waitForRun(this.#platform, runId, deadline - clock.monotonic(), signal);
    return undefined;
  }

  /** Starts and wakes no more runs, and lets those that go on here end, for so long at most, or until the signal comes. */
  async drain(longestMs: number, signal: AbortSignal): Promise<void> {
    this.#draining.abort();
    const ends = [...this.#runs.values()].map(({ ended }) => ended);
    await settledWithin(Promise.allSettled([...ends, ...this.#others]), longestMs, signal);
  }

  /** Leaves every run where it is; others can go on with them. Resolves when nothing of them runs any more. */
  async stopAll(): Promise<void> {
    this.#draining.abort();
    this.#closing.abort();
    await Promise.all([...this.#runs.values()].map(({ run }) => this.#stop(run)));
    await Promise.allSettled(this.#others);
    await this.#collecting;
  }

  /** What can't be given back is found without an owner soon enough, and is no reason to leave the others running. */
  async #stop(run: DrivenRun): Promise<void> {
    try {
      await run.stop();
    } catch (error) {
      this.#platform.warn(`${run.runId} can't be released: ${explainFailure(error)?.message ?? describe(error)}`);
    }
  }

  async #drive(run: DrivenRun, audience: Audience): Promise<Settled | undefined> {
    try {
      const settled = await run.settled();
      if (settled !== "finished") void this.#wakeLater(run, audience);
      return settled;
    } catch (error) {
      const failure = explainFailure(error);
      if (failure?.code === "run-stopped") this.#stopped.add(run.runId);
      else if (failure?.code === "run-lost") this.#platform.warn(failure.message);
      else {
        this.#platform.warn(`${run.runId} was interrupted: ${failure?.message ?? describe(error)}`);
        // With the journal it is gone for good.
        if (failure?.code !== "journal-removed") void this.#giveBack(run);
      }
      return undefined;
    } finally {
      this.#runs.delete(run.runId);
      this.#collect();
    }
  }

  /** Where something in a run sleeps, this process goes on with it when the time has come, unless another one does. */
  async #wakeLater({ runtime, runId }: DrivenRun, audience: Audience): Promise<void> {
    this.#asleep.add(runId);
    try {
      const run = await takeWhenDue(runtime, runId, audience, this.#draining.signal);
      if (run !== undefined) this.take(run, audience);
    } catch (error) {
      this.#platform.warn(`${runId} could not be woken: ${explainFailure(error)?.message ?? describe(error)}`);
    } finally {
      this.#asleep.delete(runId);
    }
  }

  /** Whatever keeps the journal from being written to, such as a full disk, may pass; until it knows, nobody can go on with the run. */
  async #giveBack(run: DrivenRun): Promise<void> {
    this.#stopped.add(run.runId);
    while (!this.#closing.signal.aborted) {
      try {
        await run.stop();
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, giveBackMs).unref());
      }
    }
    this.#stopped.delete(run.runId);
  }

  /** Nobody waits for it, and however many runs end, once at a time is enough. */
  #collect(): void {
    if (this.#draining.signal.aborted) return;
    this.#collecting ??= collectWhenDue(this.#platform).finally(() => {
      this.#collecting = undefined;
    });
  }
}

/** Between two attempts to give a run back. */
const giveBackMs = 1_000;

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
