import { err, ok, type Result } from "../util/result.ts";

/**
 * What expressions work on: JSON's values and nothing else. Objects have no prototype, so no name in them can reach the
 * language underneath; they are read by own property only.
 */
export type Value = null | boolean | number | string | readonly Value[] | ValueMap;

export interface ValueMap {
  readonly [key: string]: Value;
}

export type ValueType = "null" | "boolean" | "number" | "string" | "list" | "map";

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isMap(value: Value): value is ValueMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deep equality; the order of the keys of a map counts, because one can see it. */
export function isSameValue(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false;
  if (isList(one) || isList(other)) {
    if (!isList(one) || !isList(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSameValue(item, other[index] as Value));
  }
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every((key, index) => key === others[index] && isSameValue(one[key] as Value, other[key] as Value))
  );
}

export function typeOfValue(value: Value): ValueType {
  if (value === null) return "null";
  if (isList(value)) return "list";
  return typeof value === "object" ? "map" : (typeof value as "boolean" | "number" | "string");
}

const deepestValue = 200;
const mostNodes = 2_000_000;

/** Copies JSON-like data from outside into values without prototypes. The error is a sentence that says where and what. */
export function toValue(data: unknown): Result<Value, string> {
  try {
    return ok(copyValue(data, { path: [], nodes: 0 }));
  } catch (failure) {
    if (failure instanceof ConversionFailure) return err(failure.message);
    throw failure;
  }
}

class ConversionFailure extends Error {}

interface Copying {
  readonly path: (string | number)[];
  nodes: number;
}

function copyValue(data: unknown, copying: Copying): Value {
  if (data === null || typeof data === "string" || typeof data === "boolean") return data;
  if (typeof data === "number") {
    if (Number.isFinite(data)) return data;
    throw refusal(copying, `is ${data}, which is not a number JSON can hold`);
  }
  if (typeof data !== "object") throw refusal(copying, `is ${nameOf(data)}, which is not data`);
  copying.nodes++;
  if (copying.path.length >= deepestValue) throw refusal(copying, `is nested more than ${deepestValue} levels deep`);
  return Array.isArray(data) ? copyList(data, copying) : copyMap(data, copying);
}

function copyList(data: readonly unknown[], copying: Copying): Value {
  const copy: Value[] = [];
  for (let index = 0; index < data.length; index++) {
    copying.path.push(index);
    copy.push(copyItem(data[index], copying));
    copying.path.pop();
  }
  return copy;
}

function copyMap(data: object, copying: Copying): Value {
  const prototype: unknown = Object.getPrototypeOf(data);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw refusal(copying, "is an object of a class, not a plain one");
  }
  const copy: Record<string, Value> = Object.create(null);
  for (const [key, item] of Object.entries(data)) {
    if (item === undefined) continue;
    copying.path.push(key);
    copy[key] = copyItem(item, copying);
    copying.path.pop();
  }
  return copy;
}

function copyItem(item: unknown, copying: Copying): Value {
  if (++copying.nodes > mostNodes) throw new ConversionFailure(`The data holds more than ${mostNodes} values.`);
  return copyValue(item, copying);
}

function nameOf(data: unknown): string {
  return data === undefined ? "undefined" : `a ${typeof data}`;
}

function refusal(copying: Copying, what: string): ConversionFailure {
  const shown = copying.path.slice(0, 8).map((key) => (typeof key === "number" ? `[${key}]` : `.${key.slice(0, 60)}`));
  const place = shown.length === 0 ? "The value" : `The value at ${shown.join("").replace(/^\./, "")}`;
  return new ConversionFailure(`${place}${copying.path.length > 8 ? "..." : ""} ${what}.`);
}
