import { fail } from "./data.ts";

const mostSteps = 20_000_000;
const mostCharacters = 32_000_000;
const mostItems = 2_000_000;
/** Python has a limit of its own, and a stack that is not endless either. */
const deepestCalls = 200;

/**
 * What rendering may cost beside time and memory, which the thread has limits for: every step is counted, and a text or a list is
 * asked for before it is made, so that no single one is larger than the thread can bear.
 */
export class Limits {
  #steps = 0;
  #depth = 0;

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > mostSteps) fail(`it takes more than ${mostSteps / 1_000_000} million steps`);
  }

  text(length: number): void {
    if (length > mostCharacters)
      fail(`a text would be longer than ${mostCharacters.toLocaleString("en-US")} characters`);
    this.step(length / 1000);
  }

  items(count: number): void {
    if (count > mostItems) fail(`a list would have more than ${mostItems.toLocaleString("en-US")} items`);
    this.step(count / 100);
  }

  nested<T>(perform: () => T): T {
    if (++this.#depth > deepestCalls) fail("its macros call each other too deeply");
    try {
      return perform();
    } finally {
      this.#depth--;
    }
  }
}
