import { describeValue } from "../expression/format-value.ts";
import type { Value } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";

/** The types of workflow inputs and outputs. `json` is any value. */
export type DataType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "json";

const names: Record<string, DataType> = {
  string: "string",
  str: "string",
  integer: "integer",
  int: "integer",
  number: "number",
  float: "number",
  boolean: "boolean",
  bool: "boolean",
  array: "array",
  list: "array",
  object: "object",
  dict: "object",
  json: "json",
};

export const dataTypeNames: readonly string[] = Object.keys(names);
/** Without the short names. */
export const mainDataTypeNames: readonly string[] = [...new Set(Object.values(names))];

export function findDataType(name: string): DataType | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

const articles: Record<DataType, string> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  json: "a value",
};

export function describeDataType(type: DataType): string {
  return articles[type];
}

function fitsDataType(value: Value, type: DataType): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "integer":
      return Number.isInteger(value);
    case "number":
      // JSON's 1e400 is read as infinite, which is no number for any program.
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "json":
      return true;
  }
}

export function checkDataType(value: Value, type: DataType): Result<Value, string> {
  if (fitsDataType(value, type)) return ok(value);
  return err(`expected ${describeDataType(type)}, got ${describeValue(value)}`);
}

/** How to write a value so that it fits, where its spelling is all that is wrong. */
export function suggestSpelling(value: Value, type: DataType, written: string = writeValue(value)): string | undefined {
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return `Quote it: "${written}".`;
  if (type === "array" && value !== null && typeof value !== "object") return `Write it as a list: [${written}].`;
  if (typeof value !== "string" || type === "array" || type === "object") return undefined;
  const parsed = parseAsDataType(value, type);
  if (!parsed.ok || parsed.value === value) return undefined;
  const bare = writeValue(parsed.value);
  return bare === value ? `Remove the quotes: ${bare}.` : `Write ${bare}.`;
}

/** Whether a value is one of an enum's: maps and lists count by what they hold. */
export function isOneOf(value: Value, choices: readonly Value[]): boolean {
  const written = JSON.stringify(value);
  return choices.some((choice) => JSON.stringify(choice) === written);
}

/** A value on one line, a text without its quotes. */
export function writeValue(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Converts where nothing is lost, such as the text of a number to the number; for declared outputs. */
export function convertToDataType(value: Value, type: DataType): Result<Value, string> {
  if (fitsDataType(value, type)) return ok(value);
  if (typeof value === "string") {
    const parsed = parseAsDataType(value, type);
    if (parsed.ok) return parsed;
  }
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return ok(String(value));
  return checkDataType(value, type);
}

/** Reads text as the declared type: what `--input name=text` means. */
export function parseAsDataType(text: string, type: DataType): Result<Value, string> {
  const trimmed = text.trim();
  switch (type) {
    case "string":
      return ok(text);
    case "integer":
      if (/^[+-]?\d+$/.test(trimmed) && Number.isSafeInteger(Number(trimmed))) return ok(Number(trimmed));
      break;
    case "number":
      if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) && Number.isFinite(Number(trimmed)))
        return ok(Number(trimmed));
      break;
    case "boolean":
      if (/^(true|yes|1)$/i.test(trimmed)) return ok(true);
      if (/^(false|no|0)$/i.test(trimmed)) return ok(false);
      break;
    case "array":
    case "object":
    case "json":
      return parseJsonAs(trimmed, type);
  }
  return err(`expected ${describeDataType(type)}, got ${describeValue(text)}`);
}

function parseJsonAs(text: string, type: DataType): Result<Value, string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text, (_, value) => value);
  } catch {
    return err(`expected ${describeDataType(type)} written as JSON, got ${describeValue(text)}`);
  }
  return checkDataType(parsed as Value, type);
}
