import { fail } from "./data.ts";

const mostSteps = 20_000_000;
const mostCharacters = 10_000_000;
const mostItems = 1_000_000;
const mostMemoryBytes = 256_000_000;
/** How much is made between two looks at the memory. */
const bytesUnseen = 4_000_000;
/** Python has a limit of its own, and a stack that is not endless either. */
const deepestCalls = 200;

/**
 * What rendering may cost beside time and memory, which the thread has limits for: every step is counted, and a text or a list is
 * asked for before it is made, so that no single one is larger than the thread can bear.
 */
export class Limits {
  #steps = 0;
  #depth = 0;
  #unseen = 0;
  readonly #usedMemory: () => number;

  /** V8 ends the whole process when memory runs out in the middle of some operations, so it is looked at before large ones. */
  constructor(usedMemory: () => number) {
    this.#usedMemory = usedMemory;
  }

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > mostSteps) fail(`it takes more than ${mostSteps / 1_000_000} million steps`);
  }

  text(length: number): void {
    this.fits(length);
    this.step(length / 1000);
    this.#make(length);
  }

  /** As `text`, for a text that is paid for piece by piece. */
  fits(length: number): void {
    if (length > mostCharacters)
      fail(`a text would be longer than ${mostCharacters.toLocaleString("en-US")} characters`);
  }

  items(count: number): void {
    if (count > mostItems) fail(`a list would have more than ${mostItems.toLocaleString("en-US")} items`);
    this.step(count / 100);
    this.#make(count * 8);
  }

  /** To be called before a text is taken apart. */
  pieces(text: string): void {
    if (text.length > mostItems)
      fail(`a text of more than ${mostItems.toLocaleString("en-US")} characters can't be taken apart`);
    this.#make(text.length * 32);
  }

  #make(bytes: number): void {
    this.#unseen += bytes;
    if (this.#unseen < bytesUnseen) return;
    this.#unseen = 0;
    if (this.#usedMemory() > mostMemoryBytes) fail(`it needs more than ${mostMemoryBytes / 1_000_000} MB`);
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
