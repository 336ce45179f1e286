import { suggestName } from "../diagnostic/did-you-mean.ts";
import { type Lookup, type MissingValue, refusedNames } from "./ast.ts";
import { describeValue, quoteText } from "./format-value.ts";
import { refuseUnknown } from "./unknown-value.ts";
import { isList, isMap, type Value, type ValueMap } from "./value.ts";

export type Key = string | number;

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A path as it is written in an expression: `blocks.build.outputs['my-file'][0]`. */
export function writePath(start: string, keys: readonly Key[]): string {
  let path = start;
  for (const key of keys) {
    if (typeof key === "number") path += `[${key}]`;
    else path += plainName.test(key) ? `.${cut(key)}` : `[${quoteText(key)}]`;
  }
  return path;
}

function cut(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}...` : name;
}

/**
 * Follows keys down into plain data: own properties only, refused names never. `path` is how the value itself is written in
 * expressions (`inputs`, `blocks.build.outputs`); messages start with it. Throws `UnknownRead` below a value that is not known.
 */
export function readSteps(value: Value, keys: readonly Key[], path = "value"): Lookup {
  let current = value;
  for (const [index, key] of keys.entries()) {
    const next = readStep(current, key);
    if (next === undefined) {
      refuseUnknown(current, keys.slice(index));
      return missing(current, key, () => writePath(path, keys.slice(0, index)));
    }
    current = next;
  }
  return { found: true, value: current };
}

/** The message is made when it is read: most missing values are only asked for by default(). */
function missing(value: Value, key: Key, path: () => string): MissingValue {
  return {
    found: false,
    get message(): string {
      return missingMessage(value, key, path());
    },
  };
}

function readStep(value: Value, key: Key): Value | undefined {
  if (isList(value)) return typeof key === "number" && Number.isInteger(key) && key >= 0 ? value[key] : undefined;
  if (!isMap(value)) return undefined;
  // A loop's elements are keyed by each.key, which for a list is a number.
  const name = String(key);
  return refusedNames.has(name) || !Object.hasOwn(value, name) ? undefined : value[name];
}

function missingMessage(value: Value, key: Key, path: string): string {
  if (refusedNames.has(String(key))) return refusedMessage(String(key));
  const wanted = writePath(path, [key]);
  if (isMap(value)) {
    const isEmpty = Object.keys(value).length === 0;
    return `${wanted} does not exist${isEmpty ? `: ${path} is empty.` : `. ${suggestKey(String(key), value)}`}`;
  }
  if (!isList(value))
    return `${wanted} does not exist: ${path} is ${describeValue(value)}, and there is nothing inside it.`;
  if (typeof key === "string") return `${wanted} does not exist: ${path} is a list, use an index such as ${path}[0].`;
  if (value.length === 0) return `${wanted} does not exist: ${path} is an empty list.`;
  const hint = key < 0 ? " For the last item write last(...)." : "";
  const items = value.length === 1 ? "one item, [0]" : `${value.length} items, [0] to [${value.length - 1}]`;
  return `${wanted} does not exist: ${path} has ${items}.${hint}`;
}

export function refusedMessage(name: string): string {
  return `'${name}' can never be read: names of the engine's and the language's own insides are refused everywhere.`;
}

const mostCompared = 500;

function suggestKey(key: string, map: ValueMap): string {
  const keys: string[] = [];
  for (const name of Object.keys(map)) {
    if (name.length <= 60 && !refusedNames.has(name)) keys.push(name);
    if (keys.length === mostCompared) break;
  }
  return suggestName(key, keys, "key");
}
