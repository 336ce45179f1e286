import type { Edge } from "./plan.ts";

type Edges = readonly (readonly Pick<Edge, "on">[])[];

/**
 * Which blocks of a plan can run at the same time as one of them: those that it does not wait for and that do not wait for it, through
 * others too. `sorted` has every block after all it waits for. Kept as bits, 24 MB for the largest workflow.
 */
export class ConcurrentBlocks {
  readonly #width: number;
  readonly #before: Uint32Array;
  readonly #after: Uint32Array;

  constructor(edges: Edges, sorted: readonly number[]) {
    this.#width = Math.ceil(edges.length / 32);
    const dependents: { on: number }[][] = edges.map(() => []);
    for (const [index, own] of edges.entries()) for (const { on } of own) dependents[on]?.push({ on: index });
    this.#before = gather(edges, sorted, this.#width);
    this.#after = gather(dependents, sorted.toReversed(), this.#width);
  }

  /** The first of some blocks, which are bits, that can run while this one does. */
  first(index: number, among: Uint32Array): number | undefined {
    const row = index * this.#width;
    for (let word = 0; word < this.#width; word++) {
      const ordered = (this.#before[row + word] as number) | (this.#after[row + word] as number);
      let left = (among[word] as number) & ~ordered;
      if (index >> 5 === word) left &= ~(1 << (index & 31));
      if (left !== 0) return word * 32 + 31 - Math.clz32(left & -left);
    }
    return undefined;
  }

  /** Whether one can only begin when the other has ended. */
  isAfter(index: number, other: number): boolean {
    return ((this.#before[index * this.#width + (other >> 5)] as number) & (1 << (other & 31))) !== 0;
  }
}

/** Blocks as bits. */
export function bitsOf(indexes: Iterable<number>, count: number): Uint32Array {
  const bits = new Uint32Array(Math.ceil(count / 32));
  for (const index of indexes) bits[index >> 5] = (bits[index >> 5] as number) | (1 << (index & 31));
  return bits;
}

function gather(edges: Edges, sorted: readonly number[], width: number): Uint32Array {
  const bits = new Uint32Array(width * edges.length);
  for (const index of sorted) {
    const own = index * width;
    for (const { on } of edges[index] ?? []) {
      for (let word = 0; word < width; word++)
        bits[own + word] = (bits[own + word] as number) | (bits[on * width + word] as number);
      bits[own + (on >> 5)] = (bits[own + (on >> 5)] as number) | (1 << (on & 31));
    }
  }
  return bits;
}
