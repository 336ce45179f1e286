/** Runs A and B in turn, so that whatever else the machine does falls on both, and compares them pair by pair. */
export async function comparePairs(
  pairs: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<{ ratio: number; a: number; b: number }> {
  const as: number[] = [];
  const bs: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    // Who goes first alternates, because the second finds a warmer machine.
    if (pair % 2 === 0) as.push(await a());
    bs.push(await b());
    if (pair % 2 === 1) as.push(await a());
  }
  return { ratio: median(as.map((value, index) => value / (bs[index] as number))), a: median(as), b: median(bs) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
