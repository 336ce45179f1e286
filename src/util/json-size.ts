/** How many characters a value has as compact JSON; beyond `enough` only that there are more. */
export type SizeOf = (value: unknown, enough?: number) => number;

/**
 * Counting stops where it is enough, so that asking whether something huge fits costs no more than what would fit. What has been
 * counted is remembered: the values may not change between two questions.
 */
export function createSizer(): SizeOf {
  /** `isExact` unless counting has stopped. */
  const known = new WeakMap<object, { readonly size: number; readonly isExact: boolean }>();

  function sizeOf(value: unknown, enough: number = Number.POSITIVE_INFINITY): number {
    if (typeof value === "string")
      return value.length + 2 > enough ? value.length + 2 : (JSON.stringify(value) as string).length;
    if (typeof value !== "object" || value === null) return JSON.stringify(value)?.length ?? 0;
    const counted = known.get(value);
    if (counted !== undefined && (counted.isExact || counted.size > enough)) return counted.size;
    const size = Array.isArray(value) ? listSize(value, enough) : mapSize(value, enough);
    known.set(value, { size, isExact: size <= enough });
    return size;
  }

  function listSize(list: readonly unknown[], enough: number): number {
    let size = Math.max(2, list.length + 1);
    for (const item of list) {
      if (size > enough) return size;
      size += item === undefined ? "null".length : sizeOf(item, enough - size);
    }
    return size;
  }

  function mapSize(map: object, enough: number): number {
    let size = 1;
    for (const key of Object.keys(map)) {
      if (size > enough) return size;
      const value = (map as Record<string, unknown>)[key];
      if (value !== undefined) size += keySize(key) + sizeOf(value, enough - size);
    }
    return Math.max(2, size);
  }

  return sizeOf;
}

export function jsonSize(value: unknown, enough?: number): number {
  return createSizer()(value, enough);
}

/** Of a key with its colon and one comma. */
export function keySize(key: string): number {
  return (JSON.stringify(key) as string).length + 2;
}
