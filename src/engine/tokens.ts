import type { RunNode } from "./run-node.ts";

/** Counts what may still happen by itself in each node: a token counts at its node and at everything around it. */
export class Tokens {
  readonly #counts = new Map<RunNode, number>();

  has(node: RunNode): boolean {
    return this.#counts.has(node);
  }

  /** Gives the nodes that had none before. */
  hold(node: RunNode): readonly RunNode[] {
    const woken: RunNode[] = [];
    for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) {
      const count = this.#counts.get(at) ?? 0;
      this.#counts.set(at, count + 1);
      if (count === 0) woken.push(at);
    }
    return woken;
  }

  /** From the inside out; hears of each node that has none any more before what is around it is looked at. */
  release(node: RunNode, onQuiet: (node: RunNode) => void): void {
    for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) {
      const count = (this.#counts.get(at) ?? 0) - 1;
      if (count > 0) {
        this.#counts.set(at, count);
        continue;
      }
      this.#counts.delete(at);
      onQuiet(at);
    }
  }
}
