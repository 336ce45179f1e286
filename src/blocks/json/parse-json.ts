import { toValue, type Value } from "../../expression/value.ts";
import { err, type Result } from "../../util/result.ts";
import { findJsonError, skipString } from "./find-json-error.ts";

/** The value a JSON text stands for, or what is wrong with the text and where. */
export function parseJson(text: string): Result<Value, string> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const found = findJsonError(text);
    return err(found === undefined ? String(error) : `${placeOf(text, found.offset)}: ${found.message}`);
  }
  return toValue(data);
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

const stringOrLongNumber = /"|-?\d{16,}(?![\d.eE])/g;

/** A whole number in a valid JSON text that this language can't hold, and that would be another one when written again. */
export function findLossyNumber(text: string): string | undefined {
  let found = nextMatch(text, 0);
  while (found !== undefined) {
    const [token] = found;
    if (token !== '"' && BigInt(token) !== BigInt(Number(token))) return token;
    const end = token === '"' ? skipString(text, found.index) : found.index + token.length;
    if (typeof end !== "number") return undefined;
    found = nextMatch(text, end);
  }
  return undefined;
}

function nextMatch(text: string, start: number): RegExpExecArray | undefined {
  stringOrLongNumber.lastIndex = start;
  return stringOrLongNumber.exec(text) ?? undefined;
}
