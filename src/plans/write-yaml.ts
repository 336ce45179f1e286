import { isList, isMap, type Value, type ValueMap } from "../expression/value.ts";
import { escapeObeyed } from "../util/printable-json.ts";

/**
 * Data as YAML that people like to read, and that is read as the same data: plain words and texts of several lines as they are,
 * everything else as JSON.
 */
export function writeEntries(map: ValueMap, indent = ""): string[] {
  return Object.entries(map).flatMap(([key, value]) => writeEntry(key, value, indent));
}

function writeEntry(key: string, value: Value, indent = ""): string[] {
  return writeAfter(`${indent}${writeWord(key)}:`, value, `${indent}  `);
}

/** What stands behind `key:` or `-`: on the same line if it is short, else below it. */
function writeAfter(before: string, value: Value, indent: string): string[] {
  if (typeof value === "string") return writeText(before, value, indent);
  if (value === null || typeof value !== "object") return [`${before} ${JSON.stringify(value)}`];
  const line = writeFlow(value);
  if (line !== undefined && before.length + line.length < longestLine) return [`${before} ${line}`];
  if (isList(value)) return [before, ...value.flatMap((item) => writeItem(item, indent))];
  return isMap(value) ? [before, ...writeEntries(value, indent)] : [];
}

/** The first key of a map stands beside the dash. */
function writeItem(item: Value, indent: string): string[] {
  if (!isMap(item) || Object.keys(item).length === 0) return writeAfter(`${indent}-`, item, `${indent}  `);
  const [first = "", ...others] = writeEntries(item, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...others];
}

const longestLine = 100;

/** A list or a map of short things, on one line; nothing where it is none. */
function writeFlow(value: Value): string | undefined {
  if (isList(value)) {
    return value.every(isShort) ? `[${value.map(writeShort).join(", ")}]` : undefined;
  }
  if (!isMap(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.length === 0) return "{}";
  if (!entries.every(([key, inner]) => isShort(key) && isShort(inner))) return undefined;
  return `{ ${entries.map(([key, inner]) => `${writeWord(key)}: ${writeShort(inner)}`).join(", ")} }`;
}

function isShort(value: Value): boolean {
  return typeof value === "string"
    ? value.length < longestLine && !value.includes("\n")
    : typeof value !== "object" || value === null;
}

function writeShort(value: Value): string {
  return typeof value === "string" ? writeWord(value) : JSON.stringify(value);
}

/** In flow style and as a key a comma or a colon means something, so only words go without quotes. */
function writeWord(text: string): string {
  return /^[A-Za-z_][\w./-]*$/.test(text) && !isKeyword(text) ? text : quote(text);
}

function isKeyword(text: string): boolean {
  return /^(?:true|false|null|yes|no|on|off|y|n|nan|inf|infinity)$/i.test(text);
}

function writeText(before: string, text: string, indent: string): string[] {
  if (isBlockText(text)) {
    const ending = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
    const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
    return [`${before} |${ending}`, ...lines.map((line) => (line === "" ? "" : `${indent}${line}`))];
  }
  return [`${before} ${isPlain(text) ? text : quote(text)}`];
}

/** Characters that YAML, or a reader's editor, takes for something else than themselves. */
const odd = /[^\n\t\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffc]|[\u200b-\u200f\u2028-\u202e\u2060-\u206f]/;

function isBlockText(text: string): boolean {
  return text.includes("\n") && !/^\s/.test(text) && !/[ \t]$/.test(text) && !odd.test(text) && !isPairless(text);
}

/** Characters beyond the first plane are rare enough in texts of several lines to be written as JSON. */
function isPairless(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}

function isPlain(text: string): boolean {
  return (
    /^\p{L}[\p{L}\p{N} !-~]*$/u.test(text) && !/: |:$| #| $|\$\{/.test(text) && !isKeyword(text) && !odd.test(text)
  );
}

/** A text in quotes on one line. */
function quote(text: string): string {
  return escapeObeyed(JSON.stringify(text)).replaceAll(
    /[\ufffd\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
