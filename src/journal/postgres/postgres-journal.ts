import { randomBytes } from "node:crypto";
import type { RunEvent } from "../../engine/events.ts";
import { isSliceOver, nextSlice } from "../../util/time-slice.ts";
import { damagedEvent, isDamage } from "../damage.ts";
import { contentAhead, type EventBatch, prepareBatch, withoutContent } from "../event-batch.ts";
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
import { Listeners } from "../listeners.ts";
import type { Owner } from "../owner.ts";
import { parseStored } from "../stored-json.ts";
import { prepareRequest } from "../unique-keys.ts";
import { appendCall, claimCall, createCall, keepCall, postCall } from "./calls.ts";
import { Connection } from "./connection.ts";
import { explainFailure } from "./explain-failure.ts";
import { migrate } from "./migrate.ts";
import { Notices } from "./notices.ts";
import type { Pg, PgRow } from "./pg.ts";
import { clean, RunReader } from "./read-runs.ts";
import { Session } from "./session.ts";
import { type Call, WriteQueue, type WriteQueueOptions } from "./write-queue.ts";

export interface PostgresJournalOptions extends OpenJournalOptions {
  /** Instead of the clock of the database. */
  readonly now?: () => number;
  /** After which a holder that says nothing counts as lost. */
  readonly longestSilenceMs?: number;
  /** How long a server that is away is waited for before that is a failure. */
  readonly patienceMs?: number;
  readonly onWrite?: WriteQueueOptions["onWrite"];
}

/** Several times what lies between two heartbeats of a process that lives. */
const longestSilence = 60_000;
const patience = 3_000;
const closingPatienceMs = 3_000;
const pageRows = 250;
const vacuumMs = 600_000;
/** Between two looks of those who listen, for notices of processes that were killed before they gave them. */
const lookMs = 5_000;

export interface Place {
  readonly pg: Pg;
  readonly url: string;
  /** What messages call it: without the password. */
  readonly name: string;
}

/** The journal in the schema `frond` of a database. Rejects with a `JournalError` when it can't be used. */
export async function openPostgresJournal(place: Place, options: PostgresJournalOptions = {}): Promise<Journal> {
  const journal = new PostgresJournal(place, options);
  await journal.open();
  return journal;
}

/** Reads go over the session; writes go through the queue, which has a connection of its own. */
class PostgresJournal implements Journal {
  readonly #name: string;
  /** Another connection, for what takes long. */
  readonly #connect: () => Connection;
  readonly #onRemoved: () => void;
  /** Of this journal alone: as the number of its lock, and as the writer of its batches. */
  readonly #key = randomBytes(8).readBigInt64BE().toString();
  readonly #session: Session;
  readonly #writes: WriteQueue;
  readonly #runs: RunReader;
  readonly #listeners = new Listeners();
  readonly #notices: Notices;
  #looking: NodeJS.Timeout | undefined;
  /** By run: what is being made ready to be written. */
  readonly #preparing = new Map<string, Promise<void>>();
  #closing: Promise<void> | undefined;

  constructor({ pg, url, name }: Place, options: PostgresJournalOptions) {
    const { now, onWrite, onRemoved = () => {}, longestSilenceMs = longestSilence, patienceMs = patience } = options;
    this.#name = name;
    this.#connect = () => new Connection({ pg, url, patienceMs, prepare: async () => {} });
    this.#onRemoved = onRemoved;
    this.#session = new Session({
      ...{ pg, url, key: this.#key, patienceMs },
      prepare: (client) => migrate(client, name),
      onChange: () => this.#listeners.notify(),
    });
    const explain = (failure: unknown): unknown => this.#explain(failure);
    this.#notices = new Notices(() => this.#session.query({ text: "SELECT pg_notify('frond', '')" }));
    const onChanged = (): void => {
      this.#listeners.notify();
      this.#notices.tell();
    };
    this.#writes = new WriteQueue({ pg, url, writer: this.#key, patienceMs, now, explain, onChanged, onWrite });
    this.#runs = new RunReader((text, values) => this.#ask(text, values), { longestSilenceMs, now });
  }

  async open(): Promise<void> {
    try {
      await this.#session.open();
    } catch (failure) {
      await this.#session.close();
      throw this.#explain(failure);
    }
  }

  async create(creation: RunCreation): Promise<Created> {
    this.#requireOpen();
    const {
      events: [{ runId }],
      owner,
    } = creation;
    const prepared = prepareBatch(creation.events);
    const isReady = owner === undefined || this.#session.isHeld;
    const ready = isReady ? prepared : this.#hold().then(() => prepared);
    return this.#inTurn(runId, ready, async (batch) => {
      const result = await this.#writes.add(createCall(creation, batch, this.#key));
      if (result === 1) return { kind: "created", fence: 1 };
      if (result === null) throw new Error(`There is a run '${runId}' already.`);
      const { exists, same } = result as { exists: string; same: boolean };
      return { kind: "exists", runId: exists, sameFingerprint: same };
    });
  }

  async claim(runId: string, seenFence: number, owner: Owner): Promise<number | undefined> {
    this.#requireOpen();
    await this.#hold();
    const fence = await this.#writes.add(claimCall(runId, seenFence, owner, this.#key));
    return fence === null ? undefined : Number(fence);
  }

  async append(runId: string, fence: number, events: readonly RunEvent[], then?: "release"): Promise<Appended> {
    this.#requireOpen();
    return this.#inTurn(runId, prepareBatch(events), async ({ events: encoded, change }) => {
      const ahead = contentAhead(encoded);
      for (const blobs of ahead) {
        if ((await this.#writes.add(keepCall(runId, fence, blobs))) !== true) return false;
      }
      const batch = { events: ahead.length === 0 ? encoded : encoded.map(withoutContent), change };
      return (await this.#writes.add(appendCall(runId, fence, batch, events, then))) as Appended;
    });
  }

  /** What one asks of a run first is done first, although some of it takes longer to be made ready. */
  #inTurn<T>(
    runId: string,
    ready: EventBatch | Promise<EventBatch>,
    write: (batch: EventBatch) => Promise<T>,
  ): Promise<T> {
    const before = this.#preparing.get(runId);
    if (before === undefined && !(ready instanceof Promise)) return write(ready);
    // What is wrong with it is told when its turn has come.
    if (ready instanceof Promise) ready.catch(() => {});
    const written = Promise.resolve(before)
      .then(() => ready)
      .then(write);
    // Whoever writes next comes after it, and whoever closes the journal waits for it.
    const done = written.then(
      () => {},
      () => {},
    );
    this.#preparing.set(runId, done);
    void done.then(() => this.#preparing.get(runId) === done && this.#preparing.delete(runId));
    return written;
  }

  async holds(runId: string, fence: number): Promise<boolean> {
    return this.#runs.holds(runId, fence);
  }

  async heartbeat(held: ReadonlyMap<string, number>): Promise<void> {
    this.#requireOpen();
    const all = Object.fromEntries([...held].map(([runId, fence]) => [clean(runId), fence]));
    await this.#hold();
    await this.#writes.add({ head: { call: "heartbeat", held: all } });
  }

  async release(runId: string, fence: number): Promise<"released" | "requests-waiting" | "fenced"> {
    const result = await this.#write({ head: { call: "release", run: clean(runId), fence } });
    return result as "released" | "requests-waiting" | "fenced";
  }

  async abandon(runId: string, fence: number): Promise<void> {
    await this.#write({ head: { call: "abandon", run: clean(runId), fence } });
  }

  /** Page by page, so that others have their turns: events never change, and go only with their run. */
  async read(runId: string, after = 0): Promise<readonly RunEvent[]> {
    const events: RunEvent[] = [];
    const decoder = this.#runs.createDecoder();
    try {
      for (;;) {
        const page = await this.#runs.readPage(runId, after + events.length, pageRows);
        await decoder.fetch(page);
        for (const row of page) {
          events.push(decoder.read(row));
          if (isSliceOver()) await nextSlice();
        }
        if (page.length < pageRows) break;
      }
    } catch (failure) {
      if (!isDamage(failure)) throw failure;
      if (!(await this.#runs.has(runId))) return [];
      throw damagedEvent(runId, after + events.length + 1, this.#name, failure);
    }
    return events.length < pageRows || (await this.#runs.has(runId)) ? events : [];
  }

  find(runId: string): Promise<RunSummary | undefined> {
    return this.#runs.find(runId);
  }

  sequences(): Promise<ReadonlyMap<string, number>> {
    return this.#runs.sequences();
  }

  list(query: RunQuery): Promise<readonly RunSummary[]> {
    return this.#runs.list(query);
  }

  async post(runId: string, seenFence: number, request: RunRequest): Promise<boolean> {
    return (await this.#write(postCall(runId, seenFence, prepareRequest(request)))) === true;
  }

  async requests(runId: string): Promise<readonly PostedRequest[]> {
    const rows = await this.#ask(
      "SELECT id, body FROM frond.inbox WHERE run = (SELECT number FROM frond.runs WHERE run_id = $1) ORDER BY id",
      [clean(runId)],
    );
    return rows.map(({ id, body }) => ({ id: Number(id), request: parseStored(String(body)) as RunRequest }));
  }

  async settle(ids: readonly number[]): Promise<void> {
    await this.#write({ head: { call: "settle", ids: [...ids] } });
  }

  async hide(runId: string, checkpointId: string): Promise<void> {
    await this.#write({ head: { call: "hide", run: clean(runId), checkpoint: clean(checkpointId) } });
  }

  async delete(runId: string): Promise<boolean> {
    return (await this.#write({ head: { call: "delete", run: clean(runId) } })) === true;
  }

  /** The server does that by itself too; this is for those who have just removed much. */
  async housekeep(): Promise<void> {
    this.#requireOpen();
    // It may take minutes, in which nobody who reads is to wait.
    const own = this.#connect();
    try {
      await own.query({ text: `DELETE FROM frond.writers WHERE at < now() - interval '7 days'` });
      for (const table of ["events", "blobs", "blob_uses", "runs", "inbox", "writers"]) {
        await own.query({ text: `VACUUM frond.${table}` }, vacuumMs);
      }
    } catch (failure) {
      throw this.#explain(failure);
    } finally {
      await own.close();
    }
    await this.#write({ head: { call: "note", name: "housekept_at" } });
  }

  async usage(): Promise<JournalUsage> {
    const [row] = await this.#ask(
      `SELECT (SELECT coalesce(sum(bytes), 0) FROM frond.runs) + (SELECT coalesce(sum(octet_length(body)), 0) FROM frond.blobs) AS bytes,
         (SELECT value FROM frond.notes WHERE name = 'housekept_at') AS housekept_at`,
    );
    const at = row?.housekept_at;
    return { bytes: Number(row?.bytes), housekeptAt: typeof at === "string" ? Math.round(Number(at)) : undefined };
  }

  subscribe(listener: () => void): () => void {
    this.#requireOpen();
    const isFirst = this.#listeners.isEmpty;
    const stop = this.#listeners.add(listener);
    this.#looking ??= setInterval(() => this.#listeners.notify(), lookMs).unref();
    // What happened until the server listens for us may have been missed. What is wrong, whoever reads next is told.
    if (isFirst)
      this.#session.listen().then(
        () => this.#listeners.notify(),
        () => {},
      );
    return stop;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#listeners.clear();
    clearInterval(this.#looking);
    const waiting = Promise.all(this.#preparing.values());
    await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, closingPatienceMs).unref())]);
    await this.#writes.close(closingPatienceMs);
    await Promise.race([
      this.#notices.close(),
      new Promise((resolve) => setTimeout(resolve, closingPatienceMs).unref()),
    ]);
    await this.#session.close();
  }

  async #hold(): Promise<void> {
    try {
      await this.#session.hold();
    } catch (failure) {
      throw this.#explain(failure);
    }
  }

  async #write(call: Call): Promise<unknown> {
    this.#requireOpen();
    return this.#writes.add(call);
  }

  async #ask(text: string, values: readonly unknown[] = []): Promise<readonly PgRow[]> {
    this.#requireOpen();
    try {
      return (await this.#session.read({ text, values })).rows;
    } catch (failure) {
      throw this.#explain(failure);
    }
  }

  #explain(failure: unknown): unknown {
    const explained = explainFailure(failure, this.#name);
    if (explained instanceof JournalError && explained.code === "removed") this.#onRemoved();
    return explained;
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw new Error("The journal is closed.");
  }
}
