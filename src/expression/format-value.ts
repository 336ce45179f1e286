import { isList, isMap, type Value } from "./value.ts";

/** A value as text: what `${...}` becomes inside other text. */
export function formatValue(value: Value): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatNumber(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  return JSON.stringify(value);
}

const scientific = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** JavaScript writes 1e+21 and 1e-7; programs that read the text mostly want the digits. */
function formatNumber(value: number): string {
  const text = String(value);
  const match = scientific.exec(text);
  if (match === null) return text;
  const [, sign, first, rest = "", power] = match;
  const digits = `${first}${rest}`;
  const exponent = Number(power);
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return `${sign}${digits.padEnd(exponent + 1, "0")}`;
}

const longestShown = 60;

/** A value in a few words, for messages: `the text 'abc'`, `the number 5`, `a list of 3`. */
export function describeValue(value: Value): string {
  if (value === null) return "null";
  if (typeof value === "string") return value === "" ? "an empty text" : `the text ${quoteText(value)}`;
  if (typeof value === "number") return `the number ${formatNumber(value)}`;
  if (typeof value === "boolean") return value ? "true" : "false";
  if (isList(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  return describeKeys(isMap(value) ? Object.keys(value) : []);
}

function describeKeys(keys: readonly string[]): string {
  if (keys.length === 0) return "an empty map";
  const shown = keys.slice(0, 3).map((key) => quoteText(key));
  return `a map with ${shown.join(", ")}${keys.length > shown.length ? ` and ${keys.length - shown.length} more` : ""}`;
}

const visibleEscapes: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
  "'": "\\'",
  "\\": "\\\\",
};

/** Text in quotes on one line, cut when long, so that no value can disturb the message it stands in. */
export function quoteText(text: string): string {
  const cut = text.length > longestShown ? text.slice(0, longestShown) : text;
  const escaped = cut.replaceAll(
    /['\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => visibleEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `'${escaped}${cut === text ? "" : "..."}'`;
}
