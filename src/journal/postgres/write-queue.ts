import { setTimeout as delay } from "node:timers/promises";
import type { Blob, EncodedEvent } from "../event-encoding.ts";
import { Connection } from "./connection.ts";
import { isOutside } from "./explain-failure.ts";
import { ConnectionLost, isConflict, ServerAway } from "./failures.ts";
import { version } from "./migrate.ts";
import type { Pg } from "./pg.ts";

/** What a call wants to write: `frond.write` says what each name does. */
export interface Call {
  readonly head: { readonly call: string } & Readonly<Record<string, unknown>>;
  readonly events?: readonly EncodedEvent[];
  readonly blobs?: readonly Blob[];
  /** The types of its events; without them it is known by its name. */
  readonly what?: readonly string[];
}

/** Where a batch is, for tests that let the process die there. */
export type WritePoint = "before-begin" | "after-commit";

export interface WriteQueueOptions {
  readonly pg: Pg;
  readonly url: string;
  /** Of this journal, and nobody else. */
  readonly writer: string;
  readonly patienceMs: number;
  /** Instead of the clock of the database. */
  readonly now?: (() => number) | undefined;
  /** What a caller is told instead of a failure of PostgreSQL. */
  readonly explain: (failure: unknown) => unknown;
  /** Others may want to know what was done. */
  readonly onChanged: () => void;
  readonly onWrite?: ((point: WritePoint, what: readonly string[]) => void) | undefined;
}

interface Write extends Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

const mostCalls = 200;
const mostBytes = 4_000_000;
const retryMs = 100;
const forgetMs = 1_000;
/** Calls that change nothing that anybody watches. */
const unheard = new Set(["heartbeat", "keep", "note"]);

/**
 * Does calls in the order in which they were asked for; those that are ready at the same time are one statement, and one commit.
 *
 * Invariant: a call that was rejected has changed nothing, and none is done twice. Batches are numbered, and the database remembers the
 * last one of each writer with its results: a batch whose answer was lost is sent again under its number until it is answered, however
 * long the server is away, and what may still be on its way under that number comes too late.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  readonly #connection: Connection;
  #waiting: Write[] = [];
  #batch = 0;
  #working: Promise<void> | undefined;
  #givesUp = false;
  /** An answer was lost: what was sent then may still be done, and must find that it was done before. */
  #wasLost = false;

  constructor(options: WriteQueueOptions) {
    const { pg, url, patienceMs } = options;
    this.#options = options;
    this.#connection = new Connection({ pg, url, patienceMs, prepare: async () => {} });
  }

  add(call: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...call, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /** Resolves when all that has been asked for is done; but a server that does not come back is not waited for. */
  async close(patienceMs: number): Promise<void> {
    const timer = setTimeout(() => {
      this.#givesUp = true;
    }, patienceMs);
    await this.#working;
    if (this.#batch > 0 && !this.#wasLost && !this.#givesUp) await this.#forgetWriter();
    clearTimeout(timer);
    await this.#connection.close();
  }

  /** Nothing is sent under this writer's numbers any more. A row that stays is removed after a week. */
  async #forgetWriter(): Promise<void> {
    const remove = { text: "DELETE FROM frond.writers WHERE id = $1", values: [this.#options.writer] };
    await this.#connection.query(remove, forgetMs).catch(() => {});
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Not before this turn of the event loop is over: what else becomes ready in it shares the commit.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#perform(this.#take());
    }
    this.#working = undefined;
  }

  #take(): Write[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((write, index) => {
      bytes += sizeOf(write);
      return index > 0 && (index === mostCalls || bytes > mostBytes);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #perform(writes: readonly Write[]): Promise<void> {
    try {
      const results = await this.#send(writes);
      for (const [index, write] of writes.entries()) write.resolve(results[index]);
      if (writes.some(({ head }) => !unheard.has(head.call))) this.#options.onChanged();
    } catch (failure) {
      if (writes.length > 1 && !isOutside(failure)) {
        // One of them is at fault, and takes no other with it.
        for (const write of writes) await this.#perform([write]);
        return;
      }
      const reason = this.#options.explain(failure);
      for (const write of writes) write.reject(reason);
    }
  }

  /** Rejects only when nothing has been changed, and nothing will be. */
  async #send(writes: readonly Call[]): Promise<readonly unknown[]> {
    const batch = ++this.#batch;
    const what = writes.flatMap((write) => write.what ?? [write.head.call]);
    let isUnknown = false;
    let refused: unknown;
    for (;;) {
      try {
        this.#options.onWrite?.("before-begin", what);
        // Refused after an earlier try was lost: so that the lost one does not happen later, nothing is written in its place.
        const results = await this.#sendOnce(batch, refused === undefined ? writes : []);
        this.#options.onWrite?.("after-commit", what);
        if (results.length === writes.length) return results;
        throw refused ?? new Error(`Batch ${batch} has ${results.length} results for ${writes.length} calls.`);
      } catch (failure) {
        if (refused !== undefined && failure === refused) throw failure;
        if (failure instanceof ConnectionLost) {
          isUnknown = true;
          this.#wasLost = true;
        } else if (failure instanceof ServerAway) {
          if (!isUnknown) throw failure;
        } else if (!isConflict(failure)) {
          if (!isUnknown) throw failure;
          refused ??= failure;
        }
        if (this.#givesUp) throw failure;
        await delay(retryMs);
      }
    }
  }

  async #sendOnce(batch: number, writes: readonly Call[]): Promise<readonly unknown[]> {
    const { writer, now } = this.#options;
    const events = writes.flatMap((write) => write.events ?? []);
    const blobs = writes.flatMap((write) => write.blobs ?? []);
    const calls = writes.map(({ head, events: own, blobs: parts }) => ({
      ...head,
      ...(own && { events: own.length }),
      ...(parts && { blobs: parts.length }),
    }));
    const { rows } = await this.#connection.query({
      name: "write",
      text: "SELECT frond.write($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS results",
      values: [
        ...[writer, batch, version, now?.() ?? null, JSON.stringify(calls)],
        ...[lines(events, "body"), lines(events, "parts")],
        ...[lines(blobs, "hash"), lines(blobs, "body"), lines(blobs, "parts")],
      ],
    });
    return rows[0]?.results as readonly unknown[];
  }
}

/** JSON as it is written here is one line. */
function lines<Key extends string>(texts: readonly Readonly<Record<Key, string | null>>[], key: Key): string {
  return texts.map((text) => text[key] ?? "").join("\n");
}

function sizeOf({ events = [], blobs = [] }: Call): number {
  let bytes = 0;
  for (const { body } of events) bytes += body.length;
  for (const { body } of blobs) bytes += body.length;
  return bytes;
}
