/** One at a time for each key; whoever comes later waits for those who came before. */
export class KeyedLocks {
  readonly #last = new Map<string, Promise<void>>();

  /** Rejects when the signal aborts while it waits; once the action has begun, the lock is held until it has ended. */
  async run<T>(key: string, action: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // One that gave up waiting still stands between those before it and those after it.
    const mine = before.then(() => released);
    this.#last.set(key, mine);
    void mine.then(() => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    });
    try {
      await unlessAborted(before, signal);
      return await action();
    } finally {
      release();
    }
  }
}

async function unlessAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  let stopListening = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort);
    stopListening = () => signal.removeEventListener("abort", abort);
  });
  try {
    await Promise.race([waiting, aborted]);
    signal.throwIfAborted();
  } finally {
    stopListening();
  }
}
