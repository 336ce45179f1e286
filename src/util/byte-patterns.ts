export interface BytePattern {
  readonly bytes: Uint8Array;
  /** Told with every match. */
  readonly label: number;
}

/**
 * Patterns as one automaton (Aho and Corasick's): a text is looked through once, byte by byte, for all of them together, in time
 * that does not depend on how many there are or on what the text holds. State 0 is the start. Long patterns are mostly chains, so
 * a state keeps its only way on; those with several, and the start, have a row of a table.
 */
export class BytePatterns {
  /** By state: how many bytes of the text it stands for. */
  readonly depth: Int32Array;
  /** By state: length and label of the longest pattern that ends there; 0 for none. */
  readonly matchLength: Int32Array;
  readonly matchLabel: Int32Array;
  /** By byte: where it leads from the start. */
  readonly first: Int32Array;
  readonly #onlyByte: Int16Array;
  readonly #onlyNext: Int32Array;
  readonly #rowOf: Int32Array;
  readonly #rows: Int32Array;
  readonly #fallback: Int32Array;

  constructor(patterns: readonly BytePattern[]) {
    const trie = new Trie(patterns);
    const { size, firstChild, sibling, byteOf } = trie;
    this.depth = trie.depth.slice(0, size);
    this.matchLength = trie.matchLength.slice(0, size);
    this.matchLabel = trie.matchLabel.slice(0, size);
    this.#onlyByte = new Int16Array(size).fill(-1);
    this.#onlyNext = new Int32Array(size);
    this.#rowOf = new Int32Array(size).fill(-1);
    const branching: number[] = [0];
    for (let state = 1; state < size; state++) {
      const child = firstChild[state] as number;
      if (child === 0) continue;
      if (sibling[child] !== 0) branching.push(state);
      this.#onlyByte[state] = byteOf[child] as number;
      this.#onlyNext[state] = child;
    }
    this.#rows = new Int32Array(branching.length * 256);
    for (const [row, state] of branching.entries()) {
      this.#rowOf[state] = row * 256;
      for (let child = firstChild[state] as number; child !== 0; child = sibling[child] as number) {
        this.#rows[row * 256 + (byteOf[child] as number)] = child;
      }
    }
    this.first = this.#rows.subarray(0, 256);
    this.#fallback = new Int32Array(size);
    this.#findFallbacks(trie);
  }

  /** The state after one more byte. */
  next(from: number, byte: number): number {
    for (let state = from; state !== 0; state = this.#fallback[state] as number) {
      const next = this.#child(state, byte);
      if (next !== 0) return next;
    }
    return this.first[byte] as number;
  }

  /** The state that means the same for everything to come: what nothing can follow need not be remembered. */
  withoutEnds(from: number): number {
    let state = from;
    while (state !== 0 && this.#onlyNext[state] === 0) state = this.#fallback[state] as number;
    return state;
  }

  #child(state: number, byte: number): number {
    const row = this.#rowOf[state] as number;
    if (row !== -1) return this.#rows[row + byte] as number;
    return this.#onlyByte[state] === byte ? (this.#onlyNext[state] as number) : 0;
  }

  /** The fallback of a state is the one for the longest end of its text that is a beginning too; it has less depth. */
  #findFallbacks(trie: Trie): void {
    const { firstChild, sibling, byteOf } = trie;
    const queue = new Int32Array(trie.size);
    let end = 1;
    for (let at = 0; at < end; at++) {
      const state = queue[at] as number;
      const fallback = this.#fallback[state] as number;
      if (this.matchLength[state] === 0) {
        this.matchLength[state] = this.matchLength[fallback] as number;
        this.matchLabel[state] = this.matchLabel[fallback] as number;
      }
      for (let child = firstChild[state] as number; child !== 0; child = sibling[child] as number) {
        if (state !== 0) this.#fallback[child] = this.next(fallback, byteOf[child] as number);
        queue[end++] = child;
      }
    }
  }
}

/** Every beginning of a pattern once. */
class Trie {
  size = 1;
  readonly depth: Int32Array;
  readonly byteOf: Uint8Array;
  readonly firstChild: Int32Array;
  readonly sibling: Int32Array;
  readonly matchLength: Int32Array;
  readonly matchLabel: Int32Array;

  constructor(patterns: readonly BytePattern[]) {
    const most = patterns.reduce((sum, { bytes }) => sum + bytes.length, 1);
    this.depth = new Int32Array(most);
    this.byteOf = new Uint8Array(most);
    this.firstChild = new Int32Array(most);
    this.sibling = new Int32Array(most);
    this.matchLength = new Int32Array(most);
    this.matchLabel = new Int32Array(most);
    for (const pattern of patterns) this.#add(pattern);
  }

  #add({ bytes, label }: BytePattern): void {
    let state = 0;
    for (const byte of bytes) state = this.#childFor(state, byte);
    if (state === 0 || this.matchLength[state] !== 0) return;
    this.matchLength[state] = bytes.length;
    this.matchLabel[state] = label;
  }

  #childFor(state: number, byte: number): number {
    for (let child = this.firstChild[state] as number; child !== 0; child = this.sibling[child] as number) {
      if (this.byteOf[child] === byte) return child;
    }
    const made = this.size++;
    this.byteOf[made] = byte;
    this.depth[made] = (this.depth[state] as number) + 1;
    this.sibling[made] = this.firstChild[state] as number;
    this.firstChild[state] = made;
    return made;
  }
}
