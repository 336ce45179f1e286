import { lookAt } from "./look-at-file.ts";
import type { StampRows } from "./stamp-rows.ts";

/** A directory, and the names in it that are to be looked at. */
export interface WantedStamps {
  /** Absolute. */
  readonly path: string;
  readonly names: readonly string[];
}

/** Some names of a directory, whose rows begin with this one. */
export interface StampShare extends WantedStamps {
  readonly first: number;
}

/** What is read by one thread or by two. */
export interface StampWork {
  readonly shares: readonly StampShare[];
  /** Of each share, in memory of both threads: free, taken or done. */
  readonly states: Int32Array;
  readonly rows: StampRows;
}

const free = 0;
const taken = 1;
const done = 2;

/** Reads every share that nobody else reads. */
export function takeShares({ shares, states, rows }: StampWork, order: Iterable<number>, before?: () => void): void {
  for (const index of order) {
    if (Atomics.compareExchange(states, index, free, taken) !== free) continue;
    before?.();
    readShare(shares[index] as StampShare, rows);
    Atomics.store(states, index, done);
  }
}

export function areAllDone({ states }: StampWork): boolean {
  return states.every((state) => state === done);
}

/** Nobody takes a share any more. */
export function stopTaking({ states }: StampWork): void {
  for (const index of states.keys()) Atomics.compareExchange(states, index, free, taken);
}

/** What a thread has taken and not done. */
export function readRest({ shares, states, rows }: StampWork): void {
  for (const [index, share] of shares.entries()) if (states[index] !== done) readShare(share, rows);
}

function readShare({ path, names, first }: StampShare, rows: StampRows): void {
  const base = `${path}/`;
  for (let at = 0; at < names.length; at++) {
    const stats = lookAt(base + (names[at] as string));
    if (stats !== undefined) rows.set(first + at, stats);
  }
}
