/**
 * About how many bytes a value takes as JSON; beyond `enough` only that there are more. Escapes are not counted, so that a long
 * text costs no look at its characters; `jsonSize` counts exactly, where a reply has to fit.
 */
export function roughSize(value: unknown, enough: number = Number.POSITIVE_INFINITY): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      size += roughSize(item, enough - size) + 1;
      if (size > enough) return size;
    }
    return size;
  }
  for (const key in value) {
    size += key.length + 4;
    size += roughSize((value as Record<string, unknown>)[key], enough - size);
    if (size > enough) return size;
  }
  return size;
}
