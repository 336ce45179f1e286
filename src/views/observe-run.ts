import type { Catalog } from "../block/catalog.ts";
import type { Problem } from "../diagnostic/problem.ts";
import { pathOf } from "../engine/address.ts";
import type { RunEvent } from "../engine/events.ts";
import { applyEvent, type RunState } from "../engine/state.ts";
import type { RunSummary } from "../journal/journal.ts";
import type { RunListener } from "../runs/driven-run.ts";
import type { Platform } from "../runs/platform.ts";
import { findRun, isHeld, type RunStatus, restoreRun, statusOf } from "../runs/read-run.ts";
import { err, ok, type Result } from "../util/result.ts";
import { isSliceOver, nextSlice } from "../util/time-slice.ts";
import { waitWithin } from "../util/wait-within.ts";
import type { Followed } from "./follow-logs.ts";
import { LogReader } from "./read-logs.ts";
import { isLeft, type LiveRun } from "./shown-run.ts";
import { type ReadPatiently, readLogsPatiently } from "./wait-out-outages.ts";

/** A process that dies says nothing, and neither does a block that writes: somebody has to look. */
const lookMs = 100;
/** Whoever is to wake a run may be a little late. */
const wakePatienceMs = 10_000;

export interface ObserveOptions extends RunListener {
  /** Whether what blocks wrote that have ended before is told, too. */
  readonly pastOutput: boolean;
  readonly patiently: ReadPatiently;
}

/**
 * A run that other processes drive, as the process that drives it would see it: what has happened so far is told first. Looking
 * starts nothing and takes nothing over.
 */
export class ObservedRun implements LiveRun {
  readonly #platform: Platform;
  readonly #options: ObserveOptions;
  readonly #state: RunState;
  readonly #reader: LogReader;
  #sequence = 0;
  #status: RunStatus | undefined;

  private constructor(platform: Platform, state: RunState, options: ObserveOptions) {
    this.#platform = platform;
    this.#state = state;
    this.#options = options;
    this.#reader = new LogReader(readLogsPatiently(platform.logs, options.patiently), state.started.runId, {});
  }

  static async open(
    platform: Platform,
    catalog: Catalog,
    runId: string,
    options: ObserveOptions,
  ): Promise<Result<ObservedRun, Problem>> {
    const found = await findRun(platform, runId);
    if (!found.ok) return found;
    const restored = await restoreRun(platform, catalog, found.value);
    if (!restored.ok) return err(restored.error);
    const { events, state } = restored.value;
    const run = new ObservedRun(platform, state, options);
    run.#sequence = events.length;
    run.#reader.learn(events);
    if (!options.pastOutput) run.#reader.forgetEnded();
    await run.#tell(events);
    return ok(run);
  }

  async inspect<T>(look: (state: RunState) => T): Promise<T> {
    return look(this.#state);
  }

  /** What the events alone can't tell. */
  get standing(): { readonly status?: RunStatus } {
    return isLeft(this.#status) ? { status: this.#status as RunStatus } : {};
  }

  /**
   * Until it has ended, waits for answers, should have been woken, or nobody drives it any more: says which. Nothing when the signal
   * came first, or the run has been removed. As long as a person is asked for an answer it does not rest.
   */
  async untilAtRest(signal: AbortSignal, isAsked: () => boolean): Promise<Followed | undefined> {
    const { runId } = this.#state.started;
    const { patiently } = this.#options;
    const journal = await this.#platform.journal();
    for (;;) {
      // Looked at before the logs are read: what was written before the end is then all there.
      const summary = await patiently(() => journal.find(runId));
      if (summary === undefined || signal.aborted) return undefined;
      const status = statusOf(summary, this.#platform);
      this.#status = status;
      const fresh = summary.sequence > this.#sequence ? await patiently(() => journal.read(runId, this.#sequence)) : [];
      this.#sequence += fresh.length;
      for (const event of fresh) {
        applyEvent(this.#state, event);
        if (isSliceOver()) await nextSlice();
      }
      this.#reader.learn(fresh);
      await this.#tell(fresh);
      if (isAtRest(summary, status, this.#platform) && !(status === "paused" && isAsked())) return { summary, status };
      await waitWithin(this.#platform.logs.shared?.lookMs ?? lookMs, () => undefined, signal);
    }
  }

  /** In the order of time: what a block wrote comes before its end. Results that were taken from another run have no output here. */
  async #tell(events: readonly RunEvent[]): Promise<void> {
    const { onEvents, onOutput } = this.#options;
    const begunAt = Date.parse(this.#state.started.at);
    let told = 0;
    for await (const entries of this.#reader.take()) {
      for (const { block, stream, bytes, at } of entries) {
        if (at < begunAt || bytes.length === 0) continue;
        const from = told;
        while (told < events.length && timeOf(events[told] as RunEvent) <= at) told++;
        if (told > from) onEvents(events.slice(from, told));
        onOutput(pathOf(block), stream, bytes);
      }
    }
    if (told < events.length) onEvents(events.slice(told));
  }
}

/** A block that wrote something in the very millisecond of its end wrote it before. */
function timeOf({ type, at }: RunEvent): number {
  return Date.parse(at) + (type === "block-finished" || type === "attempt-ended" ? 1 : 0);
}

function isAtRest(summary: RunSummary, status: RunStatus, platform: Platform): boolean {
  if (status === "running" || status === "queued") return false;
  // Somebody has just taken it, or is about to give it back.
  if (status === "paused") return !isHeld(summary, platform);
  if (status !== "sleeping") return true;
  // A worker wakes it.
  if (summary.queue !== null) return false;
  const overdueMs = platform.clock.now().getTime() - Date.parse(summary.wakeAt ?? "");
  return overdueMs > wakePatienceMs && !isHeld(summary, platform);
}
