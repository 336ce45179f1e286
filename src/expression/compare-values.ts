import type { Span } from "./ast.ts";
import type { Budget } from "./budget.ts";
import { isList, isMap, type Value } from "./value.ts";

const workPerItem = 8;

/** Deep equality, plain across types: a text never equals a number, and the order of keys does not matter. */
export function equalValues(left: Value, right: Value, budget: Budget, at: Span): boolean {
  if (typeof left === "string" && typeof right === "string") {
    if (left.length !== right.length) return false;
    budget.spend(left.length, at);
    return left === right;
  }
  if (left === right) return true;
  if (isList(left) && isList(right)) {
    if (left.length !== right.length) return false;
    budget.spend(left.length * workPerItem, at);
    return left.every((item, index) => equalValues(item, right[index] as Value, budget, at));
  }
  if (left === null || right === null || !isMap(left) || !isMap(right)) return false;
  const keys = budget.keys(left, at);
  return (
    keys.length === budget.keys(right, at).length &&
    keys.every((key) => Object.hasOwn(right, key) && equalValues(left[key] as Value, right[key] as Value, budget, at))
  );
}

/** A text that two values share exactly when they are equal, so that equal ones are found without comparing all pairs. */
export function identityOf(value: Value, budget: Budget, at: Span): string {
  budget.measure(value, at);
  return JSON.stringify(sortKeys(value));
}

function sortKeys(value: Value): Value {
  if (isList(value)) return value.map(sortKeys);
  if (value === null || !isMap(value)) return value;
  const sorted: Record<string, Value> = Object.create(null);
  for (const key of Object.keys(value).sort()) sorted[key] = sortKeys(value[key] as Value);
  return sorted;
}
