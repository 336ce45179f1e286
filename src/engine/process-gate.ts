import type { Semaphore } from "../util/semaphore.ts";
import { isLoop, type RunNode } from "./run-node.ts";

/**
 * Lets blocks that start commands in one after the other while the machine has room for them. A block waits here before it is
 * said to have started, so its time limit counts only time it had.
 */
export class ProcessGate {
  readonly #slots: Semaphore;
  readonly #retry: (node: RunNode) => void;
  readonly #waiting = new Set<RunNode>();
  readonly #holding = new Set<RunNode>();

  /** `retry` is called for a node that was turned away, when it may come again. */
  constructor(slots: Semaphore, retry: (node: RunNode) => void) {
    this.#slots = slots;
    this.#retry = retry;
  }

  /** Whether the node may go on now; if not, it will be retried. */
  enter(node: RunNode): boolean {
    if (!startsCommand(node) || this.#holding.has(node)) return true;
    if (this.#slots.tryAcquire()) {
      this.#holding.add(node);
      return true;
    }
    this.#waiting.add(node);
    void this.#slots.acquire().then(() => {
      if (!this.#waiting.delete(node)) return this.#slots.release();
      this.#holding.add(node);
      this.#retry(node);
    });
    return false;
  }

  leave(node: RunNode): void {
    if (this.#holding.delete(node)) this.#slots.release();
  }

  /** Retries everyone who waits, because waiting has become pointless. */
  dismissWaiting(): void {
    for (const node of this.#waiting) this.#retry(node);
    this.#waiting.clear();
  }

  /** Nobody is let in any more, and what was held is free for other runs. */
  close(): void {
    this.#waiting.clear();
    for (const node of this.#holding) this.leave(node);
  }
}

function startsCommand(node: RunNode): boolean {
  return !isLoop(node) && node.block?.definition.type.capabilities.includes("commands") === true;
}
