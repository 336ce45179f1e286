import { type Database, type Prepare, prepareOnce, rollBack, SqliteFailure } from "./driver.ts";

/** About a thousand pages, which is what SQLite waits for by default. */
const commitsBetween = 250;
const bytesBetween = 4 * 1024 * 1024;

/**
 * Copies the log into the database from time to time, so that it does not grow for ever.
 *
 * Invariant: nobody writes meanwhile. SQLite before 3.51.3, which is what `libsql` and older versions of Node bring, can lose what
 * has been committed when a WAL checkpoint and the commit of another process meet (https://sqlite.org/wal.html#walresetbug). So
 * SQLite's own WAL checkpoints are switched off, and these hold the lock for writing. It takes a second connection to hold it, because
 * the one that copies must not be in a transaction.
 */
export class WalCheckpoints {
  readonly #sql: Prepare;
  readonly #openLock: () => Database;
  #lock: { readonly database: Database; readonly sql: Prepare } | undefined;
  #commits = 0;
  #bytes = 0;

  constructor(sql: Prepare, openLock: () => Database) {
    this.#sql = sql;
    this.#openLock = openLock;
  }

  /** To be told of every commit. */
  count(bytes: number): void {
    this.#commits++;
    this.#bytes += bytes;
    if (this.#commits >= commitsBetween || this.#bytes >= bytesBetween) this.tryNow();
  }

  /** Leaves the WAL checkpoint for later when others write, or when the disk does not let it happen: the log is as durable as the database. */
  tryNow(): void {
    try {
      this.run();
    } catch (failure) {
      if (!(failure instanceof SqliteFailure)) throw failure;
    }
  }

  run(): void {
    const lock = this.#connect();
    lock("BEGIN IMMEDIATE").run();
    try {
      this.#sql("PRAGMA wal_checkpoint(PASSIVE)").get();
      this.#commits = 0;
      this.#bytes = 0;
    } finally {
      rollBack(lock);
    }
  }

  close(): void {
    if (this.#commits > 0) this.tryNow();
    this.#lock?.database.close();
  }

  #connect(): Prepare {
    if (this.#lock === undefined) {
      const database = this.#openLock();
      this.#lock = { database, sql: prepareOnce(database) };
    }
    return this.#lock.sql;
  }
}
