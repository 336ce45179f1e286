import type { BytePatterns } from "./byte-patterns.ts";

export interface ReplacerOptions {
  readonly patterns: BytePatterns;
  /** By label: what takes the place of a match. */
  readonly replacements: readonly Uint8Array[];
  /** Bytes of line breaks in a row that may stand inside a match although the patterns have none. */
  readonly mostBreaks: number;
}

interface Found {
  readonly start: number;
  end: number;
  readonly label: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const nothing = Buffer.alloc(0);

/**
 * Replaces patterns in a stream. What was read is passed on as soon as no match can begin in it any more, so that at most the
 * beginning of a pattern is held back. Matches that overlap are replaced together. Offsets count from the start of the stream.
 */
export class PatternReplacer {
  readonly #options: ReplacerOptions;
  #state = 0;
  /** Bytes read so far. */
  #position = 0;
  /** Read, but not passed on. */
  #held: Buffer = nothing;
  #heldStart = 0;
  /** In order, not overlapping, each beginning in what is held. */
  #found: Found[] = [];
  /** What lies before this has been replaced already. */
  #replacedUntil = 0;
  #hasReplaced = false;

  /** Since the start was last left: where that was, the bytes since then without breaks, and after how many each break came. */
  #windowStart = 0;
  #count = 0;
  #breaks: number[] = [];
  #breaksInARow = 0;

  constructor(options: ReplacerOptions) {
    this.#options = options;
  }

  get hasReplaced(): boolean {
    return this.#hasReplaced;
  }

  /** What can be passed on. The chunk is lent for the call, and so is the answer. */
  write(chunk: Uint8Array): Uint8Array {
    this.#scan(chunk);
    return this.#release(chunk, this.#state === 0 ? this.#position : this.#narrowWindow());
  }

  /** What was still held back: nothing more comes. */
  end(): Uint8Array {
    this.#state = 0;
    return this.#release(nothing, this.#position);
  }

  #scan(chunk: Uint8Array): void {
    const { patterns, mostBreaks } = this.#options;
    const { first, matchLength } = patterns;
    const start = this.#position;
    let state = this.#state;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      if (state === 0) {
        state = first[byte] as number;
        if (state === 0) continue;
        this.#windowStart = start + index;
        this.#count = 1;
        this.#breaksInARow = 0;
        if (this.#breaks.length > 0) this.#breaks = [];
      } else if (byte === lineFeed || byte === carriageReturn) {
        this.#breaks.push(this.#count);
        if (++this.#breaksInARow > mostBreaks) state = 0;
        continue;
      } else {
        this.#count++;
        this.#breaksInARow = 0;
        state = patterns.next(state, byte);
        if (state === 0) continue;
      }
      if (matchLength[state] === 0) continue;
      this.#add(state, start + index + 1);
      state = patterns.withoutEnds(state);
    }
    this.#state = state;
    this.#position = start + chunk.length;
  }

  #add(state: number, end: number): void {
    const { matchLength, matchLabel } = this.#options.patterns;
    const start = this.#offsetOf(this.#count - (matchLength[state] as number));
    let last = this.#found.at(-1);
    while (last !== undefined && last.start >= start) {
      this.#found.pop();
      last = this.#found.at(-1);
    }
    if (last !== undefined && last.end > start) last.end = end;
    else this.#found.push({ start, end, label: matchLabel[state] as number });
  }

  /** Where the byte of the window with this number, breaks not counted, stands. */
  #offsetOf(number: number): number {
    let low = 0;
    let high = this.#breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#breaks[middle] as number) <= number) low = middle + 1;
      else high = middle;
    }
    return this.#windowStart + number + low;
  }

  /** Lets the window begin where a match still can, and tells where that is. */
  #narrowWindow(): number {
    const depth = this.#options.patterns.depth[this.#state] as number;
    const dropped = this.#count - depth;
    this.#windowStart = this.#offsetOf(dropped);
    this.#breaks = this.#breaks.filter((count) => count > dropped).map((count) => count - dropped);
    this.#count = depth;
    return this.#windowStart;
  }

  /** Passes on what lies before an offset that no match to come can begin before. */
  #release(chunk: Uint8Array, until: number): Uint8Array {
    const base = this.#heldStart;
    this.#heldStart = until;
    const isUntouched = this.#held.length === 0 && this.#found.length === 0 && this.#replacedUntil <= base;
    if (isUntouched && until === this.#position) return chunk;
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const pieces: Uint8Array[] = [];
    let at = Math.max(base, this.#replacedUntil);
    const isDecided = ({ start }: Found): boolean => start < until;
    for (const { start, end, label } of this.#found.filter(isDecided)) {
      if (start >= at) {
        this.#hasReplaced = true;
        pieces.push(bytes.subarray(at - base, start - base), this.#options.replacements[label] ?? nothing);
      }
      at = Math.max(at, end);
      this.#replacedUntil = at;
    }
    if (at < until) pieces.push(bytes.subarray(at - base, until - base));
    this.#found = this.#found.filter((found) => !isDecided(found));
    this.#held = Buffer.from(bytes.subarray(until - base));
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }
}
