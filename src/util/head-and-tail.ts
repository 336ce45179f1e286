const smallestBuffer = 1024;

export interface KeptText {
  readonly text: string;
  readonly totalBytes: number;
  /** True when bytes between head and tail were dropped. */
  readonly truncated: boolean;
}

/**
 * Keeps the first and the last bytes of a stream in one buffer of at most `limit` bytes. The first half is written once; the
 * second half becomes a ring when the stream is longer than the limit. Until then the buffer is simply the stream.
 */
export class HeadAndTail {
  readonly #limit: number;
  readonly #headSize: number;
  #buffer: Buffer = Buffer.alloc(0);
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#headSize = limit >> 1;
  }

  write(chunk: Uint8Array): void {
    const room = this.#limit - this.#total;
    if (room > 0) this.#append(room < chunk.length ? chunk.subarray(0, room) : chunk);
    if (room < chunk.length) this.#wrap(room > 0 ? chunk.subarray(room) : chunk);
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#total + bytes.length;
    if (needed > this.#buffer.length) {
      const size = Math.min(this.#limit, Math.max(needed, this.#buffer.length * 2, smallestBuffer));
      const larger = Buffer.allocUnsafe(size);
      this.#buffer.copy(larger, 0, 0, this.#total);
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#total);
    this.#total = needed;
  }

  #wrap(bytes: Uint8Array): void {
    const tailSize = this.#limit - this.#headSize;
    const kept = bytes.length > tailSize ? bytes.subarray(bytes.length - tailSize) : bytes;
    this.#total += bytes.length - kept.length;
    if (kept.length === 0) return;
    const at = this.#tailStart();
    const untilEnd = Math.min(kept.length, this.#limit - at);
    this.#buffer.set(kept.subarray(0, untilEnd), at);
    this.#buffer.set(kept.subarray(untilEnd), this.#headSize);
    this.#total += kept.length;
  }

  /** Where the oldest byte of the tail is, which is also where the next one goes. */
  #tailStart(): number {
    const tailSize = this.#limit - this.#headSize;
    return this.#headSize + ((this.#total - this.#headSize) % tailSize);
  }

  result(): KeptText {
    const totalBytes = this.#total;
    if (totalBytes <= this.#limit) {
      return { text: this.#buffer.toString("utf8", 0, totalBytes), totalBytes, truncated: false };
    }
    const head = withoutCutEnd(this.#buffer.subarray(0, this.#headSize));
    const tail = withoutCutStart(this.#tail());
    const leftOut = totalBytes - head.length - tail.length;
    const marker = `\n... ${leftOut.toLocaleString("en-US")} bytes left out ...\n`;
    return { text: head.toString("utf8") + marker + tail.toString("utf8"), totalBytes, truncated: true };
  }

  #tail(): Buffer {
    if (this.#limit === 0) return this.#buffer;
    const start = this.#tailStart();
    return Buffer.concat([this.#buffer.subarray(start, this.#limit), this.#buffer.subarray(this.#headSize, start)]);
  }
}

const longestCharacter = 4;

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0b1111_0000) return 4;
  if (firstByte >= 0b1110_0000) return 3;
  return firstByte >= 0b1100_0000 ? 2 : 1;
}

function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back < longestCharacter && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (isContinuation(byte)) continue;
    return characterLength(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < longestCharacter - 1 && start < bytes.length && isContinuation(bytes[start] as number)) start++;
  return bytes.subarray(start);
}
