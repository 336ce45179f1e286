import type { Stats } from "node:fs";

/** What tells an entry from all that it was and will be. */
export type Stamps = Pick<Stats, "mode" | "size" | "mtimeMs" | "ctimeMs" | "ino">;

const numbersEach = 5;

/** What the system tells of many entries, a row each: memory that two threads can write to, each its own rows. */
export class StampRows {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Float64Array;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#numbers = new Float64Array(memory);
  }

  static create(count: number): StampRows {
    return new StampRows(new SharedArrayBuffer(count * numbersEach * Float64Array.BYTES_PER_ELEMENT));
  }

  set(row: number, { mode, size, mtimeMs, ctimeMs, ino }: Stamps): void {
    const numbers = this.#numbers;
    let at = row * numbersEach;
    numbers[at++] = mode;
    numbers[at++] = size;
    numbers[at++] = mtimeMs;
    numbers[at++] = ctimeMs;
    numbers[at] = ino;
  }

  /** Nothing where nothing was there. */
  at(row: number): Stamps | undefined {
    const numbers = this.#numbers;
    const at = row * numbersEach;
    const mode = numbers[at] as number;
    if (mode === 0) return undefined;
    return {
      mode,
      size: numbers[at + 1] as number,
      mtimeMs: numbers[at + 2] as number,
      ctimeMs: numbers[at + 3] as number,
      ino: numbers[at + 4] as number,
    };
  }
}
