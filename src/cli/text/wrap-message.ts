import { widthOf } from "./visible-text.ts";
import type { WrapIndents } from "./wrap-words.ts";

/** A command in backquotes or behind a colon at the end of a line, and an option with its value, is one piece, and so is every other word. */
const piece = /(?:`[^`\n]*`|(?<=: )frond .*$|(?<= )--[a-z-]+ (?=\S)|\S)+/g;

/**
 * A clean message in lines of so many columns, broken between words. What is to be typed is never broken, so that it can be copied: where
 * it fits into no line, it is left to the terminal.
 */
export function wrapMessage(text: string, columns: number, { first = "", following = "" }: WrapIndents = {}): string[] {
  const lines: string[] = [];
  for (const own of text.split("\n")) {
    let line = lines.length === 0 ? first : following;
    let isEmpty = true;
    for (const [word] of own.matchAll(piece)) {
      if (!isEmpty && widthOf(line) + 1 + widthOf(word) > columns) {
        lines.push(line);
        line = following;
        isEmpty = true;
      }
      line += isEmpty ? word : ` ${word}`;
      isEmpty = false;
    }
    lines.push(line.trimEnd());
  }
  return lines;
}
