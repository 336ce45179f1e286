import type { Line } from "./reduce-edges.ts";

/** What a block leads to, as one text: blocks of which it is the same can share a lane. Empty when it leads nowhere. */
export function laneKeys(lines: readonly (readonly Line[])[]): string[] {
  const targets: string[][] = lines.map(() => []);
  for (const [block, own] of lines.entries()) {
    for (const { on, dotted } of own) targets[on]?.push(`${dotted ? "." : ""}${block}`);
  }
  return targets.map((keys) => keys.join(" "));
}

/** More ready blocks than this are not compared; the rest keeps its order. */
const mostCompared = 64;

/**
 * The order in which blocks are drawn: each after all it waits for; among those that could be next, the one after which the fewest lanes
 * are open, then one that goes on with what has just been drawn, then the first in the file.
 */
export function orderRows(lines: readonly (readonly Line[])[]): number[] {
  const keys = laneKeys(lines);
  const dependents: number[][] = lines.map(() => []);
  for (const [block, own] of lines.entries()) for (const { on } of own) dependents[on]?.push(block);
  const waiting = lines.map((own) => own.length);
  /** How many of its targets an open lane has before it. */
  const open = new Map<string, number>();
  const inputKeys = (block: number): Set<string> => new Set((lines[block] ?? []).map(({ on }) => keys[on] ?? ""));
  const opened = (block: number): number => {
    const key = keys[block] ?? "";
    const closing = [...inputKeys(block)].filter((input) => open.get(input) === 1).length;
    return (key === "" || open.has(key) ? 0 : 1) - closing;
  };
  // A stack: what has become ready last is on top, in the order of the file.
  const ready = [...lines.keys()].filter((block) => waiting[block] === 0).reverse();
  const order: number[] = [];
  while (ready.length > 0) {
    let best = ready.length - 1;
    let least = opened(ready[best] ?? 0);
    for (let at = best - 1; at >= Math.max(0, ready.length - mostCompared); at--) {
      const count = opened(ready[at] ?? 0);
      if (count < least) [best, least] = [at, count];
    }
    const [block = 0] = ready.splice(best, 1);
    order.push(block);
    for (const input of inputKeys(block)) {
      const left = (open.get(input) ?? 0) - 1;
      if (left <= 0) open.delete(input);
      else open.set(input, left);
    }
    const next = dependents[block] ?? [];
    if (next.length > 0) open.set(keys[block] ?? "", next.length);
    for (const dependent of [...next].reverse()) {
      waiting[dependent] = (waiting[dependent] ?? 0) - 1;
      if (waiting[dependent] === 0) ready.push(dependent);
    }
  }
  return order;
}
