/**
 * Waits until `begin` says that it is over, but no longer than so long, nor past the signal. `begin` may return how to stop
 * listening. Nothing is left behind, because what is waited for often is waited for again.
 */
export function waitWithin(
  longestMs: number,
  begin: (done: () => void) => (() => void) | undefined,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false;
    let stop: (() => void) | undefined;
    const done = (): void => {
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      stop?.();
      resolve();
    };
    const timer = setTimeout(done, longestMs);
    signal?.addEventListener("abort", done, { once: true });
    stop = begin(done);
    if (signal?.aborted) done();
    else if (isOver) stop?.();
  });
}

/** The same for a promise that is never rejected. */
export function settledWithin(event: Promise<unknown>, longestMs: number, signal?: AbortSignal): Promise<void> {
  const begin = (done: () => void): undefined => void event.then(done);
  return waitWithin(longestMs, begin, signal);
}
