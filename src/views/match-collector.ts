import type { LineTest } from "./line-tests.ts";
import { type Collector, Tally, type TextPage, type TextPiece, type TextQuery } from "./text-page.ts";

/** What is longer is looked through in parts, so that it neither fills the memory nor keeps anybody waiting. */
const longestLine = 100_000;
/** More of a line than this is not shown, but what was found is. */
const mostShown = 500;
const shownBefore = 200;

interface Found {
  readonly number: number;
  readonly text: string;
}

/** The lines in which something is found, each with its number, and with the heading that it stands under. */
export class MatchCollector implements Collector {
  readonly #query: TextQuery;
  readonly #test: LineTest;
  readonly #isPattern: boolean;
  readonly #all = new Tally();
  readonly #found: Found[] = [];
  #room: number;
  #heading: string | undefined;
  /** That of the line found last. */
  #shownHeading: string | undefined;
  /** The beginning of a line, and where in the text it stands. */
  #open = "";
  #start = 0;
  #number = 1;
  #total = 0;
  #next: number | undefined;

  constructor(query: TextQuery, test: LineTest, isPattern: boolean) {
    this.#query = query;
    this.#test = test;
    this.#isPattern = isPattern;
    this.#room = query.limit;
  }

  add({ text, isHeading = false }: TextPiece): void {
    this.#all.add(text);
    const lines = (this.#open + text).split("\n");
    this.#open = lines.pop() ?? "";
    for (const [index, line] of lines.entries()) {
      // A heading may begin by ending the line before it.
      if (isHeading && index === lines.length - 1) this.#heading = line;
      else this.#look(line);
      this.#start += line.length + 1;
      this.#number += 1;
    }
    if (this.#open.length <= longestLine) return;
    this.#look(this.#open);
    this.#start += this.#open.length;
    this.#open = "";
  }

  end(): TextPage {
    if (this.#open !== "") this.#look(this.#open);
    const { lines, bytes } = this.#all;
    const [first, last] = [this.#found[0]?.number, this.#found.at(-1)?.number];
    return {
      text: this.#found.map(({ text }) => text).join(""),
      lines,
      bytes,
      ...(first === undefined || last === undefined ? {} : { shown: [first, last] }),
      matches: { total: this.#total, shown: this.#found.length, isPattern: this.#isPattern },
      ...(this.#next === undefined ? {} : { next: this.#next }),
    };
  }

  #look(line: string): void {
    const at = this.#test(line);
    if (at < 0) return;
    this.#total += 1;
    if (this.#next !== undefined || this.#start < (this.#query.offset ?? 0)) return;
    const isNews = this.#heading !== this.#shownHeading;
    const text = `${isNews ? `${this.#heading}\n` : ""}${this.#number}: ${around(line, at)}\n`;
    if (this.#query.tail === undefined && text.length > this.#room && this.#found.length > 0) {
      this.#next = this.#start;
      return;
    }
    this.#shownHeading = this.#heading;
    this.#found.push({ number: this.#number, text });
    this.#room -= text.length;
    const { tail } = this.#query;
    while (tail !== undefined && this.#found.length > 1 && (this.#found.length > tail || this.#room < 0)) {
      this.#room += this.#found.shift()?.text.length ?? 0;
    }
  }
}

function around(line: string, at: number): string {
  if (line.length <= mostShown) return line;
  const start = Math.max(0, Math.min(at - shownBefore, line.length - mostShown));
  const end = start + mostShown;
  return `${start > 0 ? "..." : ""}${line.slice(start, end)}${end < line.length ? "..." : ""}`;
}
