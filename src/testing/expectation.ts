import type { Value } from "../expression/value.ts";

/** What a value is to be like. */
export type Expectation =
  | { readonly kind: "equals"; readonly value: Exclude<Value, object> | null }
  /** The named keys must be there and fit; others may be anything. */
  | { readonly kind: "map"; readonly entries: ReadonlyMap<string, Expectation> }
  | { readonly kind: "list"; readonly items: readonly Expectation[] }
  /** A text in a text, or something that fits in a list. */
  | { readonly kind: "contains"; readonly part: Expectation }
  | { readonly kind: "matches"; readonly pattern: string }
  /** The text, parsed. */
  | { readonly kind: "json"; readonly parsed: Expectation }
  /** There, and not null. */
  | { readonly kind: "any" }
  | { readonly kind: "not"; readonly expectation: Expectation };

/** An expectation as data again, as it was written. */
export function writtenExpectation(expectation: Expectation): Value {
  switch (expectation.kind) {
    case "equals":
      return expectation.value;
    case "map":
      return Object.fromEntries([...expectation.entries].map(([key, inner]) => [key, writtenExpectation(inner)]));
    case "list":
      return expectation.items.map(writtenExpectation);
    case "contains":
      return { contains: writtenExpectation(expectation.part) };
    case "matches":
      return { matches: expectation.pattern };
    case "json":
      return { json: writtenExpectation(expectation.parsed) };
    case "any":
      return { any: true };
    case "not":
      return { not: writtenExpectation(expectation.expectation) };
  }
}
