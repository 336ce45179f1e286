import { formatValue } from "../../expression/format-value.ts";
import type { Value, ValueMap } from "../../expression/value.ts";
import { cleanLine, cleanText } from "./visible-text.ts";

/** A long text is known by its beginning and its end. */
const headLines = 4;
const tailLines = 8;
const longestLine = 1_000;

/** Names and values for a person, one below the other and indented. */
export function formatValues(values: ValueMap): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const [first = "", ...others] = shorten(formatOne(value).split("\n"));
    const label = `  ${cleanLine(name)}:`;
    if (others.length === 0) return [`${label} ${first === "" ? "(empty)" : first}`];
    return [label, ...[first, ...others].map((line) => `    ${line}`)];
  });
}

function formatOne(value: Value): string {
  if (value === null) return "null";
  return cleanText(typeof value === "string" ? value.trimEnd() : formatValue(value));
}

function shorten(lines: readonly string[]): readonly string[] {
  const left = lines.length - headLines - tailLines;
  if (left <= 1) return lines.map(shortenLine);
  const ends = [lines.slice(0, headLines), lines.slice(-tailLines)].map((part) => part.map(shortenLine));
  return [...(ends[0] ?? []), `... ${left} more lines: --json has them all`, ...(ends[1] ?? [])];
}

function shortenLine(line: string): string {
  const left = line.length - longestLine;
  return left <= 0 ? line : `${line.slice(0, longestLine)}... ${left} more characters: --json has them all`;
}
