import { isList, isMap, type Value } from "../../expression/value.ts";

/** JSON as it stands in files: two blanks a level, keys in order, so that the same data is always the same bytes. */
export function formatJson(value: Value): string {
  return `${format(value, "\n")}\n`;
}

/** By hand, because objects have an order of their own for keys that look like numbers. */
function format(value: Value, lineBreak: string): string {
  const inner = `${lineBreak}  `;
  if (isList(value)) {
    if (value.length === 0) return "[]";
    return `[${value.map((item) => inner + format(item, inner)).join(",")}${lineBreak}]`;
  }
  if (!isMap(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  if (keys.length === 0) return "{}";
  const entries = keys.map((key) => `${inner}${JSON.stringify(key)}: ${format(value[key] ?? null, inner)}`);
  return `{${entries.join(",")}${lineBreak}}`;
}
