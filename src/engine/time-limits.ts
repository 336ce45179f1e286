import type { Clock } from "../block/ports.ts";
import type { RunNode } from "./run-node.ts";
import { startTimer } from "./timer.ts";

/** Time limits of what holds blocks. They count active time: one stands still while nothing below its node can happen. */
export class TimeLimits {
  readonly #clock: Clock;
  readonly #limits = new Map<RunNode, Limit>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** By what the workflow inside the node says of itself, and the block that it runs for; what it has used already counts. */
  limit(node: RunNode, ofBlock: number | undefined, onExceeded: (seconds: number) => void): void {
    const { inside } = node;
    if (inside.kind !== "workflow") return;
    const seconds = Math.min(
      ofBlock ?? Number.POSITIVE_INFINITY,
      inside.plan.definition.timeout ?? Number.POSITIVE_INFINITY,
    );
    if (seconds === Number.POSITIVE_INFINITY) return;
    const leftMs = seconds * 1000 - (inside.active?.usedMs ?? 0);
    this.#limits.set(node, { leftMs, onExceeded: () => onExceeded(seconds), isOfFinally: false, running: undefined });
    this.#goOn(node);
  }

  /** Once begun it runs on, whatever happens. */
  limitFinally(node: RunNode, seconds: number, onExceeded: () => void): void {
    if (this.#limits.has(node)) return;
    this.#limits.set(node, { leftMs: seconds * 1000, onExceeded, isOfFinally: true, running: undefined });
    this.#goOn(node);
  }

  /** Whether somebody has to be there to end something. */
  get hurries(): boolean {
    for (const { isOfFinally } of this.#limits.values()) if (isOfFinally) return true;
    return false;
  }

  end(node: RunNode): void {
    this.#limits.get(node)?.running?.stop();
    this.#limits.delete(node);
  }

  endAll(): void {
    for (const node of [...this.#limits.keys()]) this.end(node);
  }

  /** Stops the limits of a node and of everything around it that is quiet. */
  pauseAround(node: RunNode, isQuiet: (node: RunNode) => boolean): void {
    if (this.#limits.size === 0) return;
    for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) {
      const limit = this.#limits.get(at);
      if (limit?.running === undefined || limit.isOfFinally || !isQuiet(at)) continue;
      limit.running.stop();
      limit.leftMs -= this.#clock.monotonic() - limit.running.since;
      limit.running = undefined;
    }
  }

  /** Lets the limits of a node and of everything around it that is not quiet go on. */
  goOnAround(node: RunNode, isQuiet: (node: RunNode) => boolean): void {
    if (this.#limits.size === 0) return;
    for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) if (!isQuiet(at)) this.#goOn(at);
  }

  #goOn(node: RunNode): void {
    const limit = this.#limits.get(node);
    if (limit === undefined || limit.running !== undefined) return;
    const stop = startTimer(limit.leftMs, limit.onExceeded);
    limit.running = { since: this.#clock.monotonic(), stop };
  }
}

interface Limit {
  leftMs: number;
  readonly onExceeded: () => void;
  /** It counts all time, not only active time. */
  readonly isOfFinally: boolean;
  /** Absent while it stands still. */
  running: { readonly since: number; stop(): void } | undefined;
}
