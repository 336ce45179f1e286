import type { Writable } from "node:stream";
import { SpilledBytes } from "../../util/spilled-bytes.ts";

/**
 * Writes to a stream at the pace of its reader. What the reader has not taken waits outside of the memory, and whoever writes waits
 * for nobody: a run goes on however slowly it is read.
 */
export class PatientWriter {
  readonly #stream: Writable;
  readonly #waiting = new SpilledBytes();
  #isBlocked = false;
  #isGone = false;
  #whenEmpty: (() => void)[] = [];

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on("drain", () => this.#goOn());
    for (const end of ["error", "close"] as const) stream.on(end, () => this.#giveUp());
  }

  write(text: string | Uint8Array): void {
    if (this.#isGone) return;
    if (this.#isBlocked) this.#waiting.push(typeof text === "string" ? Buffer.from(text) : text);
    else this.#isBlocked = !this.#stream.write(text);
  }

  /** Resolves when all that was written has left the process, or never will. */
  async drained(): Promise<void> {
    if (!this.#isGone && !this.#waiting.isEmpty) await new Promise<void>((done) => this.#whenEmpty.push(done));
    // A failed write is reported a moment after the call, so there is a moment's wait even when nothing is left to write.
    await new Promise<void>((done) => {
      if (this.#stream.destroyed || this.#stream.writableLength === 0) setImmediate(done);
      else this.#stream.write("", () => done());
    });
  }

  #goOn(): void {
    this.#isBlocked = false;
    while (!this.#isBlocked) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#isBlocked = !this.#stream.write(next);
      this.#admitLoss();
    }
    if (this.#waiting.isEmpty) this.#release();
  }

  #admitLoss(): void {
    const lost = this.#waiting.takeLost();
    if (lost === 0) return;
    this.#isBlocked = !this.#stream.write(`\n... ${lost} bytes are left out here: they were not read in time ...\n`);
  }

  #giveUp(): void {
    this.#isGone = true;
    this.#waiting.clear();
    this.#release();
  }

  #release(): void {
    const waiting = this.#whenEmpty;
    this.#whenEmpty = [];
    for (const done of waiting) done();
  }
}
