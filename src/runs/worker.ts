import type { Log } from "../util/log.ts";
import { settledWithin, waitWithin } from "../util/wait-within.ts";
import { collectWhenDue, sweepLeftovers } from "./collect-garbage.ts";
import { describeFailure } from "./describe-failure.ts";
import type { Segment, TakenEnd, WorkerDispatch } from "./dispatch.ts";
import { driveSegment } from "./drive-segment.ts";
import type { RunListener } from "./driven-run.ts";
import { enqueueIfWaiting, waitingSegment } from "./enqueue-run.ts";
import { askForWaiting, clearSegments, isSame } from "./look-after-segments.ts";
import type { Platform } from "./platform.ts";
import { findRun } from "./read-run.ts";
import { runSchedules, scheduledIn } from "./run-schedules.ts";
import type { Runtime } from "./runtime.ts";
import { endedHereCode } from "./take-over.ts";

export interface WorkerSettings {
  /** The directory whose workflows it starts when their schedule says so. */
  readonly workspace: string;
  /** What it can do: it takes runs that ask for some of these. */
  readonly labels: readonly string[];
  /** How many runs it drives at the same time. */
  readonly slots: number;
  /** How long its runs may go on once it is to end. */
  readonly drainMs: number;
  /** Where it tells how it is, if anywhere. */
  readonly http?: { readonly host: string; readonly port: number; readonly allowedHosts: readonly string[] };
}

export interface WorkerParts {
  readonly platform: Platform;
  readonly dispatch: WorkerDispatch;
  openRuntime(workspace: string): Runtime;
  readonly log: Log;
}

/** Between two looks of all workers for runs that wait, and for what dead ones have left. */
const lookMs = 2_000;
const clearMs = 30_000;
/** Until what nobody needs any more is removed for the first time, and between two times. */
const [firstSweepMs, sweepMs] = [10 * 60_000, 24 * 60 * 60_000];
/** For runs to be given back that are stopped; what they have started is killed by then. */
const stopMs = 8_000;
const stopNowMs = 1_500;

/** What happens in its runs is in the journal and the logs, for whoever asks. */
const nobody: RunListener = { onEvents() {}, onOutput() {} };

/** Drives runs that wait for a worker: each until it ends, waits for an answer or sleeps, so that only what goes on holds a slot. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #settings: WorkerSettings;
  readonly #taken = new Map<string, Promise<TakenEnd>>();
  readonly #stop = new AbortController();
  readonly #leave = new AbortController();
  /** Runs that could not be driven here, each told of once. */
  readonly #refused = new Set<string>();
  readonly #left: string[] = [];
  #looking: Promise<void> | undefined;
  #scheduling: Promise<void> | undefined;
  #isReachable = true;

  constructor(parts: WorkerParts, settings: WorkerSettings) {
    this.#parts = parts;
    this.#settings = settings;
  }

  /** Rejects when the database can't be used. */
  async start(): Promise<void> {
    const { platform, dispatch } = this.#parts;
    const { labels, slots } = this.#settings;
    await platform.journal();
    const workspaces = platform.workspaces.examine();
    if (!workspaces.ok) {
      this.#parts.log(
        "warn",
        `Runs whose workflow has \`workspace\` can't be driven here: ${workspaces.error} Make it writable, or name another directory with FROND_WORKSPACES_DIR.`,
      );
    }
    await dispatch.listen({ labels, slots, host: platform.host, take: (segment) => this.#take(segment) });
    this.#looking = this.#look();
    void this.#housekeep();
    this.#tellSchedules();
    this.#scheduling = runSchedules({ ...this.#parts, ...this.#settings }, this.#leave.signal);
  }

  /** So that whoever starts it in a directory that is not meant sees it at once. */
  #tellSchedules(): void {
    const { openRuntime, log } = this.#parts;
    const { workspace } = this.#settings;
    const names = scheduledIn(openRuntime(workspace)).map(({ name }) => name);
    const what = names.length === 0 ? "no workflow has one" : names.join(", ");
    log("info", `keeping the schedules of ${workspace}: ${what}`, { workspace, schedules: names.length });
  }

  /** Takes nothing more, and lets its runs end for a while; then, or when the signal comes, leaves them to others. Gives those by their ids. */
  async drain(now: AbortSignal): Promise<readonly string[]> {
    const { dispatch, log } = this.#parts;
    const { drainMs } = this.#settings;
    dispatch.pause();
    this.#leave.abort();
    const count = this.#taken.size;
    if (count > 0)
      log(
        "info",
        `draining: takes nothing more; ${count === 1 ? "1 run has" : `${count} runs have`} ${drainMs / 1000} s to end`,
      );
    await settledWithin(this.#allEnded(), drainMs, now);
    this.#stop.abort();
    await settledWithin(this.#allEnded(), now.aborted ? stopNowMs : stopMs);
    await settledWithin(this.#close(), stopNowMs);
    return this.#left;
  }

  async #close(): Promise<void> {
    try {
      await this.#looking;
      await this.#scheduling;
      await this.#parts.dispatch.end();
    } catch (error) {
      this.#parts.log("warn", `The database was not told of the end: ${describeFailure(error)}`);
    }
  }

  async #allEnded(): Promise<void> {
    while (this.#taken.size > 0) await Promise.allSettled(this.#taken.values());
  }

  #take(segment: Pick<Segment, "runId" | "sequence" | "fence">): Promise<TakenEnd> {
    if (this.#leave.signal.aborted) return Promise.resolve("put-back");
    const taking = this.#drive(segment);
    this.#taken.set(segment.runId, taking);
    const forget = (): void => void this.#taken.delete(segment.runId);
    taking.then(forget, forget);
    return taking;
  }

  async #drive(segment: Pick<Segment, "runId" | "sequence" | "fence">): Promise<TakenEnd> {
    const { platform, dispatch, openRuntime, log } = this.#parts;
    const { runId } = segment;
    try {
      const found = await findRun(platform, runId);
      // Removed, driven, ended or at rest; or asked for anew since.
      const waiting = found.ok ? waitingSegment(found.value, platform) : undefined;
      if (!found.ok || waiting === undefined || !isSame(waiting, segment)) return "over";
      const { workflow, workspace } = found.value;
      // It is asked for again when one of its workflow ends.
      if (!(await dispatch.acquire(waiting))) return "over";
      log("info", "run taken", { runId, workflow });
      const ended = await this.#driveWithinLimit(waiting, () =>
        driveSegment(openRuntime(workspace), found.value, nobody, this.#stop.signal),
      );
      if (!ended.ok && ended.error.code === endedHereCode) {
        log("warn", `run failed before it began: ${ended.error.message}`, { runId, workflow });
        return "over";
      }
      if (!ended.ok) return this.#refuse(runId, ended.error.message);
      this.#refused.delete(runId);
      log(ended.value === "lost" ? "warn" : "info", `run ${ended.value}`, { runId, workflow });
      if (ended.value === "stopped") await this.#leaveToOthers(runId);
      return "over";
    } catch (error) {
      return this.#refuse(runId, describeFailure(error));
    }
  }

  async #leaveToOthers(runId: string): Promise<void> {
    this.#left.push(runId);
    await enqueueIfWaiting(this.#parts.platform, runId);
  }

  #refuse(runId: string, why: string): "refused" {
    if (!this.#refused.has(runId)) this.#parts.log("warn", `${runId} can't be driven here now: ${why}`, { runId });
    this.#refused.add(runId);
    return "refused";
  }

  /** The slot of its workflow is free again however it ends; one that can't be released is free when the segment is over. */
  async #driveWithinLimit<T>(segment: Segment, drive: () => Promise<T>): Promise<T> {
    try {
      return await drive();
    } finally {
      await this.#parts.dispatch.release(segment).catch((error: unknown) => {
        this.#parts.log("debug", `The slot of ${segment.runId} can't be released: ${describeFailure(error)}`);
      });
      if (segment.queue.concurrency !== undefined) void this.#fillSlot(segment.workflow);
    }
  }

  /** The next run of a workflow that may have only so many going on need not wait for somebody to look. */
  async #fillSlot(workflow: string): Promise<void> {
    try {
      if (!this.#leave.signal.aborted) await askForWaiting(this.#parts, 0, workflow);
    } catch (error) {
      this.#parts.log("debug", `Runs of ${workflow} that wait can't be looked for: ${describeFailure(error)}`);
    }
  }

  async #look(): Promise<void> {
    const { dispatch } = this.#parts;
    const { signal } = this.#leave;
    while (!signal.aborted) {
      try {
        const look = await dispatch.takeTurn("look", lookMs * 0.75);
        if (look.isOurs) await askForWaiting(this.#parts, look.now);
        const clear = await dispatch.takeTurn("clear", clearMs);
        if (clear.isOurs) await clearSegments(this.#parts, clear.now);
        this.#tellReachable(true);
      } catch (error) {
        this.#tellReachable(false, describeFailure(error));
      }
      await waitWithin(lookMs, () => undefined, signal);
    }
  }

  /** Nobody waits for it, whatever becomes of it. */
  async #housekeep(): Promise<void> {
    const { platform } = this.#parts;
    const { signal } = this.#leave;
    await waitWithin(firstSweepMs, () => undefined, signal);
    while (!signal.aborted) {
      await collectWhenDue(platform);
      await sweepLeftovers(platform);
      await waitWithin(sweepMs, () => undefined, signal);
    }
  }

  #tellReachable(isReachable: boolean, why = ""): void {
    if (isReachable === this.#isReachable) return;
    this.#isReachable = isReachable;
    if (isReachable) this.#parts.log("info", "the database can be reached again");
    else this.#parts.log("warn", `Nothing can be taken until the database can be reached: ${why}`);
  }
}
