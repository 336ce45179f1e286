import { Queue } from "../util/queue.ts";
import type { RunNode } from "./run-node.ts";

/**
 * The slots that leaves run in. Everything around a leaf may have a concurrency limit (the run, a nested workflow), and a leaf takes a
 * slot in each of them or in none. A leaf that finds none waits here and is woken when there may be one.
 */
export class ConcurrencyLimits {
  readonly #wake: (node: RunNode) => void;
  readonly #limits = new Map<RunNode, ConcurrencyLimit>();
  readonly #holding = new Set<RunNode>();

  constructor(wake: (node: RunNode) => void) {
    this.#wake = wake;
  }

  /** A limit that is set already stays. */
  limit(node: RunNode, most: number): void {
    if (!this.#limits.has(node)) this.#limits.set(node, { most, running: 0, waiting: new Queue() });
  }

  forget(node: RunNode): void {
    this.#limits.delete(node);
  }

  /** Whether there is a slot for the leaf; where there is none, it waits for it. */
  take(node: RunNode): boolean {
    const limits = this.#around(node);
    const full = limits.findLast(({ running, most }) => running >= most);
    if (full !== undefined) {
      full.waiting.push(node);
      this.#offer(limits);
      return false;
    }
    this.#holding.add(node);
    for (const limit of limits) limit.running++;
    return true;
  }

  release(node: RunNode): void {
    const limits = this.#around(node);
    if (this.#holding.delete(node)) for (const limit of limits) limit.running--;
    this.#offer(limits);
  }

  wakeAll(): void {
    for (const limit of this.#limits.values()) this.#wakeWaiting(limit, Number.POSITIVE_INFINITY);
  }

  /**
   * Wakes one waiting node per limit with a free slot. A node that is woken either takes the slot or waits here again, so a free slot
   * and a waiting node never go without each other. Outer limits come first: a node that waits there has waited longest.
   */
  #offer(limits: readonly ConcurrencyLimit[]): void {
    for (const limit of limits) if (limit.running < limit.most) this.#wakeWaiting(limit, 1);
  }

  #wakeWaiting(limit: ConcurrencyLimit, most: number): void {
    for (let count = 0; count < most; count++) {
      const node = limit.waiting.shift();
      if (node === undefined) return;
      this.#wake(node);
    }
  }

  /** Outermost first. */
  #around(node: RunNode): ConcurrencyLimit[] {
    const limits: ConcurrencyLimit[] = [];
    for (let at = node.parent; at !== undefined; at = at.parent) {
      const limit = this.#limits.get(at);
      if (limit !== undefined) limits.push(limit);
    }
    return limits.reverse();
  }
}

interface ConcurrencyLimit {
  readonly most: number;
  running: number;
  /** Ready, but waiting for a slot here. */
  readonly waiting: Queue<RunNode>;
}
