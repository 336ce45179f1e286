import type { SecondThread } from "./second-thread.ts";
import { StampRows, type Stamps } from "./stamp-rows.ts";
import { areAllDone, readRest, type StampShare, stopTaking, takeShares, type WantedStamps } from "./stamp-shares.ts";

/** So that no thread waits long for what the other is just reading. */
const mostNames = 500;

/** To have less read by two threads takes longer than to read it. */
const worthTwo = 5_000;

/** Of the names of a directory, by their number; nothing where nothing was there. */
export type StampsOf = (index: number) => Stamps | undefined;

/** Looks at entries of directories. Nearly all the time goes into asking the system, so where there are many a second thread helps. */
export async function readStamps(
  wanted: readonly WantedStamps[],
  throwIfAborted: () => void,
  second: Pick<SecondThread, "help"> | undefined,
): Promise<readonly StampsOf[]> {
  const firsts: number[] = [];
  const shares: StampShare[] = [];
  let count = 0;
  for (const { path, names } of wanted) {
    firsts.push(count);
    for (let from = 0; from < names.length; from += mostNames) {
      const some = names.length <= mostNames ? names : names.slice(from, from + mostNames);
      shares.push({ path, names: some, first: count + from });
    }
    count += names.length;
  }
  const states = new Int32Array(new SharedArrayBuffer(shares.length * Int32Array.BYTES_PER_ELEMENT));
  const rows = StampRows.create(count);
  const work = { shares, states, rows };
  // Where no thread can be started, one does it all.
  const helped = count < worthTwo ? undefined : second?.help(work).catch(() => {});
  try {
    takeShares(work, shares.keys(), throwIfAborted);
  } catch (error) {
    stopTaking(work);
    throw error;
  }
  if (!areAllDone(work)) {
    await helped;
    // The second may have ended before its time.
    readRest(work);
  }
  return firsts.map((first) => (index) => rows.at(first + index));
}
