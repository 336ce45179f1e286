interface Kept<V> {
  readonly value: V;
  readonly weight: number;
}

/** A map that holds so much at most, by the weights that are given: what was not asked for the longest time goes first. */
export class BoundedMap<V> {
  readonly #mostWeight: number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept<V>>();
  #weight = 0;

  constructor(mostWeight: number) {
    this.#mostWeight = mostWeight;
  }

  get(key: string): V | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.value;
  }

  /** One that is heavier than all may be is not kept. */
  set(key: string, value: V, weight: number): void {
    this.delete(key);
    if (weight > this.#mostWeight) return;
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#mostWeight) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }
}
