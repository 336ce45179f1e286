import { describeValue } from "../expression/format-value.ts";
import type { Value } from "../expression/value.ts";
import { readSeconds } from "../util/duration-text.ts";
import { err, ok, type Result } from "../util/result.ts";
import { longestDuration } from "./duration.ts";

/** All attempts of a block. */
export const mostAttempts = 100;
/** Passes of a block that is repeated. */
export const mostPasses = 1000;

/** A delay in milliseconds; none is a delay too. What is wrong is said as the rest of a sentence that names the key. */
export function parseDelay(value: Value): Result<number, string> {
  const seconds = readSeconds(value);
  if (seconds === undefined || !(seconds >= 0)) {
    return err("a delay is a number of seconds, or a text like 500ms, 30s, 5m or 1h");
  }
  return seconds > longestDuration ? err("a delay can be 30 days at most") : ok(Math.round(seconds * 1000));
}

/** How often something is done, from 1 on. */
export function parseCount(value: Value, most: number): Result<number, string> {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most) return ok(value);
  return err(`it must be a whole number from 1 to ${most}, not ${describeValue(value)}`);
}
