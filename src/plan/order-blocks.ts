import type { Edge } from "./plan.ts";

export interface Order {
  /** Every block after all it waits for; shorter than the list of blocks when there is a cycle. */
  readonly sorted: readonly number[];
  /** By block: the length of the longest way to it. */
  readonly waves: readonly number[];
  readonly dependents: readonly (readonly number[])[];
}

/** Kahn's algorithm: linear in blocks and edges. */
export function orderBlocks(edges: readonly (readonly Edge[])[]): Order {
  const dependents: number[][] = edges.map(() => []);
  const waiting = edges.map((own) => own.length);
  for (const [index, own] of edges.entries()) for (const edge of own) dependents[edge.on]?.push(index);
  const waves = edges.map(() => 0);
  const sorted = edges.flatMap((own, index) => (own.length === 0 ? [index] : []));
  for (let next = 0; next < sorted.length; next++) {
    const index = sorted[next] as number;
    for (const dependent of dependents[index] as number[]) {
      waves[dependent] = Math.max(waves[dependent] as number, (waves[index] as number) + 1);
      waiting[dependent] = (waiting[dependent] as number) - 1;
      if (waiting[dependent] === 0) sorted.push(dependent);
    }
  }
  return { sorted, waves, dependents };
}

/** One cycle among the blocks that could not be sorted, as the edges that close it: each `from` waits for its edge's target. */
export function findCycle(
  edges: readonly (readonly Edge[])[],
  sorted: readonly number[],
): { from: number; edge: Edge }[] {
  const done = new Set(sorted);
  const start = edges.findIndex((_, index) => !done.has(index));
  const visitedAt = new Map<number, number>();
  const way: { from: number; edge: Edge }[] = [];
  // Every unsorted block waits for another unsorted one, so walking on always comes back to a block already visited.
  for (let at = start; ; ) {
    const seen = visitedAt.get(at);
    if (seen !== undefined) return way.slice(seen);
    visitedAt.set(at, way.length);
    const edge = (edges[at] as readonly Edge[]).find((candidate) => !done.has(candidate.on)) as Edge;
    way.push({ from: at, edge });
    at = edge.on;
  }
}

export type IsUpstream = (of: number, target: number) => boolean;

/**
 * Whether one block waits for another, through others too. Kept as one bit for each pair, 12 MB for the largest workflow, and
 * worked out when a question is first asked that the block's own edges don't answer.
 */
export function findUpstream(edges: readonly (readonly Edge[])[], sorted: readonly number[]): IsUpstream {
  const width = Math.ceil(edges.length / 32);
  let known: Uint32Array | undefined;
  return (of, target) => {
    if ((edges[of] as readonly Edge[]).some(({ on }) => on === target)) return true;
    known ??= gatherUpstream(edges, sorted, width);
    return ((known[of * width + (target >> 5)] as number) & (1 << (target & 31))) !== 0;
  };
}

function gatherUpstream(
  edges: readonly (readonly Edge[])[],
  sorted: readonly number[],
  width: number,
): Uint32Array<ArrayBuffer> {
  const bits = new Uint32Array(width * edges.length);
  for (const index of sorted) {
    const own = bits.subarray(index * width, (index + 1) * width);
    for (const { on } of edges[index] as readonly Edge[]) {
      const above = on * width;
      for (let word = 0; word < width; word++) own[word] = (own[word] as number) | (bits[above + word] as number);
      own[on >> 5] = (own[on >> 5] as number) | (1 << (on & 31));
    }
  }
  return bits;
}
