import type { OnInterrupted } from "../block/define-block.ts";
import type { OutputStream } from "../block/ports.ts";
import type { ChangesFound } from "../changes/compare-changes.ts";
import { checkQuestionAnswer } from "../engine/check-question-answer.ts";
import type { RunEvent, RunStarted } from "../engine/events.ts";
import type { Reuse } from "../engine/reuse.ts";
import { Runner, type Settled } from "../engine/runner.ts";
import type { RunnerOptions } from "../engine/runner-options.ts";
import type { KeptAnswer, RunState } from "../engine/state.ts";
import type { Value } from "../expression/value.ts";
import { type Created, type Journal, JournalError, type RunCreation } from "../journal/journal.ts";
import { findLate } from "../library/freeze-definitions.ts";
import { defined } from "../util/defined.ts";
import { ok, type Result } from "../util/result.ts";
import { enqueueIfWaiting } from "./enqueue-run.ts";
import { isAnswerTo, isOwn, isSameAnswer, type RunAnswer } from "./first-answer.ts";
import type { Platform } from "./platform.ts";
import { type Driving, type Observation, observeRun } from "./run-observer.ts";
import type { Runtime } from "./runtime.ts";

/** Whoever shows a run while this process drives it. */
export interface RunListener {
  /** What happened in a run before this process took it over. */
  onPastEvents?(events: readonly RunEvent[]): void;
  /** Hears of events once they are durable. */
  onEvents(events: readonly RunEvent[]): void;
  onOutput(path: string, stream: OutputStream, chunk: Uint8Array): void;
}

export interface Held {
  readonly journal: Journal;
  readonly state: RunState;
  readonly fence: number;
  /** Of a run that is not on record yet: it is made with its first commit. */
  readonly creation?: Omit<RunCreation, "events">;
  /** All that happened in it before, `run-started` first. */
  readonly past: readonly RunEvent[];
  /** Looks how the files of interrupted blocks are found; the signal ends the look. */
  findChanges?(signal: AbortSignal): Promise<RunnerOptions["changesFound"]>;
  /** A new one begins. */
  readonly driving?: Driving;
  /** Whether another process may have left things behind. */
  readonly isResumed: boolean;
  readonly reuse?: Reuse | undefined;
  /** Decides for every interrupted block, whatever it says itself. */
  readonly onInterrupted?: OnInterrupted;
  /** Workers drive it, or another machine: what is asked of it is put on record here, and the run is left to them. */
  readonly onlyRecords?: boolean;
}

/** Another process has taken the run: what this one still did with it counts for nothing. */
export class RunLost extends Error {
  override readonly name = "RunLost";
}

/** This process has let go of the run; another can go on with it. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
}

/** A run is not made, because its idempotency key belongs to one. */
class RunExists extends Error {
  override readonly name = "RunExists";
}

const heartbeatMs = 10_000;
const inboxMs = 250;

/**
 * A run that this process holds and drives. What happens in it is appended to the journal under the fence; what other processes
 * ask of it is looked for in its inbox. When it has ended, waits for answers or sleeps it is given back, and this object only remembers.
 */
export class DrivenRun {
  readonly runId: string;
  readonly started: RunStarted;
  readonly runtime: Runtime;
  readonly #journal: Journal;
  readonly #fence: number;
  readonly #runner: Runner;
  /** Until it is on record. */
  #creation: Held["creation"];
  #onRecord: (created: Created) => void = () => {};
  /** Nothing but its creation happens before somebody drives it. */
  readonly #isWanted: Promise<void>;
  #want: () => void = () => {};
  readonly #findChanges: Held["findChanges"];
  /** See `Held`. */
  readonly onlyRecords: boolean;
  /** Filled by the look at the disk, before the runner makes its first turn. */
  readonly #changesFound = new Map<string, ChangesFound>();
  readonly #look = new AbortController();
  #looking: Promise<void> | undefined;
  #hasLooked: boolean;
  #settled: Promise<Settled> | undefined;
  #reading: Promise<void> | undefined;
  /** While it is being given back nothing is asked of the runner: it would go on with what another process may take. */
  #releasing: Promise<void> | undefined;
  #isReleased = false;

  constructor(runtime: Runtime, held: Held, listener: RunListener) {
    const { platform, workflows } = runtime;
    const { journal, state, fence } = held;
    const { runId, workspace, rerunOf, reuse } = state.started;
    this.runId = runId;
    this.started = state.started;
    this.runtime = runtime;
    this.#journal = journal;
    this.#fence = fence;
    this.#findChanges = held.findChanges;
    this.onlyRecords = held.onlyRecords ?? false;
    this.#hasLooked = held.findChanges === undefined;
    this.#creation = held.creation;
    this.#isWanted = new Promise((resolve) => {
      this.#want = resolve;
    });
    let observed: Required<Observation> | undefined;
    // A run that is not on record is none that anybody could have seen.
    const observe = (): Required<Observation> => {
      // What is only recorded here is driven, and counted, by others.
      const observers = this.onlyRecords ? { ...platform, observers: [] } : platform;
      observed ??= observeRun(observers, state, held.past, held.driving ?? "begins");
      return observed;
    };
    if (held.creation === undefined) observe();
    this.#runner = new Runner(state, {
      platform,
      scratch: platform.createScratch(workspace, runId, {
        mayExist: held.isResumed,
        ...(reuse === undefined ? {} : defined({ copyOf: rerunOf })),
      }),
      limits: runtime.limits,
      findLate: (name) => findLate(workflows, name),
      changesFound: this.#changesFound,
      stateDirectory: realStateDirectory(platform),
      onlyRecords: this.onlyRecords,
      ...defined({ onInterrupted: held.onInterrupted, standIn: runtime.standIn, reuse: held.reuse }),
      commit: (events, areLast) => this.#commit(events, areLast),
      ...(held.creation === undefined ? {} : { ahead: held.past, untilWanted: () => this.#untilWanted() }),
      confirmHeld: () => this.#confirmHeld(),
      rollBack: (request, signal) => runtime.rollBack(runtime, runId, request, signal),
      onEvents: (events) => {
        listener.onEvents(events);
        observe().onEvents(events[0]?.type === "run-started" ? events.slice(1) : events);
      },
      variablesOf: (attempt) => observe().variables(attempt),
      onOutput: (path, stream, chunk) => listener.onOutput(path, stream, chunk),
    });
  }

  /** Makes a new run; resolves when it and its first turn are on record. Nothing of it begins before it is driven. */
  create(): Promise<Created> {
    return new Promise((resolve, reject) => {
      this.#onRecord = resolve;
      this.#settled = this.#drive();
      this.#settled.catch(reject);
    });
  }

  /** Drives it until it has ended or waits for answers. Rejects with `RunLost` or a `JournalError`. */
  settled(): Promise<Settled> {
    this.#want();
    this.#settled ??= this.#drive();
    return this.#settled;
  }

  /** Looks at the state when all that is in it is durable. What is seen may not be kept. */
  inspect<T>(look: (state: RunState) => T): Promise<T> {
    return this.#runner.inspect(look);
  }

  /**
   * Gives the answer that the question had before, if it had one. This one goes into the inbox like those of other processes, which
   * keeps the first to each question: so everybody who answers at the same time is told of the same.
   */
  async answer(id: string, answer: Value, by: string): Promise<Result<KeptAnswer | undefined, string>> {
    if (!this.#hasLooked) await this.#lookAtDisk();
    const own = { kind: "answer", questionId: id, answer, by } as const;
    for (;;) {
      if (this.#releasing !== undefined) await this.#releasing.catch(() => {});
      const checked = await this.#runner.inspect((state) => checkQuestionAnswer(state, id, answer));
      if (!checked.ok || checked.value.kind === "answered-before") {
        this.settled().catch(() => {});
        return checked.ok ? ok(checked.value.kind === "fits" ? undefined : checked.value.kept) : checked;
      }
      const { value } = checked.value;
      if (!(await this.#journal.post(this.runId, this.#fence, own))) {
        throw this.#isReleased ? new Error(`${this.runId} is no longer driven by this process.`) : this.#lost();
      }
      const first = (await this.#journal.requests(this.runId)).find(({ request }) => isAnswerTo(request, id));
      const request = first === undefined ? own : (first.request as RunAnswer);
      const answered = this.#runner.answer(id, request.answer, request.by);
      this.settled().catch(() => {});
      const taken = await answered;
      if (first !== undefined) await this.#journal.settle([first.id]);
      // One that does not fit leaves the question to the next.
      if (!taken.ok && !isSameAnswer(request, own)) continue;
      if (!taken.ok) return taken;
      const kept = await this.#runner.inspect(({ answered: all }) => all.get(id));
      return ok(kept === undefined || isOwn(kept, own, value) ? undefined : kept);
    }
  }

  /** Asks for its end; resolves when that is durable. */
  async cancel(message: string): Promise<void> {
    if (this.#releasing !== undefined) await this.#releasing.catch(() => {});
    if (this.#isReleased) return;
    const cancelled = this.#cancel(message);
    this.settled().catch(() => {});
    return cancelled;
  }

  /** Stops driving it where it is; whoever drives it next finds it interrupted. Resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    this.#look.abort();
    this.#runner.stop(new RunStopped(`This process has stopped driving ${this.runId}.`));
    await this.settled().catch(() => {});
    await this.runtime.platform.logs.shared?.flush(this.runId);
    if (!this.#isReleased) await this.#journal.abandon(this.runId, this.#fence);
  }

  async #drive(): Promise<Settled> {
    const heartbeat = setInterval(() => void this.#beat(), heartbeatMs).unref();
    const inbox = setInterval(() => this.#lookIntoInbox(), inboxMs).unref();
    try {
      if (!this.#hasLooked) await this.#lookAtDisk();
      for (;;) {
        const settled = await this.#runner.drive();
        if (!this.#isReleased) await this.#releaseBy(this.#release());
        if (this.#isReleased) {
          if (this.onlyRecords) await enqueueIfWaiting(this.runtime.platform, this.runId);
          return settled;
        }
        await this.#readInbox();
      }
    } finally {
      clearInterval(heartbeat);
      clearInterval(inbox);
    }
  }

  /** Before the first turn, which decides about interrupted blocks. A run that is to end or stop needs no such decision. */
  #lookAtDisk(): Promise<void> {
    this.#looking ??= this.#fillChangesFound();
    return this.#looking;
  }

  async #fillChangesFound(): Promise<void> {
    try {
      const found = await this.#findChanges?.(this.#look.signal);
      for (const [path, changes] of found ?? []) this.#changesFound.set(path, changes);
    } catch (error) {
      if (!this.#look.signal.aborted) throw error;
    }
    this.#hasLooked = true;
  }

  /** The runner takes it in its first turn, before it decides about anything else. */
  #cancel(message: string): Promise<void> {
    this.#look.abort();
    return this.#runner.cancel(message);
  }

  async #releaseBy(releasing: Promise<void>): Promise<void> {
    this.#releasing = releasing;
    await releasing;
    this.#releasing = undefined;
  }

  /** Whoever has asked something of the run is to be heard first. */
  async #release(): Promise<void> {
    const released = await this.#untilWritable(() => this.#journal.release(this.runId, this.#fence));
    if (released === "fenced") throw this.#lost();
    this.#isReleased = released === "released";
  }

  /** What goes wrong here goes wrong for the next append too, which tells. */
  #lookIntoInbox(): void {
    if (this.#reading !== undefined) return;
    this.#reading = this.#readInbox()
      .catch(() => {})
      .finally(() => {
        this.#reading = undefined;
      });
  }

  /** Does what other processes have asked for. An answer that came too late, or does not fit after all, is dropped. */
  async #readInbox(): Promise<void> {
    const posted = await this.#journal.requests(this.runId);
    if (posted.length === 0) return;
    for (const { request } of posted) {
      if (request.kind === "cancel") await this.#cancel(request.message);
      else {
        if (!this.#hasLooked) await this.#lookAtDisk();
        await this.#runner.answer(request.questionId, request.answer, request.by);
      }
    }
    await this.#journal.settle(posted.map(({ id }) => id));
  }

  async #commit(events: readonly RunEvent[], areLast: boolean): Promise<void> {
    if (this.#creation !== undefined) return this.#record(this.#creation, events, areLast);
    if (this.#isReleased) throw this.#lost();
    // Whoever hears that a block has ended finds all that it wrote, on any machine.
    const { shared } = this.runtime.platform.logs;
    if (shared !== undefined) await shared.flush(this.runId);
    if (areLast) await this.#releaseBy(this.#append(events, "release"));
    else await this.#append(events);
  }

  async #append(events: readonly RunEvent[], then?: "release"): Promise<void> {
    const appended = await this.#untilWritable(() => this.#journal.append(this.runId, this.#fence, events, then));
    if (appended === false) throw this.#lost();
    this.#isReleased = appended === "released";
  }

  /** A run that is over with its first commit needs no owner. */
  async #record(
    { owner, ...creation }: Omit<RunCreation, "events">,
    events: readonly RunEvent[],
    areLast: boolean,
  ): Promise<void> {
    const held = areLast || owner === undefined ? {} : { owner };
    const created = await this.#journal.create({ ...creation, ...held, events: events as RunCreation["events"] });
    this.#creation = undefined;
    this.#isReleased = areLast;
    if (created.kind === "created") return;
    this.#onRecord(created);
    throw new RunExists(`${created.runId} has its idempotency key.`);
  }

  #untilWanted(): Promise<void> {
    this.#onRecord({ kind: "created", fence: this.#fence });
    return this.#isWanted;
  }

  async #confirmHeld(): Promise<void> {
    if (!(await this.#journal.holds(this.runId, this.#fence))) throw this.#lost();
  }

  #lost(): RunLost {
    return new RunLost(`Another process has taken over ${this.runId}; this one has stopped driving it.`);
  }

  async #beat(): Promise<void> {
    if (this.#creation !== undefined) return;
    try {
      await this.#journal.heartbeat(new Map([[this.runId, this.#fence]]));
      await this.#confirmHeld();
    } catch (error) {
      // What still runs of it must end, even if it has nothing to record for long.
      if (error instanceof RunLost) this.#runner.stop(error);
      // A missed beat is made up for by the next; whatever is wrong, the next append says.
    }
  }

  /** A full disk is waited for, for a while: what has happened outside should not be lost for want of a few bytes. */
  async #untilWritable<T>(write: () => Promise<T>): Promise<T> {
    const { platform } = this.runtime;
    let isTold = false;
    for (const deadline = platform.clock.monotonic() + patienceMs; ; ) {
      try {
        return await write();
      } catch (error) {
        const isTemporary = error instanceof JournalError && (error.code === "full" || error.code === "busy");
        if (!isTemporary || platform.clock.monotonic() > deadline) throw error;
        if (!isTold) platform.warn(`${error.message} Trying again for ${patienceMs / 1000} s.`);
        isTold = true;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }
}

const patienceMs = 30_000;
const retryMs = 500;

/** Files are known by their real paths, and the user's own name for it may lead through links. */
export function realStateDirectory({ realDirectory, stateDirectory }: Platform): string {
  const real = realDirectory(stateDirectory);
  return real.ok ? real.value : stateDirectory;
}
