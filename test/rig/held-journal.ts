import type { RunEvent } from "../../src/engine/events.ts";
import type { Journal, RunCreation } from "../../src/journal/journal.ts";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { decorateJournal, type JournalCall } from "./decorate-journal.ts";

interface HeldCall {
  /** The method's name, and the types of its events where it has some. */
  readonly title: string;
  perform(): void;
  refuse(reason: unknown): void;
}

/** A memory journal that does what it is held for only when the test says so. */
export class HeldJournal {
  readonly journal: Journal;
  readonly #held = new Set<keyof Journal>();
  readonly #waiting: HeldCall[] = [];

  constructor() {
    this.journal = decorateJournal(createMemoryJournal(), (call) => this.#answer(call));
  }

  hold(...names: readonly (keyof Journal)[]): void {
    for (const name of names) this.#held.add(name);
  }

  /** What waits is done, and nothing waits any more. */
  letGo(): void {
    this.#held.clear();
    for (const call of this.#waiting.splice(0)) call.perform();
  }

  /** What waits to be done, oldest first. */
  get waiting(): string[] {
    return this.#waiting.map(({ title }) => title);
  }

  /** Does the oldest of what waits. */
  letNext(): void {
    this.#next().perform();
  }

  /** The oldest of what waits fails, and changes nothing. */
  refuseNext(reason: unknown): void {
    this.#next().refuse(reason);
  }

  #next(): HeldCall {
    const call = this.#waiting.shift();
    if (call === undefined) throw new Error("Nothing waits for the journal.");
    return call;
  }

  #answer({ name, given, perform }: JournalCall): unknown {
    if (!this.#held.has(name)) return perform();
    return new Promise((resolve, reject) => {
      const title = [name, ...eventsOf(name, given).map(({ type }) => type)].join(" ");
      this.#waiting.push({ title, perform: () => resolve(perform()), refuse: reject });
    });
  }
}

function eventsOf(name: keyof Journal, given: readonly unknown[]): readonly RunEvent[] {
  if (name === "append") return given[2] as readonly RunEvent[];
  return name === "create" ? (given[0] as RunCreation).events : [];
}
