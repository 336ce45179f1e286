import type { Stats } from "node:fs";

/** Whether a file belongs to the user we act as; everything does where files have no owner. */
export function isOurs({ uid }: Pick<Stats, "uid">): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}
