import { join, resolve } from "node:path";
import type { RunEvent } from "../../engine/events.ts";
import { isSliceOver, nextSlice } from "../../util/time-slice.ts";
import { damagedEvent, isDamage } from "../damage.ts";
import { contentAhead, type EventBatch, prepareBatch, sizeOf, typesOf, withoutContent } from "../event-batch.ts";
import {
  type Appended,
  type Created,
  type Journal,
  JournalError,
  type JournalUsage,
  type OpenJournalOptions,
  type PostedRequest,
  type RunCreation,
  type RunQuery,
  type RunRequest,
  type RunSummary,
} from "../journal.ts";
import type { Owner } from "../owner.ts";
import { makeStateDirectory } from "../state-directory.ts";
import { prepareRequest } from "../unique-keys.ts";
import { ChangeFeed } from "./change-feed.ts";
import { type Database, type Prepare, prepareOnce, rollBack } from "./driver.ts";
import { eventsIn } from "./event-table.ts";
import { explainFailure, readOnly } from "./explain-failure.ts";
import { requireSpace } from "./free-space.ts";
import { requireKnownVersion } from "./migrate.ts";
import { NoteTable } from "./note-table.ts";
import { type OpenedDatabase, openDatabase, openToRead } from "./open-database.ts";
import { freePages, usedBytes, vacuumSome } from "./reclaim-space.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { RunStore } from "./run-store.ts";
import { createSameFileCheck } from "./same-file.ts";
import { WalCheckpoints } from "./wal-checkpoints.ts";
import { type OnWrite, WriteQueue } from "./write-queue.ts";

export interface SqliteJournalOptions extends OpenJournalOptions {
  readonly now?: () => number;
  /** Called around every write transaction, so that tests can let the process die there. */
  readonly onWrite?: OnWrite;
}

/** The journal in `frond.db` in the state directory. Rejects with a `JournalError` when it can't be used. */
export async function openSqliteJournal(directory: string, options: SqliteJournalOptions = {}): Promise<Journal> {
  const path = resolve(directory);
  const file = join(path, "frond.db");
  try {
    makeStateDirectory(path);
    return new SqliteJournal(await openDatabase(file), file, options);
  } catch (failure) {
    throw explainFailure(failure, file);
  }
}

/** The same for looking at it only: nothing is made or changed. Nothing when there is none. */
export async function openSqliteJournalToRead(directory: string): Promise<Journal | undefined> {
  const file = join(resolve(directory), "frond.db");
  const opened = openToRead(file);
  return opened === undefined ? undefined : new SqliteJournal(opened, file, {});
}

/** Reads happen at once, each in a snapshot of its own; writes go through the queue. */
class SqliteJournal implements Journal {
  readonly #database: Database;
  readonly #file: string;
  readonly #frozen: boolean;
  readonly #requireInPlace: () => void;
  readonly #onRemoved: () => void;
  readonly #now: () => number;
  readonly #sql: Prepare;
  readonly #runs: RunStore;
  readonly #notes: NoteTable;
  readonly #writes: WriteQueue;
  readonly #changes: ChangeFeed;
  readonly #walCheckpoints: WalCheckpoints;
  /** By run: what is being made ready to be written. */
  readonly #preparing = new Map<string, Promise<void>>();
  #closing: Promise<void> | undefined;

  constructor(opened: OpenedDatabase, file: string, options: SqliteJournalOptions) {
    const { now = Date.now, onWrite, onRemoved = () => {} } = options;
    const { database, openAgain, frozen } = opened;
    this.#database = database;
    this.#file = file;
    this.#frozen = frozen;
    this.#requireInPlace = createSameFileCheck(file);
    this.#onRemoved = onRemoved;
    this.#now = now;
    this.#sql = prepareOnce(database);
    this.#runs = new RunStore(this.#sql, now);
    this.#notes = new NoteTable(this.#sql);
    this.#changes = new ChangeFeed(this.#sql);
    this.#walCheckpoints = new WalCheckpoints(this.#sql, openAgain);
    this.#writes = new WriteQueue(this.#sql, {
      checkFile: (bytes) => {
        this.#requireInPlace();
        requireSpace(file, bytes);
      },
      checkVersion: () => requireKnownVersion(this.#sql, file),
      explain: (failure) => this.#explain(failure),
      onCommit: (bytes) => {
        this.#changes.notify();
        this.#walCheckpoints.count(bytes);
      },
      onWrite,
    });
  }

  async create(creation: RunCreation): Promise<Created> {
    const prepared = prepareBatch(creation.events);
    const batch = prepared instanceof Promise ? await prepared : prepared;
    return this.#write(typesOf(creation.events), () => this.#runs.create(creation, batch), sizeOf(batch));
  }

  async claim(runId: string, seenFence: number, owner: Owner): Promise<number | undefined> {
    return this.#write(["claim"], () => this.#runs.claim(runId, seenFence, owner));
  }

  async append(runId: string, fence: number, events: readonly RunEvent[], then?: "release"): Promise<Appended> {
    this.#requireOpen();
    const before = this.#preparing.get(runId);
    const prepared = prepareBatch(events);
    const append = (batch: EventBatch): Promise<Appended> => this.#append(runId, fence, typesOf(events), batch, then);
    if (before === undefined && !(prepared instanceof Promise)) return append(prepared);
    const appended = Promise.resolve(before)
      .then(() => prepared)
      .then(append);
    // Whoever appends next comes after it, and whoever closes the journal waits for it.
    const done = appended.then(
      () => {},
      () => {},
    );
    this.#preparing.set(runId, done);
    void done.then(() => this.#preparing.get(runId) === done && this.#preparing.delete(runId));
    return appended;
  }

  async #append(
    runId: string,
    fence: number,
    types: readonly string[],
    { events: encoded, change }: EventBatch,
    then: "release" | undefined,
  ): Promise<Appended> {
    const ahead = contentAhead(encoded);
    for (const blobs of ahead) {
      const bytes = blobs.reduce((sum, { body }) => sum + body.length, 0);
      const isKept = await this.#enqueue(["content"], () => this.#runs.keep(runId, fence, blobs), bytes);
      if (!isKept) return false;
    }
    const batch = { events: ahead.length === 0 ? encoded : encoded.map(withoutContent), change };
    const what = then === undefined ? types : [...types, then];
    return this.#enqueue(what, () => this.#runs.append(runId, fence, batch, then), sizeOf(batch));
  }

  async heartbeat(held: ReadonlyMap<string, number>): Promise<void> {
    const all = [...held];
    return this.#write(["heartbeat"], () => this.#runs.heartbeat(all));
  }

  async release(runId: string, fence: number): Promise<"released" | "requests-waiting" | "fenced"> {
    return this.#write(["release"], () => this.#runs.release(runId, fence));
  }

  async abandon(runId: string, fence: number): Promise<void> {
    return this.#write(["abandon"], () => this.#runs.abandon(runId, fence));
  }

  /** Page by page, so that others have their turns: events never change, and go only with their run. */
  async read(runId: string, after = 0): Promise<readonly RunEvent[]> {
    const events: RunEvent[] = [];
    const decode = this.#runs.createDecoder();
    let pages = 0;
    try {
      for (;;) {
        pages++;
        const from = after + events.length;
        const page = await this.#read(() => this.#runs.readPage(runId, from, pageRows));
        for (const row of page) {
          for (const stored of eventsIn(row, after + events.length)) {
            events.push(decode(stored));
            if (isSliceOver()) await nextSlice();
          }
        }
        if (page.length < pageRows) break;
      }
    } catch (failure) {
      if (await this.#isGone(runId)) return [];
      if (isDamage(failure)) throw damagedEvent(runId, after + events.length + 1, this.#file, failure);
      throw this.#explain(failure);
    }
    return pages === 1 || !(await this.#isGone(runId)) ? events : [];
  }

  #isGone(runId: string): Promise<boolean> {
    return this.#read(() => !this.#runs.has(runId));
  }

  async find(runId: string): Promise<RunSummary | undefined> {
    return this.#read(() => this.#runs.find(runId));
  }

  async sequences(): Promise<ReadonlyMap<string, number>> {
    return this.#read(() => this.#runs.sequences());
  }

  async list(query: RunQuery): Promise<readonly RunSummary[]> {
    return this.#read(() => this.#runs.list(query));
  }

  async post(runId: string, seenFence: number, request: RunRequest): Promise<boolean> {
    const prepared = prepareRequest(request);
    return this.#write(["post"], () => this.#runs.post(runId, seenFence, prepared), Buffer.byteLength(prepared.body));
  }

  async holds(runId: string, fence: number): Promise<boolean> {
    return this.#read(() => this.#runs.holds(runId, fence));
  }

  async requests(runId: string): Promise<readonly PostedRequest[]> {
    return this.#read(() => this.#runs.requests(runId));
  }

  async settle(ids: readonly number[]): Promise<void> {
    const all = [...ids];
    return this.#write(["settle"], () => this.#runs.settle(all));
  }

  async hide(runId: string, checkpointId: string): Promise<void> {
    return this.#write(["hide"], () => this.#runs.hide(runId, checkpointId));
  }

  async delete(runId: string): Promise<boolean> {
    return this.#write(["delete"], () => this.#runs.delete(runId));
  }

  async housekeep(): Promise<void> {
    let before = Number.POSITIVE_INFINITY;
    let free = await this.#read(() => freePages(this.#sql));
    while (free > 0 && free < before) {
      before = free;
      free = await this.#write(["housekeep"], () => vacuumSome(this.#database, this.#sql));
    }
    await this.#write(["housekeep"], () => {
      this.#notes.housekeptAt = this.#now();
    });
    await this.#attempt(() => this.#walCheckpoints.run());
  }

  async usage(): Promise<JournalUsage> {
    return this.#read(() => ({ bytes: usedBytes(this.#sql), housekeptAt: this.#notes.housekeptAt }));
  }

  subscribe(listener: () => void): () => void {
    this.#requireOpen();
    return this.#changes.subscribe(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#changes.close();
    await Promise.all(this.#preparing.values());
    await this.#writes.idle();
    this.#walCheckpoints.close();
    this.#database.close();
  }

  async #write<T>(what: readonly string[], apply: () => T, bytes = 0): Promise<T> {
    this.#requireOpen();
    return this.#enqueue(what, apply, bytes);
  }

  async #enqueue<T>(what: readonly string[], apply: () => T, bytes: number): Promise<T> {
    if (this.#frozen) throw readOnly(this.#file);
    return this.#writes.add({ what, bytes, apply });
  }

  #read<T>(query: () => T): Promise<T> {
    return this.#attempt(() => {
      this.#sql("BEGIN").run();
      try {
        return query();
      } finally {
        rollBack(this.#sql);
      }
    });
  }

  async #attempt<T>(action: () => T): Promise<T> {
    this.#requireOpen();
    try {
      this.#requireInPlace();
      return await retryWhileBusy(action);
    } catch (failure) {
      throw this.#explain(failure);
    }
  }

  #explain(failure: unknown): unknown {
    const explained = explainFailure(failure, this.#file);
    if (explained instanceof JournalError && explained.code === "removed") this.#onRemoved();
    return explained;
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw new Error("The journal is closed.");
  }
}

/** How many rows of events are read at once. */
const pageRows = 100;
