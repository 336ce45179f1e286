import { type Prepare, rollBack } from "./driver.ts";
import { isOutside } from "./explain-failure.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

/** Where a write transaction is, for tests that let the process die there. */
export type WritePoint = "before-begin" | "before-commit" | "after-commit";
export type OnWrite = (point: WritePoint, what: readonly string[]) => void;

export interface WriteQueueOptions {
  /** Throws when it is better not to begin writing so much, or anything at all. */
  readonly checkFile: (bytes: number) => void;
  /** Throws, within a transaction, when the database is not what it was when it was opened. */
  readonly checkVersion: () => void;
  /** What a caller is told instead of a failure of SQLite. */
  readonly explain: (failure: unknown) => unknown;
  readonly onCommit: (bytes: number) => void;
  readonly onWrite?: OnWrite | undefined;
}

/** What a call wants to write. */
export interface WriteRequest<T> {
  /** The types of its events, or the name of the call. */
  readonly what: readonly string[];
  /** About how much. */
  readonly bytes?: number;
  readonly apply: () => T;
}

interface Write extends WriteRequest<unknown> {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Does writes in the order in which they were asked for, all that are ready in one transaction, because nearly all of its time
 * goes into making it durable. A write answers once it is.
 *
 * Invariant: a write that fails by its own fault takes no other with it. What the outside refuses, such as space on the disk, it
 * refuses to all of a transaction, and none of it is done.
 */
export class WriteQueue {
  readonly #sql: Prepare;
  readonly #options: WriteQueueOptions;
  #waiting: Write[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(sql: Prepare, options: WriteQueueOptions) {
    this.#sql = sql;
    this.#options = options;
  }

  add<T>(request: WriteRequest<T>): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      // Not before this turn of the event loop is over: what else becomes ready in it shares the transaction.
      if (this.#waiting.length === 0) setImmediate(() => void this.#work());
      this.#waiting.push({ ...request, resolve: resolve as Write["resolve"], reject });
    });
    this.#last = done;
    return done;
  }

  /** Resolves when all that has been asked for so far is done. */
  async idle(): Promise<void> {
    await this.#last.catch(() => {});
  }

  async #work(): Promise<void> {
    try {
      await retryWhileBusy(() => this.#workOff());
    } catch (failure) {
      this.#fail(this.#take(), failure);
    }
  }

  /** Never leaves a transaction open, so that nothing else happens within it. */
  #workOff(): void {
    while (this.#waiting.length > 0) {
      this.#begin(this.#waiting);
      this.#perform(this.#take());
    }
  }

  #take(): Write[] {
    const writes = this.#waiting;
    this.#waiting = [];
    return writes;
  }

  #begin(writes: readonly Write[]): void {
    this.#options.checkFile(totalBytes(writes));
    this.#tell("before-begin", writes);
    this.#sql("BEGIN IMMEDIATE").run();
  }

  #perform(writes: readonly Write[]): void {
    const results: unknown[] = [];
    let current: Write | undefined;
    try {
      this.#options.checkVersion();
      for (current of writes) results.push(current.apply());
      current = undefined;
      this.#tell("before-commit", writes);
      this.#sql("COMMIT").run();
    } catch (failure) {
      rollBack(this.#sql);
      if (current === undefined || isOutside(failure)) return this.#fail(writes, failure);
      this.#fail([current], failure);
      this.#waiting = writes.filter((write) => write !== current);
      return;
    }
    this.#tell("after-commit", writes);
    for (const [index, write] of writes.entries()) write.resolve(results[index]);
    this.#options.onCommit(totalBytes(writes));
  }

  #fail(writes: readonly Write[], failure: unknown): void {
    const reason = this.#options.explain(failure);
    for (const write of writes) write.reject(reason);
  }

  #tell(point: WritePoint, writes: readonly Write[]): void {
    const what = writes.flatMap((write) => write.what);
    this.#options.onWrite?.(point, what);
  }
}

function totalBytes(writes: readonly Write[]): number {
  return writes.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
}
