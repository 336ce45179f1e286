import type { Value } from "../expression/value.ts";
import { daySeconds, readSeconds } from "../util/duration-text.ts";
import { err, ok, type Result } from "../util/result.ts";

/** Of time limits and delays, in seconds. */
export const longestDuration: number = 30 * daySeconds;

/** A timeout in seconds: a number of them (or of milliseconds, if that is its unit), or `500ms`, `30s`, `5m`, `1h`. */
export function parseDuration(value: Value, unit: "s" | "ms" = "s"): Result<number, string> {
  const seconds = readSeconds(value, unit);
  if (seconds === undefined || !(seconds > 0)) {
    const counted = unit === "s" ? "seconds" : "milliseconds";
    return err(`a timeout is a number of ${counted} above 0, or a text like 500ms, 30s, 5m or 1h`);
  }
  return seconds > longestDuration ? err("a timeout can be 30 days at most") : ok(seconds);
}

/** `1.5s`, `2m 5s`: for people. */
export function formatSeconds(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  if (seconds < 60) return `${Number(seconds.toFixed(1))}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${Math.round(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
