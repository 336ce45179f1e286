import { isMap, toValue, type ValueMap } from "../../expression/value.ts";

/** A tool's result stands in one line, with all that a large file held. */
const longestLine = 32 * 1024 * 1024;
const newline = 10;

export interface LineReaders {
  onEvent(event: ValueMap): void;
  /** A line that is no event. */
  onText(line: Uint8Array): void;
}

/** Takes the lines out of what a program writes, each a JSON object; one that is too long to be kept is left out. */
export class EventLines {
  readonly #readers: LineReaders;
  #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(readers: LineReaders) {
    this.#readers = readers;
  }

  /** The chunk is lent for the call. */
  write(chunk: Uint8Array): void {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#finish();
      from = at + 1;
    }
    // A copy: what is lent is written over.
    if (from < chunk.length) this.#keep(Buffer.from(chunk.subarray(from)));
  }

  /** The last line may have no end. */
  end(): void {
    if (this.#size > 0) this.#finish();
  }

  #keep(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size <= longestLine) this.#pieces.push(piece);
  }

  #finish(): void {
    const [pieces, size] = [this.#pieces, this.#size];
    this.#pieces = [];
    this.#size = 0;
    if (size > longestLine) return this.#readers.onText(Buffer.from(`... a line of ${size} bytes left out ...`));
    const line = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
    if (line.length === 0) return;
    const event = readEvent(line);
    if (event === undefined) this.#readers.onText(line);
    else this.#readers.onEvent(event);
  }
}

function readEvent(line: Uint8Array): ValueMap | undefined {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString().trim();
  if (!text.startsWith("{")) return undefined;
  try {
    const value = toValue(JSON.parse(text));
    return value.ok && isMap(value.value) ? value.value : undefined;
  } catch {
    return undefined;
  }
}
