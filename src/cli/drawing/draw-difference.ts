import { paint } from "../../diagnostic/style.ts";
import type { Value } from "../../expression/value.ts";
import { diffLines } from "../../util/line-diff.ts";
import { cleanLine } from "../text/visible-text.ts";

const linesAround = 2;
const mostLines = 60;
const mostCharacters = 1_000;

/** What was expected and what was found, one above the other or, where they have several lines, line by line. */
export function drawDifference(expected: Value, found: Value | undefined, colour: boolean): string[] {
  if (typeof expected === "string" && typeof found === "string") {
    if (!isLong(expected) && !isLong(found)) return drawPair(showText(expected), showText(found), colour);
    return drawLines(textLines(expected), textLines(found), colour);
  }
  const shown = found === undefined ? "nothing" : showValue(found);
  if (!isLong(showValue(expected)) && !isLong(shown)) return drawPair(showValue(expected), shown, colour);
  // A matcher is not like what it is compared with, so that a comparison of lines would tell nothing.
  const isSameKind = found !== undefined && typeof expected === typeof found && !isMatcher(expected);
  if (isSameKind) return drawLines(showValue(expected).split("\n"), showValue(found).split("\n"), colour);
  return [...labelled("expected:", showValue(expected), colour), ...labelled("found:", shown, colour)];
}

function isMatcher(value: Value): boolean {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return keys.length === 1 && ["contains", "matches", "json", "any", "not"].includes(keys[0] ?? "");
}

function isLong(text: string): boolean {
  return text.trimEnd().includes("\n");
}

function drawPair(expected: string, found: string, colour: boolean): string[] {
  const from = Math.max(0, firstDifference(expected, found) - 100);
  return [
    `expected: ${paint(shortenLine(expected, from), "green", colour)}`,
    `found:    ${paint(shortenLine(found, from), "red", colour)}`,
  ];
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** Of a line that nobody would read to its end, the part from there on. */
function shortenLine(line: string, from = 0): string {
  if (line.length <= mostCharacters) return line;
  const end = from + mostCharacters;
  const rest = line.length > end ? `... ${line.length - end} more characters` : "";
  return `${from === 0 ? "" : "..."}${line.slice(from, end)}${rest}`;
}

function labelled(label: string, text: string, colour: boolean): string[] {
  if (!isLong(text)) return [`${label} ${showLine(text.trimEnd())}`];
  return [
    label,
    ...shorten(
      text
        .trimEnd()
        .split("\n")
        .map((line) => `  ${paint(showLine(line), "dim", colour)}`),
    ),
  ];
}

function drawLines(expected: readonly string[], found: readonly string[], colour: boolean): string[] {
  const lines = [`${paint("- expected", "green", colour)} ${paint("+ found", "red", colour)}`];
  let shown = 0;
  const keep = (from: number, to: number): void => {
    for (let at = from; at < to; at++) lines.push(`  ${showLine(expected[at])}`);
    shown = to;
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(expected, found).edits) {
    const ahead = Math.max(shown, oldStart - linesAround);
    if (shown > 0) keep(shown, Math.min(shown + linesAround, ahead));
    if (ahead > shown) lines.push(paint("  ...", "dim", colour));
    keep(ahead, oldStart);
    for (let at = oldStart; at < oldEnd; at++) lines.push(paint(`- ${showLine(expected[at])}`, "green", colour));
    for (let at = newStart; at < newEnd; at++) lines.push(paint(`+ ${showLine(found[at])}`, "red", colour));
    shown = oldEnd;
  }
  keep(shown, Math.min(shown + linesAround, expected.length));
  return shorten(lines);
}

function shorten(lines: readonly string[]): string[] {
  if (lines.length <= mostLines) return [...lines];
  return [...lines.slice(0, mostLines), `... ${lines.length - mostLines} more lines`];
}

const missingNewline = "(no newline at the end)";

function textLines(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : [...lines, missingNewline];
}

/** In quotes, as JSON has them, where something in it could not be seen otherwise. */
function quoteLine(line: string): string {
  return cleanLine(line) === line && line.trimEnd() === line ? line : cleanLine(JSON.stringify(line));
}

function showLine(line = ""): string {
  return shortenLine(quoteLine(line));
}

/** As YAML would write it: a text that could be taken for something else stands in quotes. */
function showText(text: string): string {
  const isPlain = /^[^\s"'[\]{}]/.test(text) && !/^[\d.+-]+$|^(?:true|false|null)$/.test(text);
  return isPlain ? quoteLine(text) : cleanLine(JSON.stringify(text));
}

function showValue(value: Value): string {
  if (typeof value === "string") return isLong(value) ? value : showText(value);
  const short = JSON.stringify(value);
  return short.length <= 80 ? short : JSON.stringify(value, null, 2);
}
