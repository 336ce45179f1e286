import { isMap, type Value, type ValueMap } from "../../expression/value.ts";

/** Maps are merged key by key, at every depth; anything else, lists too, is replaced. Every key is data. */
export function mergeValues(old: ValueMap, updates: ValueMap): ValueMap {
  const merged: Record<string, Value> = Object.assign(Object.create(null), old);
  for (const [key, update] of Object.entries(updates)) {
    const before = merged[key];
    merged[key] = before !== undefined && isMap(before) && isMap(update) ? mergeValues(before, update) : update;
  }
  return merged;
}
