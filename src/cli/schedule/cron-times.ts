import type { CronExpression } from "./cron-expression.ts";

/** After so many days dates and weekdays come round again. */
const mostDays = 400 * 366;

/**
 * The next times after one, where the reader is; fewer, or none, where there are no more. A time that does not exist on a day, because
 * the clock is put forward, is left out; one that comes twice is told once.
 */
export function nextTimes(expression: CronExpression, after: Date, count: number): Date[] {
  const { minutes, hours } = expression;
  const times: Date[] = [];
  const [year, month, date] = [after.getFullYear(), after.getMonth(), after.getDate()];
  for (let days = 0; days < mostDays && times.length < count; days++) {
    // By its noon, because a day may begin at one.
    const day = new Date(year, month, date + days, 12);
    if (!isOnDay(expression, day)) continue;
    for (const hour of hours.values) {
      for (const minute of minutes.values) {
        const time = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute);
        const exists = time.getHours() === hour && time.getMinutes() === minute;
        if (exists && time > after && times.length < count) times.push(time);
      }
    }
  }
  return times;
}

function isOnDay({ days, months, weekdays, daysMeet }: CronExpression, day: Date): boolean {
  if (!months.values.includes(day.getMonth() + 1)) return false;
  const isDate = days.values.includes(day.getDate());
  const isWeekday = weekdays.values.includes(day.getDay());
  return daysMeet === "both" ? isDate && isWeekday : isDate || isWeekday;
}
