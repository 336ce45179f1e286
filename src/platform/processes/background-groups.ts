import type { ProcessGroup } from "./process-group.ts";

/** How often kept groups are looked at: much faster than an operating system gives the same id to another process. */
const watchMs = 1000;

export interface LeftBehind {
  readonly group: ProcessGroup;
  /** Lets go of what is held for the group, once nobody of it lives. */
  release(): void;
}

/** What commands left running behind them, by owner. */
export class BackgroundGroups {
  readonly #byOwner = new Map<string, Set<LeftBehind>>();
  #watch: NodeJS.Timeout | undefined;

  keep(owner: string, left: LeftBehind): void {
    this.#add(owner, left);
    this.#watch ??= setInterval(() => this.#dropTheGone(), watchMs).unref();
  }

  async end(owner: string, left: LeftBehind, graceMs: number): Promise<void> {
    this.#add(owner, left);
    await left.group.end(graceMs);
    this.#drop(owner, left);
  }

  async endOf(owner: string, graceMs: number): Promise<void> {
    const all = [...(this.#byOwner.get(owner) ?? [])];
    await Promise.all(all.map((left) => this.end(owner, left, graceMs)));
  }

  async endAll(graceMs: number): Promise<void> {
    await Promise.all([...this.#byOwner.keys()].map((owner) => this.endOf(owner, graceMs)));
  }

  #add(owner: string, left: LeftBehind): void {
    const known = this.#byOwner.get(owner);
    if (known === undefined) this.#byOwner.set(owner, new Set([left]));
    else known.add(left);
  }

  #drop(owner: string, left: LeftBehind): void {
    left.release();
    const known = this.#byOwner.get(owner);
    known?.delete(left);
    if (known?.size === 0) this.#byOwner.delete(owner);
    if (this.#byOwner.size > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  #dropTheGone(): void {
    for (const [owner, all] of this.#byOwner) {
      for (const left of all) if (!left.group.isAlive()) this.#drop(owner, left);
    }
  }
}
