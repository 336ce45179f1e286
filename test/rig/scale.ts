/**
 * How often something is tried: a slice in `npm test`, the whole in `npm run long`, which runs the files named `*.long.test.ts`.
 */
export function scaled(counts: { readonly slice: number; readonly long: number }): number {
  return isLong ? counts.long : counts.slice;
}

const isLong: boolean = process.env.FROND_LONG === "1";

/** For a test that takes as long as it takes when it is run whole; a slice may be run on a busy machine. */
export const longTimeout: number = isLong ? 3_600_000 : 1_200_000;
