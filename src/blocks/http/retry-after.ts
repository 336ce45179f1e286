import type { HttpResponse } from "../../block/ports.ts";

const longest = 24 * 3600 * 1000;

/** Milliseconds after which the server asks to be called again: `Retry-After` in seconds or as a date. A day at most. */
export function readRetryAfter({ "retry-after": written }: HttpResponse["headers"], now: Date): number | undefined {
  if (typeof written !== "string") return undefined;
  const text = written.trim();
  const asked = /^\d+$/.test(text) ? Number(text) * 1000 : readDate(text) - now.getTime();
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(asked, 0), longest);
}

/** Dates in HTTP begin with the day of the week; other date formats are not accepted. */
function readDate(text: string): number {
  return /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)
    ? Date.parse(text.endsWith("GMT") ? text : `${text} GMT`)
    : Number.NaN;
}
