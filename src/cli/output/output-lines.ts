import { StringDecoder } from "node:string_decoder";
import { cleanText } from "../text/visible-text.ts";

/** Of a longer line the beginning is shown: nobody reads the rest, and it must not fill the memory. */
const longestLine = 16_384;
/** Nothing in it has to be cleaned. */
const plainText = /^[\t\n\x20-\x7e]*$/;
/** What text never holds; beside it, what a text may hold by mistake tells no more than that it goes on. */
const binary = "\0";
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for.
const binaryToo = /[\0-\x08\x0e-\x1a\ufffd]/;

/**
 * What one stream of a block writes, as whole lines that can be shown: nothing in them speaks to a terminal, none is longer than a
 * person would read, and what is no text is only mentioned. Holds back no more than one line.
 */
export class OutputLines {
  readonly #decoder = new StringDecoder("utf8");
  /** The beginning of a line that has not ended. */
  #open = "";
  /** How much of it is not kept. */
  #cut = 0;
  /** It has returned to its start, as progress bars do, so that it is worth showing only when it has ended. */
  #isReturned = false;
  /** Its beginning has been shown. */
  #isBegun = false;
  #binaryLines = 0;

  /** The lines that have ended with this chunk. */
  take(chunk: Uint8Array): string[] {
    const text = this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    const first = text.indexOf("\n");
    const shown: string[] = [];
    if (first === -1) {
      this.#hold(text);
      return shown;
    }
    this.#hold(text.slice(0, first));
    this.#endLine(shown);
    const last = text.lastIndexOf("\n");
    if (last > first) {
      const lines = text.slice(first + 1, last);
      const isPlain = this.#binaryLines === 0 && plainText.test(lines);
      for (const line of lines.split("\n")) {
        if (isPlain) shown.push(shorten(line, 0));
        else this.#show(line, 0, shown);
      }
    }
    this.#hold(text.slice(last + 1));
    return shown;
  }

  /** Whether there is the beginning of a line that somebody may wait for: a question, say. */
  get isWaiting(): boolean {
    return this.#open !== "" && !this.#isReturned && !this.#isBegun;
  }

  /** The beginning of the line that has not ended, once: what is written in small pieces is not to be shown in as many lines. */
  takeBeginning(): string[] {
    const shown: string[] = [];
    if (!this.isWaiting) return shown;
    this.#show(this.#open, this.#cut, shown);
    this.#open = "";
    this.#cut = 0;
    this.#isBegun = true;
    return shown;
  }

  /** What is left when no more comes. */
  end(): string[] {
    const shown: string[] = [];
    this.#hold(this.#decoder.end());
    if (this.#open !== "") this.#endLine(shown);
    this.#mentionBinary(shown);
    return shown;
  }

  #hold(text: string): void {
    if (text === "") return;
    this.#open += text;
    if (this.#open.includes("\r")) this.#return();
    const more = this.#open.length - longestLine;
    if (more <= 0) return;
    // A line end of two characters must not be cut in the middle.
    const end = this.#open.endsWith("\r") ? "\r" : "";
    this.#cut += more;
    this.#open = `${this.#open.slice(0, longestLine)}${end}`;
  }

  /** Only what was written after the last return is still to be seen, or before it where nothing follows. */
  #return(): void {
    const parts = this.#open.split("\r");
    const isAtStart = (parts.at(-1) ?? "").trim() === "";
    const seen = lastSeen(parts);
    if (parts.filter((part) => part.trim() !== "").length > 1) this.#isReturned = true;
    this.#open = isAtStart ? `${seen}\r` : seen;
    this.#cut = 0;
  }

  #endLine(shown: string[]): void {
    const isRest = this.#isBegun && this.#open.trim() === "";
    if (!isRest) this.#show(this.#open, this.#cut, shown);
    this.#open = "";
    this.#cut = 0;
    this.#isReturned = false;
    this.#isBegun = false;
  }

  #show(line: string, cut: number, shown: string[]): void {
    if (line.includes(binary) || (this.#binaryLines > 0 && binaryToo.test(line))) {
      this.#binaryLines++;
      return;
    }
    this.#mentionBinary(shown);
    shown.push(plainText.test(line) ? shorten(line, cut) : visibleLine(shorten(lastSeen(line.split("\r")), cut)));
  }

  #mentionBinary(shown: string[]): void {
    if (this.#binaryLines > 0) shown.push("(binary output is not shown)");
    this.#binaryLines = 0;
  }
}

function shorten(line: string, cut: number): string {
  const more = cut + Math.max(0, line.length - longestLine);
  return more === 0 ? line : `${line.slice(0, longestLine)} ... and ${more} more characters`;
}

function lastSeen(parts: readonly string[]): string {
  return parts.findLast((part) => part.trim() !== "") ?? "";
}

/** A line as it is seen: a progress bar returns to its start, and only what it showed last is still there. */
export function visibleLine(line: string): string {
  return cleanText(lastSeen(line.split("\r")));
}
