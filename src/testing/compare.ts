import { findPattern } from "../expression/find-pattern.ts";
import { isList, isMap, type Value } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { type Expectation, writtenExpectation } from "./expectation.ts";

/** One thing that is not as it was expected. Without a value found, there is none. */
export interface Mismatch {
  /** Where: `outputs.tag`, `files.out.json`. */
  readonly at: string;
  readonly expected?: Value;
  readonly found?: Value;
  /** What can't be said by the two values alone. */
  readonly message?: string;
}

/** Everything in a value that does not fit, each at its own place. */
export function compare(expectation: Expectation, found: Value | undefined, at: string): Mismatch[] {
  switch (expectation.kind) {
    case "map":
      if (found === undefined || !isMap(found)) return [mismatch(expectation, found, at)];
      return [...expectation.entries].flatMap(([key, inner]) =>
        compare(inner, Object.hasOwn(found, key) ? found[key] : undefined, placeIn(at, key)),
      );
    case "list":
      if (found === undefined || !isList(found) || found.length !== expectation.items.length)
        return [mismatch(expectation, found, at)];
      return expectation.items.flatMap((item, index) => compare(item, found[index], `${at}[${index}]`));
    case "json": {
      const parsed = parseText(found);
      if (parsed === undefined) return [mismatch(expectation, found, at)];
      return compare(expectation.parsed, parsed, at);
    }
    default:
      return fits(expectation, found) ? [] : [mismatch(expectation, found, at)];
  }
}

function mismatch(expectation: Expectation, found: Value | undefined, at: string): Mismatch {
  return { at, expected: writtenExpectation(expectation), ...defined({ found }) };
}

function fits(expectation: Expectation, found: Value | undefined): boolean {
  switch (expectation.kind) {
    case "equals":
      return found === expectation.value;
    case "contains":
      return found !== undefined && holds(found, expectation.part);
    case "matches":
      return typeof found === "string" && findPattern(found, expectation.pattern);
    case "any":
      return found !== undefined && found !== null;
    case "not":
      // What is not there is mostly misspelt, so that only who says so expects it.
      if (found === undefined) return expectation.expectation.kind === "any";
      return !fits(expectation.expectation, found);
    default:
      return compare(expectation, found, "").length === 0;
  }
}

function holds(found: Value, part: Expectation): boolean {
  if (isList(found)) return found.some((item) => fits(part, item));
  return (
    typeof found === "string" && part.kind === "equals" && typeof part.value === "string" && found.includes(part.value)
  );
}

function parseText(text: Value | undefined): Value | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}

export function placeIn(at: string, key: string): string {
  return /^[\w-]+$/.test(key) ? `${at}.${key}` : `${at}[${JSON.stringify(key)}]`;
}
