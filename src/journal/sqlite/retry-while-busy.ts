import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./explain-failure.ts";

/** How long other processes may keep the database locked before that is a failure. */
const busyLimitMs = 30_000;
const pauseMs = 5;

/** Repeats an action for as long as other processes have the database locked. The first attempt is made at once. */
export async function retryWhileBusy<T>(action: () => T, limitMs: number = busyLimitMs): Promise<T> {
  const begin = performance.now();
  while (true) {
    try {
      return action();
    } catch (failure) {
      if (!isBusy(failure) || performance.now() - begin > limitMs) throw failure;
    }
    await delay(pauseMs);
  }
}
