import type { Value } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";

const unitSeconds: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600 };
const longest = 30 * 24 * 3600;

/** A timeout in seconds: a number of them (or of milliseconds, if that is its unit), or `500ms`, `30s`, `5m`, `1h`. */
export function parseDuration(value: Value, unit: "s" | "ms" = "s"): Result<number, string> {
  const seconds = secondsOf(value, unit);
  if (seconds === undefined || !(seconds > 0)) {
    const counted = unit === "s" ? "seconds" : "milliseconds";
    return err(`a timeout is a number of ${counted} above 0, or a text like 500ms, 30s, 5m or 1h`);
  }
  return seconds > longest ? err("a timeout can be 30 days at most") : ok(seconds);
}

function secondsOf(value: Value, unit: "s" | "ms"): number | undefined {
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
  [/^(?:d|days?)$/, 24 * 3600],
];

/** What to write for a duration in words that are not ours, such as `5 minutes`, `1d` or `1h30m`. */
export function suggestDuration(value: Value): string | undefined {
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

/** `1.5s`, `2m 5s`: for people. */
export function formatSeconds(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  if (seconds < 60) return `${Number(seconds.toFixed(1))}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${Math.round(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
