import type { CronExpression } from "./cron-expression.ts";
import { offsetIn } from "./time-zone.ts";

/** After so many days dates and weekdays come round again. */
const mostDays = 400 * 366;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * The next times after one, by the clocks of a time zone (UTC, Europe/Berlin) or of this machine; fewer, or none, where there are no
 * more. Where clocks are changed they are those at which cron would start it. A certain time of day comes once: when it does not exist,
 * because clocks are put forward, then right after that, and when it exists twice, the first time. What has a star as its minute or hour
 * follows the clock: it leaves out what does not exist, and comes again in an hour that does.
 */
export function nextTimes(expression: CronExpression, after: Date, count: number, zone?: string): Date[] {
  const offset = offsetIn(zone);
  const times: number[] = [];
  const today = Math.floor((after.getTime() + offset(after.getTime())) / dayMs) * dayMs;
  // From the day before, of which a time may have been put off to after midnight.
  for (let day = -1; day < mostDays && times.length < count; day++) {
    const midnight = today + day * dayMs;
    if (!isOnDay(expression, new Date(midnight))) continue;
    for (const time of timesOnDay(expression, midnight, offset)) {
      if (time > after.getTime() && time > (times.at(-1) ?? 0) && times.length < count) times.push(time);
    }
  }
  return times.map((time) => new Date(time));
}

/** Dates are those of UTC, standing for the local ones. */
function isOnDay({ days, months, weekdays, daysMeet }: CronExpression, day: Date): boolean {
  if (!months.values.includes(day.getUTCMonth() + 1)) return false;
  const isDate = days.values.includes(day.getUTCDate());
  const isWeekday = weekdays.values.includes(day.getUTCDay());
  return daysMeet === "both" ? isDate && isWeekday : isDate || isWeekday;
}

/** In order. `midnight` is the local one, as if it were that of UTC. */
function timesOnDay(expression: CronExpression, midnight: number, offset: (time: number) => number): number[] {
  const { minutes, hours } = expression;
  const local = hours.values.flatMap((hour) =>
    minutes.values.map((minute) => midnight + (hour * 60 + minute) * 60_000),
  );
  // Clocks are at most a day apart from UTC.
  const [begin, end] = [midnight - dayMs, midnight + 2 * dayMs];
  const [before, afterwards] = [offset(begin), offset(end)];
  if (before === afterwards) return local.map((time) => time - before);
  const followsClock = expression.text.split(" ", 2).some((field) => field.startsWith("*"));
  const times = local.flatMap((time) => {
    const all = [time - before, time - afterwards].filter((moment) => moment + offset(moment) === time);
    if (followsClock) return all;
    return [all.length === 0 ? changeBetween(begin, end, offset) : Math.min(...all)];
  });
  return times.sort((one, other) => one - other);
}

/** The moment at which clocks are changed. */
function changeBetween(begin: number, end: number, offset: (time: number) => number): number {
  let [low, high] = [begin, end];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle) === offset(begin)) low = middle;
    else high = middle;
  }
  return high;
}
