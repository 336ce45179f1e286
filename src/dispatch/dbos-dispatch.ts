import type { OpenSegment, Segment, SegmentTaker, WorkerDispatch } from "../runs/dispatch.ts";
import type { Log } from "../util/log.ts";
import type { Row, RowStatus } from "./dbos.ts";
import { createDbosLogger } from "./dbos-logger.ts";
import {
  isUnprepared,
  type Opened,
  openClient,
  rowVersion,
  schema,
  withConnection,
  workflowName,
} from "./dbos-pool.ts";
import { DbosTaker } from "./dbos-taker.ts";
import { loadDbos } from "./load-dbos.ts";
import { idOf, queueOf, segmentOf } from "./segment-rows.ts";
import { acquireSlot, listSlots, releaseSlot } from "./workflow-slots.ts";

export interface DispatchOptions {
  readonly url: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/** Nothing is loaded or opened before something is asked of it. */
export function createDispatch(options: DispatchOptions): WorkerDispatch {
  return new DbosDispatch(options);
}

const openStatuses: readonly RowStatus[] = ["ENQUEUED", "DELAYED", "PENDING"];
const waitingStatuses: readonly RowStatus[] = ["ENQUEUED", "DELAYED"];
const lean = { loadInput: false, loadOutput: false } as const;
/** At once, of those that are over. */
const mostForgotten = 500;

/**
 * Segments as rows of queues of DBOS. What is true of a run, the journal alone says; a row only brings a worker to look at it. So a row
 * too many does no harm, and one that is missing is made again by whoever looks for runs that wait.
 */
class DbosDispatch implements WorkerDispatch {
  readonly #options: DispatchOptions;
  #opening: Promise<Opened> | undefined;
  #taker: DbosTaker | undefined;
  /** Workers are known by theirs, to a diagnosis and to whoever looks after the database. */
  #connectionName = "frond-dispatch";

  constructor(options: DispatchOptions) {
    this.#options = options;
  }

  async enqueue(segment: Segment): Promise<void> {
    try {
      if (segment.queue.concurrency === undefined) await this.#insert(segment);
      else if (await this.#isWorthAsking(segment, segment.queue.concurrency)) {
        await this.#insert(segment, { workflow: segment.workflow });
      }
    } catch (error) {
      // The first worker looks for what waits.
      if (!isUnprepared(error)) throw error;
    }
  }

  async #insert(segment: Segment, attributes: Readonly<Record<string, string>> = {}): Promise<void> {
    const { client, dbos } = await this.#open();
    const [id, queueName] = [idOf(segment), queueOf(segment)];
    const row = { workflowName, queueName, workflowID: id, appVersion: rowVersion, attributes };
    try {
      await client.enqueue({ ...row, workflowIDReusePolicy: "reject" }, segment.runId, queueName);
    } catch (error) {
      if (!dbos.Error.isWorkflowIDInUseError(error)) throw error;
      if (openStatuses.includes(error.status)) return;
      // A worker had it and did not take the run. Somebody else may have let it begin anew in between.
      await client.rewindWorkflow(id, { queueName }).catch(() => {});
    }
  }

  /** So that workers don't take what they would have to leave. What waits for other workers may wait there for ever, and does not count. */
  async #isWorthAsking(segment: Segment, limit: number): Promise<boolean> {
    const { client, pool } = await this.#open();
    const { workflow } = segment;
    const driven = [...(await listSlots(pool)).values()].filter((one) => one === workflow);
    const waiting = await client.listWorkflows({ ...lean, status: waitingStatuses, attributes: { workflow } });
    const inSame = waiting.filter(({ queueName }) => queueName === queueOf(segment));
    return driven.length + inSame.length < limit;
  }

  async waiting(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { queueName = "" } of await this.#list(waitingStatuses)) {
      counts.set(queueName, (counts.get(queueName) ?? 0) + 1);
    }
    return counts;
  }

  async listen(taker: SegmentTaker): Promise<void> {
    this.#connectionName = `frond-worker ${taker.host}:${process.pid}`;
    const opened = await this.#open();
    const listening = new DbosTaker(opened, taker);
    await listening.listen();
    this.#taker = listening;
  }

  pause(): void {
    this.#taker?.pause();
  }

  async end(): Promise<void> {
    await this.#taker?.end();
  }

  async takeTurn(name: string, everyMs: number): Promise<{ readonly isOurs: boolean; readonly now: number }> {
    const { pool } = await this.#open();
    return withConnection(pool, async (connection) => {
      const taken = await connection.query(
        `INSERT INTO ${schema}.frond_turns AS turn (name, taken_at) VALUES ($1, now())
         ON CONFLICT (name) DO UPDATE SET taken_at = now()
         WHERE turn.taken_at < now() - $2 * interval '1 millisecond'
         RETURNING extract(epoch FROM now()) * 1000 AS now`,
        [name, everyMs],
      );
      const [row] = taken.rows;
      return { isOurs: row !== undefined, now: Number(row?.now ?? 0) };
    });
  }

  async acquire(segment: Segment): Promise<boolean> {
    const { concurrency } = segment.queue;
    return concurrency === undefined || acquireSlot((await this.#open()).pool, segment, concurrency);
  }

  async release(segment: Segment): Promise<void> {
    if (segment.queue.concurrency !== undefined) await releaseSlot((await this.#open()).pool, segment);
  }

  async listOpen(): Promise<readonly OpenSegment[]> {
    const open: OpenSegment[] = [];
    const rows = await this.#list(openStatuses);
    const slots = rows.length === 0 ? new Map<string, string>() : await listSlots((await this.#open()).pool);
    for (const { workflowID, status, dequeuedAt } of rows) {
      const segment = segmentOf(workflowID);
      if (segment === undefined || this.#taker?.isOver(workflowID)) continue;
      const slotOf = slots.get(workflowID);
      open.push({
        ...segment,
        ...(slotOf !== undefined && { slotOf }),
        ...(status === "PENDING" && dequeuedAt !== undefined && { takenAt: dequeuedAt }),
      });
    }
    return open;
  }

  async putBack(segment: OpenSegment): Promise<void> {
    const { client } = await this.#open();
    const [row] = await client.listWorkflows({ ...lean, workflowIDs: [idOf(segment)], status: ["PENDING"] });
    if (row?.queueName !== undefined) await client.resumeWorkflow(row.workflowID, { queueName: row.queueName });
  }

  async drop(segments: Parameters<WorkerDispatch["drop"]>[0]): Promise<void> {
    if (segments.length > 0) await (await this.#open()).client.cancelWorkflows(segments.map(idOf));
  }

  async forget(olderThanMs: number): Promise<void> {
    const { client } = await this.#open();
    const completedBefore = new Date(Date.now() - olderThanMs).toISOString();
    const over = { status: ["SUCCESS", "ERROR", "CANCELLED"], completedBefore, limit: mostForgotten, ...lean } as const;
    for (;;) {
      const rows = await client.listWorkflows(over).catch((error: unknown) => {
        if (isUnprepared(error)) return [];
        throw error;
      });
      if (rows.length > 0) await client.deleteWorkflows(rows.map(({ workflowID }) => workflowID));
      if (rows.length < mostForgotten) return;
    }
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    await this.#taker?.end();
    await opened?.client.destroy();
    await opened?.pool.end();
  }

  async #list(status: readonly RowStatus[]): Promise<readonly Row[]> {
    const { client } = await this.#open();
    try {
      return await client.listWorkflows({ ...lean, status });
    } catch (error) {
      if (isUnprepared(error)) return [];
      throw error;
    }
  }

  #open(): Promise<Opened> {
    this.#opening ??= this.#load();
    return this.#opening;
  }

  async #load(): Promise<Opened> {
    const { url, variables, log } = this.#options;
    const dbos = loadDbos(variables);
    if (!dbos.ok) throw new Error(`Runs can't be handed to workers: ${dbos.error}.`);
    return openClient(dbos.value, url, this.#connectionName, createDbosLogger(log));
  }
}
