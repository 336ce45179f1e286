import { describeValue } from "../expression/format-value.ts";
import { isList, isMap, type Value, type ValueMap } from "../expression/value.ts";
import { readSeconds } from "../util/duration-text.ts";
import { err, ok, type Result } from "../util/result.ts";

/** How a value is read. Models write numbers and flags as texts, and one thing where a list is meant. */
export type Form<T> = (value: Value) => Result<T, string>;

/** A field of a step or of a plan. Where it is null it counts as left out. */
export interface Field<T = unknown> {
  /** The error is the rest of a sentence that begins with the field's name. */
  readonly read: Form<T>;
  /** What models call it as well. */
  readonly otherNames?: readonly string[];
  readonly required?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/** What was read of fields. */
export type ReadFields<Of> = { readonly [Name in keyof Of]?: Of[Name] extends Field<infer T> ? T : never };

function wrong(expected: string, value: Value): Result<never, string> {
  return err(`must be ${expected}, not ${describeValue(value)}`);
}

export const text: Form<string> = (value) => {
  if (typeof value === "string") return ok(value);
  return typeof value === "number" || typeof value === "boolean" ? ok(String(value)) : wrong("a text", value);
};

/** One that says something. */
export const words: Form<string> = (value) => {
  const read = text(value);
  return read.ok && read.value.trim() === "" ? err("must not be empty") : read;
};

export const flag: Form<boolean> = (value) => {
  if (typeof value === "boolean") return ok(value);
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (word === "true" || word === "yes") return ok(true);
  return word === "false" || word === "no" ? ok(false) : wrong("true or false", value);
};

export function count(least: number, most: number): Form<number> {
  return (value) => {
    const number = typeof value === "string" && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
    const isCount = typeof number === "number" && Number.isInteger(number) && number >= least && number <= most;
    return isCount ? ok(number) : wrong(`a whole number from ${least} to ${most}`, value);
  };
}

const longestSeconds = 30 * 24 * 3600;

/** Seconds, as a number or a text such as `30s`. */
export function seconds(unit: "s" | "ms"): Form<number> {
  return (value) => {
    const read = readSeconds(value, unit);
    if (read !== undefined && read > 0 && read <= longestSeconds) return ok(read);
    const what = unit === "s" ? "seconds" : "milliseconds";
    return wrong(`a number of ${what} above 0 and 30 days at most, or a text like 30s or 5m`, value);
  };
}

/** A list, or one thing that stands for a list of one. */
export function listOf<T>(one: Form<T>): Form<readonly T[]> {
  return (value) => {
    const all = (isList(value) ? value : [value]).map(one);
    const failed = all.find((read) => !read.ok);
    if (failed !== undefined && !failed.ok) return isList(value) ? err(`has an item that ${failed.error}`) : failed;
    return ok(all.flatMap((read) => (read.ok ? [read.value] : [])));
  };
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Form<Choice> {
  return (value) => {
    const found = choices.find((choice) => choice === value);
    return found === undefined ? wrong(`one of ${choices.join(", ")}`, value) : ok(found);
  };
}

export const map: Form<ValueMap> = (value) => (isMap(value) ? ok(value) : wrong("a map", value));

export const anything: Form<Value> = (value) => ok(value);
