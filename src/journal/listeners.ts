/** Those who want to know that something may have changed. */
export class Listeners {
  readonly #all = new Set<() => void>();

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  add(listener: () => void): () => void {
    // A function of its own, because the same one may be given twice.
    const own = (): void => {
      if (this.#all.has(own)) listener();
    };
    this.#all.add(own);
    return () => void this.#all.delete(own);
  }

  /** Later, so that a listener that throws keeps nobody from hearing of it. */
  notify(): void {
    for (const listener of this.#all) queueMicrotask(listener);
  }

  clear(): void {
    this.#all.clear();
  }
}
