import { setTimeout as delay } from "node:timers/promises";
import { Connection } from "./connection.ts";
import type { Pg, PgClient, PgQuery, PgResult } from "./pg.ts";

const retryMs = 200;

export interface SessionOptions {
  readonly pg: Pg;
  readonly url: string;
  /** The advisory lock that tells others that this process lives. */
  readonly key: string;
  readonly patienceMs: number;
  readonly prepare: (client: PgClient) => Promise<void>;
  /** Something has changed, or may have while nobody was told. */
  readonly onChange: () => void;
}

/**
 * The connection that others know this process by: it holds the lock for the runs that are driven here, hears of changes, and reads.
 * Lost, it is made anew at once, with the lock under the same key before anything else.
 */
export class Session {
  readonly #key: string;
  readonly #connection: Connection;
  readonly #onChange: () => void;
  #holding: PgClient | undefined;
  #listening: PgClient | undefined;
  #isHolder = false;
  #isListener = false;
  #isClosed = false;

  constructor({ pg, url, key, patienceMs, prepare, onChange }: SessionOptions) {
    this.#key = key;
    this.#onChange = onChange;
    this.#connection = new Connection({
      pg,
      url,
      patienceMs,
      prepare: async (client) => {
        await this.#takeUp(client);
        await prepare(client);
      },
      onNotice: onChange,
      onLost: () => {
        this.#holding = undefined;
        this.#listening = undefined;
        if (this.#isHolder || this.#isListener) void this.#connectAgain();
      },
    });
  }

  async open(): Promise<void> {
    await this.#connection.connect();
  }

  /** Whether others can see that this process lives, as far as it knows. */
  get isHeld(): boolean {
    return this.#holding !== undefined;
  }

  /** Resolves when others can see that this process lives. */
  async hold(): Promise<void> {
    this.#isHolder = true;
    await this.#keepUp();
  }

  async listen(): Promise<void> {
    this.#isListener = true;
    await this.#keepUp();
  }

  #keepUp(): Promise<void> {
    return this.#connection.again(() => this.#connection.use((client) => this.#takeUp(client)));
  }

  read(query: PgQuery): Promise<PgResult> {
    return this.#connection.read(query);
  }

  query(query: PgQuery, answerMs?: number): Promise<PgResult> {
    return this.#connection.query(query, answerMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection.close();
  }

  async #takeUp(client: PgClient): Promise<void> {
    // Shared, because the server may not have noticed yet that an earlier connection is gone.
    if (this.#isHolder && this.#holding !== client) {
      await client.query(`SELECT pg_advisory_lock_shared(${this.#key})`);
      this.#holding = client;
    }
    if (this.#isListener && this.#listening !== client) {
      await client.query("LISTEN frond");
      this.#listening = client;
    }
  }

  async #connectAgain(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#connection.connect();
        this.#onChange();
        return;
      } catch {
        // Whoever reads or writes next is told what is wrong; here it is enough to try again.
        await delay(retryMs, undefined, { ref: false });
      }
    }
  }
}
