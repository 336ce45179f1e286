/** Many can hold it together, or one alone. Whoever wants it alone comes before those who ask later. */
export class SharedLock {
  #last: Promise<unknown> = Promise.resolve();
  readonly #together = new Set<Promise<unknown>>();

  /** Runs beside others of its kind, and not while somebody holds it alone. */
  async together<T>(action: () => Promise<T>): Promise<T> {
    for (let last: unknown; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
    const running = action();
    const settled = running.then(ignore, ignore);
    this.#together.add(settled);
    void settled.then(() => this.#together.delete(settled));
    return running;
  }

  /** Runs while nobody else does. */
  alone<T>(action: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const running = before.then(() => Promise.all(this.#together)).then(action);
    this.#last = running.then(ignore, ignore);
    return running;
  }
}

function ignore(): void {}
