import { isPlain, widthOf } from "./visible-text.ts";

export interface WrapIndents {
  /** What stands before the first line. */
  readonly first?: string;
  /** What stands before all others; as much room as the first has, unless it is given. */
  readonly following?: string;
}

/** With less room than this lines would be hard to read; then they are longer than asked for. */
const leastRoom = 8;

/**
 * A clean text in lines of so many columns at most, indents included, broken between words. Its own lines stay, and what is indented in
 * it stays so. Only a word that fits into no line is broken inside; text in wide characters, which has no blanks, between any two.
 */
export function wrapWords(text: string, columns: number, indents: WrapIndents = {}): string[] {
  const { first = "", following = " ".repeat(widthOf(first)) } = indents;
  const lines: string[] = [];
  for (const own of text.split("\n")) {
    const margin = /^\s*/.exec(own)?.[0] ?? "";
    const indent = (): string => (lines.length === 0 ? first : following) + margin;
    const room = (): number => Math.max(leastRoom, columns - widthOf(indent()));
    let line = "";
    const breakLine = (): void => {
      lines.push(`${indent()}${line}`.trimEnd());
      line = "";
    };
    for (const { gap, word } of piecesOf(own.trim())) {
      if (line !== "" && widthOf(line) + widthOf(gap) + widthOf(word) > room()) breakLine();
      line += line === "" ? word : gap + word;
      while (widthOf(line) > room()) {
        const [head, rest] = splitAt(line, room());
        line = head;
        breakLine();
        line = rest;
      }
    }
    breakLine();
  }
  return lines;
}

interface Piece {
  /** The blanks before it, which are left out where a line ends. */
  readonly gap: string;
  readonly word: string;
}

/** What is never broken as long as it fits into a line: a word, or one wide character. */
function piecesOf(line: string): Piece[] {
  return [...line.matchAll(/(\s*)(\S+)/g)].flatMap(([, gap = "", word = ""]) =>
    partWide(word).map((part, index) => ({ gap: index === 0 ? gap : "", word: part })),
  );
}

/** Marks without a column of their own stay with the character that they are written over. */
function partWide(word: string): string[] {
  if (isPlain(word)) return [word];
  const parts: string[] = [];
  let isAfterWide = true;
  for (const character of word) {
    const width = widthOf(character);
    const isPart = parts.length === 0 || (width > 0 && (width === 2 || isAfterWide));
    if (isPart) parts.push(character);
    else parts[parts.length - 1] += character;
    if (width > 0) isAfterWide = width === 2;
  }
  return parts;
}

function splitAt(text: string, columns: number): [head: string, rest: string] {
  let width = 0;
  let at = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    at += character.length;
  }
  return [text.slice(0, at), text.slice(at)];
}
