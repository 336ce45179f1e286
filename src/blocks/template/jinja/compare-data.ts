import {
  type Data,
  type Dict,
  describeKind,
  fail,
  isNumber,
  itemsOf,
  Namespace,
  Tuple,
  toNumber,
  Undefined,
  useDefined,
} from "./data.ts";
import { compareKeys } from "./write-data.ts";

const deepestCompared = 200;

/** What counts as true. */
export function isTrue(value: Data): boolean {
  if (value instanceof Undefined) return false;
  if (value === null || typeof value === "boolean" || typeof value === "string") return Boolean(value);
  if (isNumber(value)) return toNumber(value) !== 0;
  const items = itemsOf(value);
  if (items !== undefined) return items.length > 0;
  return value instanceof Map ? value.size > 0 : true;
}

export function areEqual(one: Data, other: Data, depth = 0): boolean {
  if (one === other) return true;
  if (isNumber(one) && isNumber(other)) return toNumber(one) === toNumber(other);
  if (depth > deepestCompared) return fail("values are nested too deeply to be compared");
  if (one instanceof Undefined && other instanceof Undefined) return true;
  if (one instanceof Tuple !== other instanceof Tuple || one instanceof Namespace) return false;
  const [left, right] = [itemsOf(one), itemsOf(other)];
  if (left !== undefined && right !== undefined) {
    return left.length === right.length && left.every((item, index) => areEqual(item, right[index] as Data, depth + 1));
  }
  return one instanceof Map && other instanceof Map && areSameMaps(one, other, depth);
}

function areSameMaps(one: Dict, other: Dict, depth: number): boolean {
  if (one.size !== other.size) return false;
  for (const [key, item] of one) {
    const match = other.get(key);
    if (match === undefined || !areEqual(item, match, depth + 1)) return false;
  }
  return true;
}

/** Below zero when the first comes first. */
export function compareData(one: Data, other: Data, depth = 0): number {
  if (isNumber(one) && isNumber(other)) return toNumber(one) - toNumber(other);
  if (typeof one === "string" && typeof other === "string") return compareKeys(one, other);
  const [left, right] = [itemsOf(one), itemsOf(other)];
  if (left === undefined || right === undefined || depth > deepestCompared) {
    return fail(`${describeKind(useDefined(one))} and ${describeKind(useDefined(other))} can't be ordered`);
  }
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [first, second] = [left[index] as Data, right[index] as Data];
    if (!areEqual(first, second)) return compareData(first, second, depth + 1);
  }
  return left.length - right.length;
}

export function contains(container: Data, wanted: Data): boolean {
  const items = itemsOf(container);
  if (items !== undefined) return items.some((item) => areEqual(item, wanted));
  if (typeof container === "string") {
    if (typeof wanted === "string") return container.includes(wanted);
    return fail(`${describeKind(useDefined(wanted))} can't be in a text`);
  }
  if (container instanceof Map) return wanted === null || typeof wanted !== "object" ? container.has(wanted) : false;
  return fail(`nothing can be in ${describeKind(useDefined(container))}`);
}
