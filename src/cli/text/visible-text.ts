import { stripVTControlCharacters } from "node:util";
import { paintSequences } from "../../diagnostic/style.ts";
import { turningCharacters } from "../../util/obeyed-characters.ts";

/**
 * Text from outside on its way to a terminal. Nothing that comes out of `cleanLine` moves the cursor, changes colours or
 * reorders what is around it, so the width counted here is the width it takes.
 */

/** Variation selectors go too: terminals disagree about the width of what they select. */
const invisible = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Variation_Selector}/gu;

/** Most texts are nothing but these, which need no closer look; the patterns of Unicode take a while to make and to try. */
const plain = /^[ -~]*$/;
const plainLines = /^[ -~\n\t]*$/;

/** One line without escape sequences and control characters; every kind of white space is a blank. */
export function cleanLine(text: string): string {
  if (isPlain(text)) return text;
  return stripVTControlCharacters(text).replaceAll(/\s/g, " ").replaceAll(invisible, "");
}

/** Several lines, each of them clean; tabs stay. */
export function cleanText(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(cleanLine).join("\t").trimEnd())
    .join("\n");
}

/** What a terminal obeys instead of showing it: all but the ends of lines and tabs, and what turns the writing round. */
const obeyed = new RegExp(`[^\\P{Cc}\\n\\t]|[${turningCharacters}]`, "u");
const everyObeyed = new RegExp(obeyed, "gu");
const painted = new RegExp(`(${paintSequences.map((one) => one.replace("[", "\\[")).join("|")})`);

/**
 * The last thing that happens to every text before it is written, wherever it comes from: of everything that a terminal obeys only
 * the colours of Frond itself are left. Texts that must stay on one line have to pass `cleanLine` before.
 */
export function harmless(text: string, colour: boolean): string {
  if (plainLines.test(text) || !obeyed.test(text)) return text;
  const clean = (part: string): string => stripVTControlCharacters(part).replaceAll(everyObeyed, "");
  if (!colour) return clean(text);
  // Every second part is one of ours.
  return text
    .split(painted)
    .map((part, index) => (index % 2 === 1 ? part : clean(part)))
    .join("");
}

const noColumn = /^[\p{Mn}\p{Me}]$/u;
/** Halfwidth forms are counted as wide too: a line that ends early harms nothing, one that wraps does. */
const twoColumns =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Yi}\p{Script=Tangut}\p{Emoji_Presentation}\p{Regional_Indicator}\u2e80-\u303e\u3200-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]$/u;

function columnsOf(character: string): number {
  if (character >= " " && character <= "~") return 1;
  if (noColumn.test(character)) return 0;
  return twoColumns.test(character) ? 2 : 1;
}

/** Whether every character of a text takes one column. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** Columns a clean line takes. */
export function widthOf(line: string): number {
  if (isPlain(line)) return line.length;
  let width = 0;
  for (const character of line) width += columnsOf(character);
  return width;
}

/** The beginning of a clean line that fits into so many columns; the last one is a `…` when something was cut. */
export function cutToWidth(line: string, columns: number): string {
  if (columns <= 0) return "";
  let width = 0;
  let fitting = 0;
  let at = 0;
  for (const character of line) {
    width += columnsOf(character);
    at += character.length;
    if (width > columns) return `${line.slice(0, fitting)}…`;
    if (width <= columns - 1) fitting = at;
  }
  return line;
}
