import { Callable, charactersOf, type Data, isNumber, itemsOf, Namespace, Tuple, toNumber } from "./data.ts";

/** What stands in a value under a key, an index or a name; nothing when there is no such thing. */
export function readItem(of: Data, key: Data): Data | undefined {
  if (of instanceof Map) return key === null || typeof key !== "object" ? of.get(key) : undefined;
  if (of instanceof Namespace) return typeof key === "string" ? of.values.get(key) : undefined;
  if (of instanceof Callable) return typeof key === "string" ? of.attributes.get(key) : undefined;
  if (of instanceof Tuple && typeof key === "string") return of.items[of.names.indexOf(key)];
  const sequence = typeof of === "string" ? charactersOf(of) : itemsOf(of);
  if (sequence === undefined || !isNumber(key)) return undefined;
  const index = toNumber(key);
  return sequence[index < 0 ? sequence.length + index : index];
}

/** `a.b.0` as filters take it: `attribute="author.name"`. */
export function readPath(of: Data, path: Data): Data | undefined {
  const steps = typeof path === "string" ? path.split(".") : [path];
  let value: Data | undefined = of;
  for (const step of steps) {
    const key: Data = typeof step === "string" && /^\d+$/.test(step) ? Number(step) : step;
    if (value === undefined) return undefined;
    value = readItem(value, key);
  }
  return value;
}
