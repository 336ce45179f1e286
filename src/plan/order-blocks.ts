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

/** Blocks that wait for each other, as the edges that close the circle: each `from` waits for the target of its edge. */
export type Cycle = readonly { readonly from: number; readonly edge: Edge }[];

interface Visit {
  readonly from: number;
  /** The edge to follow next. */
  next: number;
  /** The last place on the way so far whose block is in a cycle already found. */
  told: number;
}

/**
 * Cycles among the blocks that could not be sorted, as many as share no block: so every group of blocks that wait for each other
 * has one. A search in depth, with a way of its own because a workflow may be deeper than the stack.
 */
export function findCycles(edges: readonly (readonly Edge[])[], sorted: readonly number[]): Cycle[] {
  const cycles: Cycle[] = [];
  const done = new Set(sorted);
  const way: Visit[] = [];
  const placeOf = new Map<number, number>();
  const enter = (from: number): void => {
    placeOf.set(from, way.length);
    way.push({ from, next: 0, told: way.at(-1)?.told ?? -1 });
  };
  for (const start of edges.keys()) {
    if (!done.has(start)) enter(start);
    for (let visit = way.at(-1); visit !== undefined; visit = way.at(-1)) {
      const edge = edges[visit.from]?.[visit.next++];
      if (edge === undefined) {
        way.pop();
        placeOf.delete(visit.from);
        done.add(visit.from);
        continue;
      }
      const place = placeOf.get(edge.on);
      if (place === undefined) {
        if (!done.has(edge.on)) enter(edge.on);
      } else if (visit.told < place) {
        const around = way.slice(place);
        for (const [index, passed] of around.entries()) passed.told = place + index;
        cycles.push(around.map(({ from, next }) => ({ from, edge: edges[from]?.[next - 1] as Edge })));
      }
    }
  }
  return cycles;
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
