import type { Item } from "./arrange-lines.ts";

/** In pixels; all rows of a kind are as high. */
export interface Heights {
  readonly section: number;
  readonly run: number;
}

/** Where each item begins, and as the last number where all end. */
export function offsetsOf(items: readonly Item[], heights: Heights): readonly number[] {
  const offsets = [0];
  let at = 0;
  for (const { kind } of items) {
    at += heights[kind];
    offsets.push(at);
  }
  return offsets;
}

/** Between two scrolls, this many more are there on each side. */
const spare = 8;

/** Which items are in sight between two heights: from the first to before the second number. */
export function windowOf(offsets: readonly number[], top: number, bottom: number): readonly [number, number] {
  const count = offsets.length - 1;
  const from = Math.max(0, firstAfter(offsets, top) - 1 - spare);
  return [Math.min(from, count), Math.min(count, firstAfter(offsets, bottom) + spare)];
}

/** The first index whose offset lies below a height; by halves, as there may be very many. */
function firstAfter(offsets: readonly number[], height: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) > height) high = middle;
    else low = middle + 1;
  }
  return low;
}
