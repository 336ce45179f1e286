import type { Prepare } from "./driver.ts";

const pollMs = 100;

/** Tells those who want to know that something may have changed. Looks for what other processes do only while somebody does. */
export class ChangeFeed {
  readonly #sql: Prepare;
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #seen: unknown;

  constructor(sql: Prepare) {
    this.#sql = sql;
  }

  subscribe(listener: () => void): () => void {
    // A function of its own, because the same one may be given twice.
    const own = (): void => {
      if (this.#listeners.has(own)) listener();
    };
    this.#listeners.add(own);
    if (this.#timer === undefined) {
      this.#seen = this.#version();
      this.#timer = setInterval(() => this.#poll(), pollMs).unref();
    }
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  notify(): void {
    // Later, so that a listener that throws keeps nobody from hearing of it.
    for (const listener of this.#listeners) queueMicrotask(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    const version = this.#version();
    if (version === this.#seen) return;
    this.#seen = version;
    this.notify();
  }

  /** Changes when another connection has committed something. */
  #version(): unknown {
    try {
      return this.#sql("PRAGMA data_version").get()?.data_version;
    } catch {
      // Whoever reads or writes next is told what is wrong; here it is enough to look again.
      return this.#seen;
    }
  }
}
