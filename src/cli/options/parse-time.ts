import { InvalidArgumentError } from "commander";
import { readSeconds } from "../../util/duration-text.ts";

/** A time such as `30s` or `10m`, in milliseconds. */
export function parseTime(text: string): number {
  const seconds = readSeconds(text);
  if (seconds === undefined) throw new InvalidArgumentError("It must be a time, such as 30s or 10m.");
  return seconds * 1000;
}
