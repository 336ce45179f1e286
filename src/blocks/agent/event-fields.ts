import { isList, isMap, type Value, type ValueMap } from "../../expression/value.ts";
import { readField } from "../model/read-field.ts";

/** What another program writes may have any shape: each of these gives nothing where it has not the expected one. */

export function numberAt(from: Value, ...path: readonly string[]): number | undefined {
  const found = readField(from, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** Dollars: never less than nothing, whatever is written. */
export function amountAt(from: Value, ...path: readonly string[]): number | undefined {
  const found = numberAt(from, ...path);
  return found === undefined ? undefined : Math.max(0, found);
}

/** Sums of such counts are still exact. */
const mostCounted = 1e12;

/** How many there are, of tokens or turns: a whole number, and never less than nothing. */
export function countAt(from: Value, ...path: readonly string[]): number {
  return Math.min(Math.trunc(amountAt(from, ...path) ?? 0), mostCounted);
}

export function mapAt(from: Value, ...path: readonly string[]): ValueMap {
  const found = readField(from, ...path);
  return found !== undefined && isMap(found) ? found : {};
}

export function listAt(from: Value, ...path: readonly string[]): readonly Value[] {
  const found = readField(from, ...path);
  return found !== undefined && isList(found) ? found : [];
}
