import type { Platform } from "../runs/platform.ts";

/** Between two looks, however much happens: whoever reads a run because it changed can't read faster. */
const leastPauseMs = 250;
/** When nothing seems to happen: a process that dies says nothing, so somebody has to look. */
export const longestPauseMs = 1000;

/** Resolves after the least pause when something happens meanwhile, else when it does; at the latest after the longest one. */
export async function untilChanged(platform: Platform, signal: AbortSignal): Promise<void> {
  const journal = await platform.journal();
  await new Promise<void>((resolve) => {
    let hasChanged = false;
    let isEarly = true;
    const early = setTimeout(() => {
      isEarly = false;
      if (hasChanged) done();
    }, leastPauseMs).unref();
    const late = setTimeout(() => done(), longestPauseMs).unref();
    const unsubscribe = journal.subscribe(() => {
      hasChanged = true;
      if (!isEarly) done();
    });
    signal.addEventListener("abort", done, { once: true });
    function done(): void {
      clearTimeout(early);
      clearTimeout(late);
      unsubscribe();
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
