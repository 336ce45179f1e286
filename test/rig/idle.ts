import { isAnyoneWaiting } from "../../src/util/time-slice.ts";

/** Resolves when nothing happens by itself any more: also when long work has had all the slices of time it waited for. */
export async function idle(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (isAnyoneWaiting());
}
