import { closeSync, constants, ftruncateSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** As much of what waits is in memory. */
const mostInMemory = 256 * 1024;
/** As much is on the disk; whoever waits for more than that no longer reads. */
const mostOnDisk = 1_000_000_000;

/**
 * Bytes that wait, first in, first out: the first of them in memory, the rest in a file that no other process sees and that goes with
 * this one. What can't be kept is counted.
 */
export class SpilledBytes {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #inMemory = 0;
  #fd: number | undefined;
  /** In the file. */
  #readAt = 0;
  #writeAt = 0;
  #lost = 0;

  constructor(limit: number = mostOnDisk) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#inMemory === 0 && this.#readAt === this.#writeAt;
  }

  /** The bytes are kept as they are now. */
  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    // Once something is in the file, all that follows has to stand behind it.
    if (this.#readAt === this.#writeAt && this.#inMemory + bytes.length <= mostInMemory) {
      this.#pieces.push(Uint8Array.from(bytes));
      this.#inMemory += bytes.length;
    } else if (!this.#spill(bytes)) this.#lost += bytes.length;
  }

  /** The next of them, a few hundred kilobytes at most. */
  shift(): Uint8Array | undefined {
    if (this.#inMemory > 0) {
      const pieces = this.#pieces;
      this.#pieces = [];
      this.#inMemory = 0;
      return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    }
    if (this.#fd === undefined || this.#readAt === this.#writeAt) return undefined;
    const bytes = Buffer.allocUnsafe(Math.min(mostInMemory, this.#writeAt - this.#readAt));
    const count = readSync(this.#fd, bytes, 0, bytes.length, this.#readAt);
    this.#readAt = count === 0 ? this.#writeAt : this.#readAt + count;
    if (this.#readAt === this.#writeAt) this.#empty();
    return bytes.subarray(0, count);
  }

  /** How many could not be kept since this was last asked. */
  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  clear(): void {
    this.#pieces = [];
    this.#inMemory = 0;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#readAt = 0;
    this.#writeAt = 0;
  }

  #spill(bytes: Uint8Array): boolean {
    if (this.#writeAt - this.#readAt + bytes.length > this.#limit) return false;
    try {
      this.#fd ??= openUnseen();
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#writeAt + done);
      }
      this.#writeAt += bytes.length;
      return true;
    } catch {
      // A disk that is full, or no directory for such files: the reader has to do without.
      return false;
    }
  }

  #empty(): void {
    if (this.#fd !== undefined) ftruncateSync(this.#fd, 0);
    this.#readAt = 0;
    this.#writeAt = 0;
  }
}

/** A file without a name: nobody else can open it, and nothing is left of it however the process ends. */
function openUnseen(): number {
  const path = join(tmpdir(), `frond-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  rmSync(path, { force: true });
  return fd;
}
