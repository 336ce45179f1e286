import { Queue } from "./queue.ts";

/** Counts what may happen at the same time. Whoever waits is served in the order of asking, and nobody overtakes. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Queue<() => void>();

  constructor(permits: number) {
    this.#free = permits;
  }

  tryAcquire(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  acquire(): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    // A permit goes straight to the next in line: it is never free in between, so no newcomer can take it.
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
