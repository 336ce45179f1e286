import { setTimeout as delay } from "node:timers/promises";
import { ConnectionLost, isServerAway, ServerAway } from "./failures.ts";
import type { Pg, PgClient, PgQuery, PgResult } from "./pg.ts";

/** No answer for so long means that the connection is dead, although nobody has said so. */
const silenceMs = 60_000;
const connectMs = 10_000;
const retryMs = 100;

export interface ConnectionOptions {
  readonly pg: Pg;
  readonly url: string;
  /** Makes a new connection ready; what it throws is why there is none. */
  readonly prepare: (client: PgClient) => Promise<void>;
  readonly onNotice?: () => void;
  readonly onLost?: () => void;
  /** How long a server that is away is waited for, in milliseconds, before anything has been sent. */
  readonly patienceMs: number;
}

/** One connection, made when it is first needed, and again when it was lost. */
export class Connection {
  readonly #options: ConnectionOptions;
  #client: Promise<PgClient> | undefined;
  #ready: PgClient | undefined;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Rejects with `ServerAway` when nothing could be sent, and with `ConnectionLost` when the answer was lost. */
  query(query: PgQuery, answerMs: number = silenceMs): Promise<PgResult> {
    return this.use((client) => client.query(query), answerMs);
  }

  /** The same for several questions. */
  async use<T>(action: (client: PgClient) => Promise<T>, answerMs: number = silenceMs): Promise<T> {
    const client = await this.connect();
    const timer = setTimeout(() => this.#discard(client), answerMs);
    try {
      return await action(client);
    } catch (failure) {
      if (!isServerAway(failure)) throw failure;
      this.#discard(client);
      throw new ConnectionLost("The connection was lost.", { cause: failure });
    } finally {
      clearTimeout(timer);
    }
  }

  /** What only looks is asked again when the answer was lost. */
  read(query: PgQuery): Promise<PgResult> {
    return this.again(() => this.query(query));
  }

  /** Does something once more when the connection was lost in the middle of it, for what may be done twice. */
  async again<T>(action: () => Promise<T>): Promise<T> {
    for (const deadline = performance.now() + this.#options.patienceMs; ; await delay(retryMs)) {
      try {
        return await action();
      } catch (failure) {
        if (!(failure instanceof ConnectionLost) || performance.now() > deadline) throw failure;
      }
    }
  }

  async connect(): Promise<PgClient> {
    for (const deadline = performance.now() + this.#options.patienceMs; ; await delay(retryMs)) {
      this.#client ??= this.#make();
      const making = this.#client;
      try {
        return await making;
      } catch (failure) {
        if (this.#client === making) this.#client = undefined;
        if (!isServerAway(failure)) throw failure;
        if (this.#isClosed || performance.now() > deadline) {
          throw new ServerAway("The server is away.", { cause: failure });
        }
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => {});
  }

  async #make(): Promise<PgClient> {
    const { pg, url, prepare, onNotice } = this.#options;
    const client = askedInTurn(
      new pg.Client({
        connectionString: url,
        application_name: "frond",
        connectionTimeoutMillis: connectMs,
        keepAlive: true,
      }),
    );
    let isLost = false;
    const lose = (): void => {
      isLost = true;
      this.#forget(client);
    };
    client.on("error", lose);
    client.on("end", lose);
    if (onNotice !== undefined) client.on("notification", onNotice);
    try {
      await client.connect();
      await client.query(settings);
      await prepare(client);
      // Nobody would hear of it again.
      if (isLost) throw new Error("The connection was lost when it had just been made.");
    } catch (failure) {
      void client.end().catch(() => {});
      throw failure;
    }
    this.#ready = client;
    return client;
  }

  #forget(client: PgClient): void {
    if (this.#ready !== client) return;
    this.#ready = undefined;
    this.#client = undefined;
    if (!this.#isClosed) this.#options.onLost?.();
  }

  /** A connection that is of no use any more. */
  #discard(client: PgClient): void {
    this.#forget(client);
    void client.end().catch(() => {});
    (client as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy();
  }
}

/** One question after the other: that a client itself lets them wait is on its way out. */
function askedInTurn(client: PgClient): PgClient {
  const ask = client.query.bind(client);
  let last: Promise<unknown> = Promise.resolve();
  client.query = (...question) => {
    const asked = last.then(() => ask(...question));
    last = asked.catch(() => {});
    return asked;
  };
  return client;
}

/** What an administrator may have set for other programs, and what would give less than we promise. */
const settings = `
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
  SET statement_timeout = 0; SET lock_timeout = 0; SET idle_session_timeout = 0; SET jit = off; SET client_min_messages = warning;
  SET default_transaction_isolation = 'read committed';
`;
