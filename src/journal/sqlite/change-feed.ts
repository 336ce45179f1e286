import { Listeners } from "../listeners.ts";
import type { Prepare } from "./driver.ts";

const pollMs = 100;

/** Tells those who want to know that something may have changed. Looks for what other processes do only while somebody does. */
export class ChangeFeed {
  readonly #sql: Prepare;
  readonly #listeners = new Listeners();
  #timer: NodeJS.Timeout | undefined;
  #seen: unknown;

  constructor(sql: Prepare) {
    this.#sql = sql;
  }

  subscribe(listener: () => void): () => void {
    const stop = this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#seen = this.#version();
      this.#timer = setInterval(() => this.#poll(), pollMs).unref();
    }
    return () => {
      stop();
      if (this.#listeners.isEmpty) this.#stop();
    };
  }

  notify(): void {
    this.#listeners.notify();
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
