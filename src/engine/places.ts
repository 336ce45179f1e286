import { Queue } from "../util/queue.ts";
import type { Node } from "./node.ts";

/**
 * The places that leaves run in. Everything around a leaf may have a limit (the run, a nested workflow), and a leaf takes a place
 * in each of them or in none. Who finds no place waits here and is woken when there may be one.
 */
export class Places {
  readonly #wake: (node: Node) => void;
  readonly #limiters = new Map<Node, Limiter>();
  readonly #placed = new Set<Node>();

  constructor(wake: (node: Node) => void) {
    this.#wake = wake;
  }

  /** A limit that is set already stays. */
  limit(node: Node, most: number): void {
    if (!this.#limiters.has(node)) this.#limiters.set(node, { limit: most, running: 0, parked: new Queue() });
  }

  forget(node: Node): void {
    this.#limiters.delete(node);
  }

  /** Whether there is a place for the leaf; where there is none, it waits for it. */
  take(node: Node): boolean {
    const limiters = this.#around(node);
    const full = limiters.findLast(({ running, limit }) => running >= limit);
    if (full !== undefined) {
      full.parked.push(node);
      this.#offer(limiters);
      return false;
    }
    this.#placed.add(node);
    for (const limiter of limiters) limiter.running++;
    return true;
  }

  vacate(node: Node): void {
    const limiters = this.#around(node);
    if (this.#placed.delete(node)) for (const limiter of limiters) limiter.running--;
    this.#offer(limiters);
  }

  wakeAll(): void {
    for (const limiter of this.#limiters.values()) this.#unpark(limiter, Number.POSITIVE_INFINITY);
  }

  /**
   * Wakes one waiting node per free limiter. Whoever is woken either takes the place or ends up here again, so a free place
   * and a waiting node never go without each other. Outer limiters come first: who waits there has waited for everybody.
   */
  #offer(limiters: readonly Limiter[]): void {
    for (const limiter of limiters) if (limiter.running < limiter.limit) this.#unpark(limiter, 1);
  }

  #unpark(limiter: Limiter, most: number): void {
    for (let count = 0; count < most; count++) {
      const node = limiter.parked.shift();
      if (node === undefined) return;
      this.#wake(node);
    }
  }

  /** Outermost first. */
  #around(node: Node): Limiter[] {
    const limiters: Limiter[] = [];
    for (let at = node.parent; at !== undefined; at = at.parent) {
      const limiter = this.#limiters.get(at);
      if (limiter !== undefined) limiters.push(limiter);
    }
    return limiters.reverse();
  }
}

interface Limiter {
  readonly limit: number;
  running: number;
  /** Ready, but waiting for a place here. */
  readonly parked: Queue<Node>;
}
