/** A line from one block to another that waits for it. */
export interface Line {
  readonly on: number;
  /** The other one need not have succeeded. */
  readonly dotted: boolean;
}

/**
 * Without the lines that say nothing new: a block that needs another one through a third needs it anyway. Dotted lines stay, and so does
 * a solid one beside a way that is dotted somewhere. Each block comes after all it waits for in `order`.
 */
export function reduceLines(lines: readonly (readonly Line[])[], order: readonly number[]): Line[][] {
  const words = Math.ceil(lines.length / 32);
  // One bit for each pair: which blocks are needed, through others too.
  const needed = new Uint32Array(words * lines.length);
  const reduced: Line[][] = lines.map(() => []);
  for (const block of order) {
    const own = needed.subarray(block * words, (block + 1) * words);
    const solid = (lines[block] ?? []).filter(({ dotted }) => !dotted);
    for (const { on } of solid) {
      for (let word = 0; word < words; word++) own[word] = (own[word] ?? 0) | (needed[on * words + word] ?? 0);
    }
    const isThroughOthers = (on: number): boolean => ((own[on >> 5] ?? 0) & (1 << (on & 31))) !== 0;
    reduced[block] = (lines[block] ?? []).filter(({ on, dotted }) => dotted || !isThroughOthers(on));
    for (const { on } of solid) own[on >> 5] = (own[on >> 5] ?? 0) | (1 << (on & 31));
  }
  return reduced;
}
