import type { Value } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import type { Mismatch } from "./compare.ts";

const mostCharacters = 1_000;
const charactersBefore = 100;

/** Of values that are too long to be read, the part from a little before the place where they begin to differ. */
export function shortenMismatch(mismatch: Mismatch): Mismatch {
  const { expected, found } = mismatch;
  const [one, other] = [textOf(expected), textOf(found)];
  if (Math.max(one.length, other.length) <= mostCharacters) return mismatch;
  const from = Math.max(0, firstDifference(one, other) - charactersBefore);
  const cut = (value: Value | undefined, text: string): Value | undefined =>
    value === undefined || text.length <= mostCharacters ? value : cutFrom(text, from);
  return { ...mismatch, ...defined({ expected: cut(expected, one), found: cut(found, other) }) };
}

function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function cutFrom(text: string, from: number): string {
  const end = from + mostCharacters;
  const before = from === 0 ? "" : `[${from} characters] ...`;
  const after = text.length <= end ? "" : `... [${text.length - end} more characters]`;
  return `${before}${text.slice(from, end)}${after}`;
}
