import { InvalidArgumentError } from "commander";
import { readMoment } from "../../util/moment.ts";

/** The value of an option that names a time; read when it is known what time it is. */
export function parseMoment(text: string): string {
  if (readMoment(text, 0) !== undefined) return text;
  throw new InvalidArgumentError("Write it like 2h, 3d, today, 2026-11-01 or '2026-11-01 14:30'.");
}
