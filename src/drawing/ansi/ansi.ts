import { type AnsiStyle, classesOf, noStyle, readStyle } from "./ansi-style.ts";

/** A stretch of a line that looks the same; what `class` names is in ansi.css. */
export interface AnsiSpan {
  readonly text: string;
  readonly class: string;
}

/**
 * One piece of a line that a terminal would obey. Colours and what erases a line are read, all others are dropped: sequences that move the
 * cursor, links and titles, and whatever is not complete.
 */
const piece =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of them.
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~]?)|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\?|\x9c|$)|\x1b[ -/]*[0-~]?|[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Whether anything in a line has to be read at all. */
const isObeyed = new RegExp(piece.source, "u");

const columnsOfTab = 8;

/** What a line of a log looks like once a terminal has written all of it. Control characters are never part of a text. */
export function parseAnsi(line: string): AnsiSpan[] {
  if (!isObeyed.test(line)) return line === "" ? [] : [{ text: line, class: "" }];
  const written = new WrittenLine();
  let style = noStyle;
  let end = 0;
  for (const match of line.matchAll(piece)) {
    written.write(line.slice(end, match.index), style);
    end = match.index + match[0].length;
    const [whole, parameters = "", final] = match;
    if (final === "m") style = readStyle(style, parameters);
    else if (final === "K") written.erase(parameters);
    else written.obey(whole, style);
  }
  written.write(line.slice(end), style);
  return written.spans();
}

/** The same, without colours. */
export function plainText(line: string): string {
  return isObeyed.test(line) ? textOf(parseAnsi(line)) : line;
}

/** Anything but tabs and ends of lines. */
const isWritten = /[^\P{Cc}\t\n]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Lines as a terminal would leave them, without colours. A line that only holds tabs stays as it is: it may be copied. */
export function plainLines(text: string): string {
  if (!isWritten.test(text)) return text;
  return text
    .split("\n")
    .map((line) => (isWritten.test(line) ? plainText(line) : line))
    .join("\n");
}

export function textOf(spans: readonly AnsiSpan[]): string {
  return spans.map(({ text }) => text).join("");
}

/** A character for each column, since what comes later may be written over what was there. */
class WrittenLine {
  private readonly characters: string[] = [];
  private readonly styles: AnsiStyle[] = [];
  private column = 0;

  write(text: string, style: AnsiStyle): void {
    for (const character of text) {
      this.characters[this.column] = character;
      this.styles[this.column] = style;
      this.column++;
    }
  }

  obey(control: string, style: AnsiStyle): void {
    if (control === "\r") this.column = 0;
    else if (control === "\b") this.column = Math.max(0, this.column - 1);
    else if (control === "\t") this.write(" ".repeat(columnsOfTab - (this.column % columnsOfTab)), style);
  }

  /** From here to the end, or all of it. Only ever cutting keeps the time in step with the length of the text. */
  erase(parameters: string): void {
    if (parameters !== "1") this.cut(parameters === "2" ? 0 : this.column);
  }

  spans(): AnsiSpan[] {
    const spans: { text: string; class: string }[] = [];
    let last: AnsiStyle | undefined;
    for (let column = 0; column < this.characters.length; column++) {
      // What was erased, and not written again, is blank.
      const { [column]: character = " " } = this.characters;
      const { [column]: style = noStyle } = this.styles;
      const span = spans.at(-1);
      if (span !== undefined && style === last) span.text += character;
      else spans.push({ text: character, class: classesOf(style) });
      last = style;
    }
    return spans;
  }

  private cut(column: number): void {
    this.characters.length = Math.min(this.characters.length, column);
    this.styles.length = this.characters.length;
  }
}
