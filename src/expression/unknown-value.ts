import { isList, isMap, type Value, type ValueMap } from "./value.ts";

/**
 * Values that nobody knows before a run: a dry run puts them where a block was not run, and every expression that would need one has
 * no value. They stand among ordinary values, and are known by what they are, not by how they look: no data can pass for one.
 */
const unknowns = new WeakMap<object, (keys: readonly (string | number)[]) => string>();

/** `about` names what is not known, in words that follow "depends on", for the keys that are read below it. */
export function unknownValue(about: (keys: readonly (string | number)[]) => string): ValueMap {
  const value: ValueMap = Object.freeze(Object.create(null) as ValueMap);
  unknowns.set(value, about);
  return value;
}

export function isUnknown(value: Value): boolean {
  return typeof value === "object" && value !== null && unknowns.has(value);
}

/** Thrown where an expression reads a value that is not known: neither a value nor a problem could say so. */
export class UnknownRead extends Error {
  readonly about: string;

  constructor(about: string) {
    super(`It depends on ${about}.`);
    this.about = about;
  }
}

/** Throws `UnknownRead` for a value that is not known, read by keys below it. */
export function refuseUnknown(value: Value, keys: readonly (string | number)[]): void {
  if (typeof value !== "object" || value === null) return;
  const about = unknowns.get(value);
  if (about !== undefined) throw new UnknownRead(about(keys));
}

/** Throws `UnknownRead` for a value of which any part is not known. */
export function demandKnown(value: Value): void {
  const found = findUnknown(value);
  if (found !== undefined) refuseUnknown(found, []);
}

/** What comes of reading, or what it would have needed to know. */
export function whenKnown<T>(read: () => T): T | UnknownRead {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnknownRead) return error;
    throw error;
  }
}

function findUnknown(value: Value): Value | undefined {
  const open: Value[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isUnknown(next)) return next;
    if (isList(next)) for (const item of next) open.push(item);
    else if (isMap(next)) for (const item of Object.values(next)) open.push(item);
  }
  return undefined;
}
