import type { BlockPaused, RunEvent } from "../../engine/events.ts";
import { ok } from "../../util/result.ts";
import { isSliceOver, nextSlice } from "../../util/time-slice.ts";
import type {
  Appended,
  Created,
  Journal,
  JournalStorage,
  JournalUsage,
  PostedRequest,
  RunCreation,
  RunQuery,
  RunRequest,
  RunSummary,
} from "../journal.ts";
import { Listeners } from "../listeners.ts";
import type { Lease, Owner } from "../owner.ts";
import { parseStored } from "../stored-json.ts";
import {
  hasEnded,
  initialProgress,
  type Origin,
  originOf,
  type Progress,
  questionOf,
  summarise,
} from "../summarise.ts";
import { creationKey, requestKey } from "../unique-keys.ts";

export interface MemoryJournalOptions {
  readonly now?: () => number;
}

/** A journal that lasts as long as its process: everything but durability, for tests. */
export function createMemoryJournal({ now = Date.now }: MemoryJournalOptions = {}): Journal {
  return new MemoryJournal(now);
}

/** The same journal whenever it is opened. */
export function createMemoryStorage(options?: MemoryJournalOptions): JournalStorage {
  const journal = createMemoryJournal(options);
  let isOpened = false;
  return {
    async open() {
      isOpened = true;
      return journal;
    },
    async examine() {
      return {
        program: ok({ name: "memory", version: process.versions.node, from: "Node" }),
        access: ok(isOpened ? "writable" : "absent"),
        bytes: ok(isOpened ? (await journal.usage()).bytes : undefined),
      };
    },
  };
}

interface MemoryRun {
  readonly origin: Origin;
  readonly idempotency?: { readonly key: string; readonly fingerprint: string };
  /** As text, so that nobody shares an object with the journal. */
  readonly events: string[];
  progress: Progress;
  fence: number;
  lease: Lease | undefined;
  questions: OpenQuestion[];
  readonly hidden: Set<string>;
  /** By what makes them unique. */
  readonly inbox: Map<string, { readonly id: number; readonly request: string }>;
}

interface OpenQuestion {
  readonly path: string;
  /** Of the event that asked it. */
  readonly sequence: number;
}

class MemoryJournal implements Journal {
  readonly #now: () => number;
  /** In the order of their creation. */
  readonly #runs = new Map<string, MemoryRun>();
  readonly #listeners = new Listeners();
  #lastRequest = 0;
  #housekeptAt: number | undefined;
  #closed = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  async create({ events, owner, idempotency }: RunCreation): Promise<Created> {
    const [started] = events;
    const key = idempotency && creationKey(started, idempotency.key);
    const existing = [...this.#open().values()].find((run) => key !== undefined && run.idempotency?.key === key);
    if (existing !== undefined) {
      const sameFingerprint = existing.idempotency?.fingerprint === idempotency?.fingerprint;
      return { kind: "exists", runId: existing.origin.runId, sameFingerprint };
    }
    if (this.#runs.has(started.runId)) throw new Error(`There is a run '${started.runId}' already.`);
    const run: MemoryRun = {
      origin: originOf(started),
      ...(idempotency && key !== undefined && { idempotency: { key, fingerprint: idempotency.fingerprint } }),
      events: [],
      progress: initialProgress(started),
      fence: 1,
      lease: owner && this.#leaseOf(owner),
      questions: [],
      hidden: new Set(),
      inbox: new Map(),
    };
    addEvents(run, events);
    this.#runs.set(started.runId, run);
    this.#notify();
    return { kind: "created", fence: 1 };
  }

  async claim(runId: string, seenFence: number, owner: Owner): Promise<number | undefined> {
    const run = this.#under(runId, seenFence);
    if (run === undefined) return undefined;
    run.fence++;
    run.lease = this.#leaseOf(owner);
    this.#notify();
    return run.fence;
  }

  async append(runId: string, fence: number, events: readonly RunEvent[], then?: "release"): Promise<Appended> {
    const run = this.#under(runId, fence);
    if (run === undefined) return false;
    addEvents(run, events);
    this.#notify();
    if (then !== "release" || run.inbox.size > 0) return true;
    run.lease = undefined;
    return "released";
  }

  async holds(runId: string, fence: number): Promise<boolean> {
    return this.#under(runId, fence) !== undefined;
  }

  async heartbeat(held: ReadonlyMap<string, number>): Promise<void> {
    for (const [runId, fence] of held) {
      const run = this.#under(runId, fence);
      if (run?.lease !== undefined) run.lease = this.#leaseOf(run.lease.owner);
    }
    this.#notify();
  }

  async release(runId: string, fence: number): Promise<"released" | "requests-waiting" | "fenced"> {
    const run = this.#under(runId, fence);
    if (run === undefined) return "fenced";
    if (run.inbox.size > 0) return "requests-waiting";
    run.lease = undefined;
    this.#notify();
    return "released";
  }

  async abandon(runId: string, fence: number): Promise<void> {
    const run = this.#under(runId, fence);
    if (run !== undefined) run.lease = undefined;
    this.#notify();
  }

  async read(runId: string, after = 0): Promise<readonly RunEvent[]> {
    const texts = this.#open().get(runId)?.events ?? [];
    const events: RunEvent[] = [];
    for (const text of texts.slice(after)) {
      events.push(parseStored(text) as RunEvent);
      if (isSliceOver()) await nextSlice();
    }
    return events;
  }

  async find(runId: string): Promise<RunSummary | undefined> {
    const run = this.#open().get(runId);
    return run && summaryOf(run);
  }

  async sequences(): Promise<ReadonlyMap<string, number>> {
    const runs = [...this.#open()].reverse();
    return new Map(runs.map(([runId, { events }]) => [runId, events.length]));
  }

  async list({ limit, before, workflow, statuses, dueBefore, undoOf }: RunQuery): Promise<readonly RunSummary[]> {
    const all = [...this.#open().values()];
    const end = before === undefined ? all.length : all.findIndex(({ origin }) => origin.runId === before);
    return all
      .slice(0, Math.max(end, 0))
      .reverse()
      .filter(({ origin }) => workflow === undefined || origin.workflow === workflow)
      .filter(({ progress }) => statuses === undefined || statuses.includes(progress.status))
      .filter(({ origin }) => undoOf === undefined || origin.undoOf === undoOf)
      .filter(({ progress: { wakeAt } }) => dueBefore === undefined || (wakeAt !== null && wakeAt < dueBefore))
      .slice(0, limit)
      .map(summaryOf);
  }

  async post(runId: string, seenFence: number, request: RunRequest): Promise<boolean> {
    const run = this.#under(runId, seenFence);
    if (run?.lease === undefined) return false;
    const key = requestKey(request);
    if (!run.inbox.has(key)) run.inbox.set(key, { id: ++this.#lastRequest, request: JSON.stringify(request) });
    this.#notify();
    return true;
  }

  async requests(runId: string): Promise<readonly PostedRequest[]> {
    const posted = [...(this.#open().get(runId)?.inbox.values() ?? [])];
    return posted.map(({ id, request }) => ({ id, request: parseStored(request) as RunRequest }));
  }

  async settle(ids: readonly number[]): Promise<void> {
    for (const { inbox } of this.#open().values()) {
      for (const [key, { id }] of inbox) if (ids.includes(id)) inbox.delete(key);
    }
    this.#notify();
  }

  async hide(runId: string, checkpointId: string): Promise<void> {
    this.#open().get(runId)?.hidden.add(checkpointId);
    this.#notify();
  }

  async delete(runId: string): Promise<boolean> {
    const run = this.#open().get(runId);
    if (run === undefined || !hasEnded(run.progress.status)) return false;
    this.#runs.delete(runId);
    this.#notify();
    return true;
  }

  async housekeep(): Promise<void> {
    this.#open();
    this.#housekeptAt = this.#now();
  }

  async usage(): Promise<JournalUsage> {
    let bytes = 0;
    for (const { events } of this.#open().values()) for (const text of events) bytes += Buffer.byteLength(text);
    return { bytes, housekeptAt: this.#housekeptAt };
  }

  subscribe(listener: () => void): () => void {
    this.#open();
    return this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
  }

  #open(): Map<string, MemoryRun> {
    if (this.#closed) throw new Error("The journal is closed.");
    return this.#runs;
  }

  #under(runId: string, fence: number): MemoryRun | undefined {
    const run = this.#open().get(runId);
    return run?.fence === fence ? run : undefined;
  }

  #leaseOf(owner: Owner): Lease {
    return { owner: { ...owner }, heartbeatAt: this.#now() };
  }

  #notify(): void {
    this.#listeners.notify();
  }
}

function addEvents(run: MemoryRun, events: readonly RunEvent[]): void {
  const before = run.events.length;
  const texts = events.map((event) => JSON.stringify(event));
  run.events.push(...texts);
  const { progress, questions } = summarise(events);
  run.progress = { ...run.progress, ...progress };
  for (const change of questions) {
    if (change.kind === "asked") run.questions.push({ path: change.path, sequence: before + change.index + 1 });
    else run.questions = run.questions.filter(({ path }) => change.kind === "gone" && path !== change.path);
  }
}

function summaryOf({ origin, progress, events, fence, lease, questions, hidden }: MemoryRun): RunSummary {
  const asked = questions.map(({ sequence }) => parseStored(events[sequence - 1] ?? "") as BlockPaused);
  return {
    ...origin,
    ...progress,
    sequence: events.length,
    fence,
    ...(lease && { lease: { ...lease, owner: { ...lease.owner } } }),
    questions: asked.map(questionOf),
    hidden: [...hidden],
  };
}
