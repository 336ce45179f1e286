import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./explain-failure.ts";

/** How long others may be in the middle of something before that is a failure. */
const patienceMs = 30_000;
const pauseMs = 5;

/** Does something as soon as other processes let it be done. The first attempt is made at once. */
export async function whenOthersAreDone<T>(action: () => T, patience: number = patienceMs): Promise<T> {
  const begin = performance.now();
  while (true) {
    try {
      return action();
    } catch (failure) {
      if (!isBusy(failure) || performance.now() - begin > patience) throw failure;
    }
    await delay(pauseMs);
  }
}
