const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * A time that a person names, in milliseconds since 1970: how long ago (`2h`, `3d`), `today`, `yesterday`, a day (`2026-11-01`), a time
 * on it (`2026-11-01 14:30`), where the reader is unless it names a zone. Of a day its beginning, or with `isEnd` its end.
 */
export function readMoment(text: string, now: number, isEnd = false): number | undefined {
  const given = text.trim();
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)\s*([smhdw])$/.exec(given) ?? [];
  if (amount !== undefined) return now - Number(amount) * (unitMs[unit] as number);
  if (given === "today" || given === "yesterday") {
    const day = new Date(now);
    return dayOf(day.getFullYear(), day.getMonth(), day.getDate() - (given === "today" ? 0 : 1), isEnd);
  }
  const [, year, month, date, time] = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](.+))?$/.exec(given) ?? [];
  if (year === undefined || !isDate(Number(year), Number(month), Number(date))) return undefined;
  if (time === undefined) return dayOf(Number(year), Number(month) - 1, Number(date), isEnd);
  if (!/^\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/.test(time)) return undefined;
  const at = Date.parse(`${year}-${month}-${date}T${time}`);
  return Number.isNaN(at) ? undefined : at;
}

function isDate(year: number, month: number, date: number): boolean {
  const day = new Date(Date.UTC(year, month - 1, date));
  return day.getUTCMonth() === month - 1 && day.getUTCDate() === date;
}

/** A day may be an hour longer or shorter than others, so its end is where the next one begins. */
function dayOf(year: number, month: number, date: number, isEnd: boolean): number {
  return isEnd ? new Date(year, month, date + 1).getTime() - 1 : new Date(year, month, date).getTime();
}
