import {
  type Callable,
  type Data,
  type Dict,
  fail,
  failUndefined,
  isFloat,
  isNumber,
  Namespace,
  Tuple,
  toNumber,
  Undefined,
} from "./data.ts";

const deepestWritten = 200;

/** Text that is built from pieces, asked for as it grows. */
export type AskText = (length: number) => void;

/** What `{{ value }}` prints. */
export function writeText(value: Data, ask: AskText): string {
  if (typeof value === "string") return value;
  return writeData(value, ask);
}

/** As Python shows a value: texts in quotes. */
export function writeData(value: Data, ask: AskText, depth = 0): string {
  if (depth > deepestWritten) fail("a value is nested too deeply to be written");
  if (value === null) return "None";
  if (typeof value === "string") return quoteText(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isNumber(value)) return isFloat(value) ? writeFloat(toNumber(value)) : String(value);
  const write = (item: Data): string => writeData(item, ask, depth + 1);
  const joined = (items: readonly string[]): string => {
    ask(items.reduce((length, item) => length + item.length + 2, 0));
    return items.join(", ");
  };
  if (Array.isArray(value)) return `[${joined(value.map(write))}]`;
  if (value instanceof Tuple) {
    return value.items.length === 1 ? `(${write(value.items[0] as Data)},)` : `(${joined(value.items.map(write))})`;
  }
  if (value instanceof Map) {
    return `{${joined(Array.from(value, ([key, item]) => `${write(key)}: ${write(item)}`))}}`;
  }
  if (value instanceof Undefined) return failUndefined(value);
  if (value instanceof Namespace)
    return `<Namespace {${joined(Array.from(value.values, ([key, item]) => `${write(key)}: ${write(item)}`))}}>`;
  return fail(`'${(value as Callable).name}' is a function: call it with ()`);
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

const unprintable = /[\\'"\p{C}\p{Z}]/gu;

function escapeCode(code: number): string {
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

function quoteText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = replaceInParts(text, unprintable, (character) => {
    if (character === " ") return character;
    if (character === "'" || character === '"') return character === quote ? `\\${character}` : character;
    return escapes[character] ?? escapeCode(character.codePointAt(0) ?? 0);
  });
  return `${quote}${body}${quote}`;
}

/** Python writes exponents of two digits, and uses them from 1e16 and below 1e-4 on. */
export function writeFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const [, sign = "", first = "", rest = "", power = "0"] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? [];
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const mantissa = rest === "" ? first : `${first}.${rest}`;
    return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const text = Object.is(value, -0) ? "-0" : String(value);
  if (!text.includes("e")) return text.includes(".") ? text : `${text}.0`;
  const digits = first + rest;
  return exponent < 0
    ? `${sign}0.${"0".repeat(-exponent - 1)}${digits}`
    : `${sign}${digits.padEnd(exponent + 1, "0")}.0`;
}

/** JSON as Python's json.dumps writes it, sorted, and safe to stand in HTML. */
export function writeJson(value: Data, indent: number | undefined, ask: AskText): string {
  const text = writeJsonValue(value, indent, "", ask, 0);
  const safe = replaceInParts(text, /[<>&']|\P{ASCII}/gu, escapeUnits);
  ask(safe.length);
  return safe;
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

function writeJsonValue(value: Data, indent: number | undefined, margin: string, ask: AskText, depth: number): string {
  if (depth > deepestWritten) fail("a value is nested too deeply to be written");
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (isNumber(value)) return isFloat(value) ? writeFloat(toNumber(value)) : String(value);
  const inner = indent === undefined ? "" : `${margin}${" ".repeat(indent)}`;
  const write = (item: Data): string => writeJsonValue(item, indent, inner, ask, depth + 1);
  const enclosed = (open: string, items: readonly string[], close: string): string => {
    ask(items.reduce((length, item) => length + item.length + inner.length + 2, 0));
    if (items.length === 0) return open + close;
    if (indent === undefined) return `${open}${items.join(", ")}${close}`;
    return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${margin}${close}`;
  };
  if (Array.isArray(value)) return enclosed("[", value.map(write), "]");
  if (value instanceof Tuple) return enclosed("[", value.items.map(write), "]");
  if (value instanceof Map) {
    const entries = sortedEntries(value).map(([key, item]) => `${JSON.stringify(String(key))}: ${write(item)}`);
    return enclosed("{", entries, "}");
  }
  if (value instanceof Undefined) return failUndefined(value);
  return fail("a function can't be written as JSON");
}

function sortedEntries(map: Dict): [Data, Data][] {
  return [...map].sort(([one], [other]) => compareKeys(String(one), String(other)));
}

/** By the numbers of the characters, not by the rules of a language. */
export function compareKeys(one: string, other: string): number {
  if (one === other) return 0;
  const [left, right] = [Array.from(one), Array.from(other)];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const partLength = 65_536;

/** V8 keeps every match of a text until all are replaced, and there may be millions. No part ends in the middle of a character. */
function replaceInParts(text: string, pattern: RegExp, replace: (match: string) => string): string {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + partLength;
    const isSplit = (text.codePointAt(end - 1) ?? 0) > 0xffff;
    parts.push(text.slice(start, isSplit ? end + 1 : end).replaceAll(pattern, replace));
    start = isSplit ? end + 1 : end;
  }
  return parts.join("");
}
