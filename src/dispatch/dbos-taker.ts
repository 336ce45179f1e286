import { randomBytes } from "node:crypto";
import type { SegmentTaker, TakenEnd } from "../runs/dispatch.ts";
import { Semaphore } from "../util/semaphore.ts";
import { waitWithin } from "../util/wait-within.ts";
import type { Connection } from "./dbos.ts";
import { application, type Opened, rowVersion, schema, withConnection, workflowName } from "./dbos-pool.ts";
import { queuesOf, segmentOf } from "./segment-rows.ts";
import { slotsTable } from "./workflow-slots.ts";

/** Between two polls of a queue from which something was taken lately, while there is a slot for more and while there is none. */
const [busyMs, fullMs] = [10, 20];
/** The same for all other queues together, of which one is polled after the other. */
const idleMs = 100;
/** How long a queue counts as busy after something was taken from it, or has ended. */
const busyForMs = 2_000;
/** For ends of segments to be recorded, when everything ends. */
const lastWordsMs = 1_000;
/** Before a run that could not be driven is tried again, perhaps by another worker. */
const refusedMs = 5_000;
/** Of those that are over; DBOS has them on record a moment later. */
const mostRemembered = 1_000;

const tablesLock = "hashtextextended('frond dispatch tables', 0)";
const lockMs = 100;

/** Not by waiting for it: DBOS makes some indexes while others write, which waits for every statement that has begun before. */
async function tryLock(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query(`SELECT pg_try_advisory_lock(${tablesLock}) AS taken`);
  return rows[0]?.taken === true;
}

/**
 * Takes rows out of the queues of this worker, as many as it has slots: DBOS asks how many before each poll, of one queue after the
 * other. There is one in a process, because DBOS has one executor.
 */
export class DbosTaker {
  readonly #opened: Opened;
  readonly #taker: SegmentTaker;
  readonly #slots: Semaphore;
  /** Rows that DBOS counts as running here, by queue: also those that could not be driven, and are kept for a while. */
  readonly #rows = new Map<string, number>();
  /** Segments that have a slot, or are about to get one. */
  #driven = 0;
  /** Those that are over, and that DBOS may not have on record as such. */
  readonly #over = new Set<string>();
  readonly #closing = new AbortController();
  #isPaused = false;
  /** When something was last taken from a queue or ended, by queue. */
  readonly #lastBusy = new Map<string, number>();
  #ending: Promise<void> | undefined;

  constructor(opened: Opened, taker: SegmentTaker) {
    this.#opened = opened;
    this.#taker = taker;
    this.#slots = new Semaphore(taker.slots);
  }

  async listen(): Promise<void> {
    const { dbos, pool, url, logger } = this.#opened;
    const { labels, host } = this.#taker;
    dbos.DBOS.registerWorkflow((runId: string, queue: string) => this.#take(runId, queue), { name: workflowName });
    const queues = queuesOf(labels, host);
    for (const queue of queues) this.#limit(queue, queues.length);
    dbos.DBOS.setConfig({
      name: application,
      systemDatabaseUrl: url,
      systemDatabasePool: pool,
      systemDatabaseSchemaName: schema,
      // Never that of a process before: DBOS would take its rows for ours.
      executorID: `${host}-${process.pid}-${randomBytes(4).toString("hex")}`,
      applicationVersion: rowVersion,
      listenQueues: [],
      // So that a poll knows what the one before has taken.
      maxConcurrentQueueDispatches: 1,
      useListenNotify: false,
      logger,
    });
    // One at a time: workers that start at the same moment would make the tables of DBOS at the same moment.
    await withConnection(pool, async (connection) => {
      while (!(await tryLock(connection))) await waitWithin(lockMs, () => undefined, this.#closing.signal);
      await dbos.DBOS.launch();
      await connection.query(
        `CREATE TABLE IF NOT EXISTS ${schema}.frond_turns (name text PRIMARY KEY, taken_at timestamptz NOT NULL)`,
      );
      await connection.query(slotsTable);
      await connection.query(`SELECT pg_advisory_unlock(${tablesLock})`);
    });
  }

  pause(): void {
    this.#isPaused = true;
  }

  end(): Promise<void> {
    this.#isPaused = true;
    this.#closing.abort();
    this.#ending ??= this.#opened.dbos.DBOS.shutdown({ workflowCompletionTimeoutMS: lastWordsMs, deregister: true });
    return this.#ending;
  }

  isOver(id: string): boolean {
    return this.#over.has(id);
  }

  /** A queue of this process alone has limits of its own, and they may change from poll to poll. */
  #limit(queue: string, count: number): void {
    const { dbos } = this.#opened;
    const limits = dbos.registerInternalQueue(queue, { workerConcurrency: 1, minPollingIntervalMs: idleMs * count });
    Object.defineProperties(limits, {
      workerConcurrency: { get: () => (this.#rows.get(queue) ?? 0) + this.#free() },
      minPollingIntervalMs: { get: () => (this.#isBusy(queue) ? this.#busyMs() : idleMs * count) },
    });
  }

  #count(queue: string, more: 1 | -1): void {
    this.#rows.set(queue, (this.#rows.get(queue) ?? 0) + more);
  }

  #free(): number {
    return this.#isPaused ? 0 : Math.max(0, this.#taker.slots - this.#driven);
  }

  /** Several queues that are busy take turns. */
  #busyMs(): number {
    const busy = [...this.#lastBusy.keys()].filter((queue) => this.#isBusy(queue)).length;
    return (this.#free() > 0 ? busyMs : fullMs) * busy;
  }

  #isBusy(queue: string): boolean {
    return performance.now() - (this.#lastBusy.get(queue) ?? Number.NEGATIVE_INFINITY) < busyForMs;
  }

  /** What DBOS does with a row. It never fails: whether the run is well, the journal says. */
  async #take(_runId: string, queue: string): Promise<void> {
    const { dbos, client } = this.#opened;
    const id = dbos.DBOS.workflowID ?? "";
    const segment = segmentOf(id);
    if (segment === undefined) return;
    this.#over.delete(id);
    this.#count(queue, 1);
    try {
      const end = await this.#drive(segment, queue);
      if (end === "over") this.#remember(id);
      else if (end === "put-back") await client.resumeWorkflow(id, { queueName: queue });
      // As long as its row is there nobody asks for it again.
      else await waitWithin(refusedMs, () => undefined, this.#closing.signal);
    } finally {
      this.#count(queue, -1);
    }
  }

  async #drive(segment: Parameters<SegmentTaker["take"]>[0], queue: string): Promise<TakenEnd> {
    this.#driven += 1;
    this.#lastBusy.set(queue, performance.now());
    await this.#slots.acquire();
    try {
      return await this.#taker.take(segment);
    } catch (error) {
      this.#opened.logger.error(error instanceof Error ? error.message : error);
      return "refused";
    } finally {
      this.#slots.release();
      this.#driven -= 1;
      this.#lastBusy.set(queue, performance.now());
    }
  }

  #remember(id: string): void {
    this.#over.add(id);
    const [oldest] = this.#over;
    if (this.#over.size > mostRemembered && oldest !== undefined) this.#over.delete(oldest);
  }
}
