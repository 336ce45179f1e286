import { cleanLine } from "../text/visible-text.ts";

const mostBytes = 1024;
const decoder = new TextDecoder();

/** The end of what each running block has written, in little memory however much that is. */
export class OutputTails {
  readonly #tails = new Map<string, Uint8Array>();

  add(path: string, chunk: Uint8Array): void {
    const kept = chunk.length >= mostBytes ? undefined : this.#tails.get(path)?.subarray(chunk.length - mostBytes);
    const added = chunk.subarray(-mostBytes);
    const tail = new Uint8Array((kept?.length ?? 0) + added.length);
    if (kept !== undefined) tail.set(kept);
    tail.set(added, kept?.length ?? 0);
    this.#tails.set(path, tail);
  }

  forget(path: string): void {
    this.#tails.delete(path);
  }

  /** The last line that shows anything. A progress bar returns to the start of its line: what was there is overwritten. */
  lastLine(path: string): string {
    const tail = this.#tails.get(path);
    if (tail === undefined) return "";
    const lines = decoder.decode(tail).split(/[\r\n]+/);
    for (const line of lines.reverse()) {
      const clean = cleanLine(line).trim();
      if (clean !== "") return clean;
    }
    return "";
  }
}
