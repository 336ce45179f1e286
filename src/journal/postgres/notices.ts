import { setTimeout as delay } from "node:timers/promises";

/** Between two notices of one process: whoever hears one looks at all that has changed. */
const restMs = 20;

/**
 * Tells other processes that something has changed: after the commit, for within it a notice makes all commits of a database wait for
 * each other. Of a process that is killed in between, nobody is told; so whoever listens looks now and then by itself.
 */
export class Notices {
  readonly #send: () => Promise<unknown>;
  readonly #closing = new AbortController();
  #sending: Promise<void> | undefined;
  #isDue = false;

  constructor(send: () => Promise<unknown>) {
    this.#send = send;
  }

  tell(): void {
    this.#isDue = true;
    this.#sending ??= this.#work();
  }

  /** Resolves when all is told that is to be told. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sending;
  }

  async #work(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      // A server that is away tells nobody anything: who listens connects anew, and looks then.
      await this.#send().catch(() => {});
      await delay(restMs, undefined, { ref: false, signal: this.#closing.signal }).catch(() => {});
    }
    this.#sending = undefined;
  }
}
