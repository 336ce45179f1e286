import { isList, isMap, type Value } from "../../expression/value.ts";

/** What lies at a path in data of which nobody knows whether it is as it should be. */
export function readField(data: Value, ...path: readonly (string | number)[]): Value | undefined {
  let found: Value | undefined = data;
  for (const key of path) {
    if (found === undefined) return undefined;
    if (typeof key === "number") found = isList(found) ? found[key] : undefined;
    else found = isMap(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

export function readText(data: Value, ...path: readonly (string | number)[]): string | undefined {
  const found = readField(data, ...path);
  return typeof found === "string" ? found : undefined;
}

export function readCount(data: Value, ...path: readonly (string | number)[]): number | undefined {
  const found = readField(data, ...path);
  return typeof found === "number" && Number.isInteger(found) && found >= 0 ? found : undefined;
}
