import { createHash } from "node:crypto";

/** A whole number from 0 up to, but not including, the bound. */
export type Random = (below: number) => number;

/** The same seed gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random(choices.length)] as T;
}

/** A number that follows from the parts alone. */
export function numberOf(...parts: readonly (string | number)[]): number {
  return createHash("sha256").update(parts.join("\n")).digest().readUInt32LE();
}
