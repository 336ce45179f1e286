/** About how many bytes a value takes as JSON. Escapes are not counted, so that a long text costs no look at its characters. */
export function roughSize(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) size += roughSize(item) + 1;
    return size;
  }
  for (const key in value) size += key.length + 4 + roughSize((value as Record<string, unknown>)[key]);
  return size;
}
