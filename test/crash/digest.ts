import { createHash } from "node:crypto";

/** Equal for data with equal content, whatever the order of its keys. */
export function digestOf(data: unknown): string {
  return createHash("sha256").update(JSON.stringify(data, inOrder)).digest("hex").slice(0, 12);
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
