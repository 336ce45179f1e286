const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

export const daySeconds: number = 24 * 3600;

/** Seconds in a number of them (or of milliseconds, if that is its unit), or in a text: `500ms`, `30s`, `5m`, `1h`. */
export function readSeconds(value: unknown, unit: "s" | "ms" = "s"): number | undefined {
  if (typeof value === "number") return value * (unitSeconds[unit] as number);
  if (typeof value !== "string") return undefined;
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)?\s*$/.exec(value);
  return match === null ? undefined : Number(match[1]) * (unitSeconds[match[2] ?? unit] as number);
}

const otherUnits: readonly (readonly [name: RegExp, seconds: number])[] = [
  [/^(?:ms|msecs?|millis|milliseconds?)$/, 0.001],
  [/^(?:s|secs?|seconds?)$/, 1],
  [/^(?:m|mins?|minutes?)$/, 60],
  [/^(?:h|hrs?|hours?)$/, 3600],
  [/^(?:d|days?)$/, daySeconds],
];

/** What to write for a duration in words that are not ours, such as `5 minutes`, `1d` or `1h30m`. */
export function suggestDuration(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string" || !/^\s*(?:\d+(?:\.\d+)?\s*[a-z]+\s*){1,5}$/i.test(value)) return undefined;
  let seconds = 0;
  for (const [, amount, name] of value.toLowerCase().matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    const unit = otherUnits.find(([pattern]) => pattern.test(name as string));
    if (unit === undefined) return undefined;
    seconds += Number(amount) * unit[1];
  }
  if (!(seconds > 0) || seconds > longest) return undefined;
  const fitting = ["h", "m", "s"].find((unit) => Number.isInteger(seconds / (unitSeconds[unit] as number)));
  if (fitting === undefined) return `${Math.round(seconds * 1000)}ms`;
  return `${seconds / (unitSeconds[fitting] as number)}${fitting}`;
}
