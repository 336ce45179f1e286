import fc from "fast-check";
import { expect, test } from "vitest";
import { calendarIntervals } from "../../src/cli/schedule/launchd.ts";
import { onCalendar } from "../../src/cli/schedule/systemd.ts";
import { type CronExpression, parseCron } from "../../src/util/cron-expression.ts";
import { nextTimes } from "../../src/util/cron-times.ts";
import { describeCron } from "../../src/util/describe-cron.ts";
import { unwrap } from "../rig/unwrap.ts";

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const weekdays = "sun mon tue wed thu fri sat".split(" ");

/** A field as text, and told independently what it means. */
interface AnyField {
  readonly text: string;
  readonly values: readonly number[];
}

function range(from: number, to: number, step = 1): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

function anyItem(field: number): fc.Arbitrary<AnyField> {
  const [first, last] = bounds[field] as readonly [number, number];
  const number = fc.integer({ min: first, max: last });
  const name = (value: number, isNamed: boolean): string => {
    if (isNamed && field === 3) return months[value - 1] ?? "";
    return isNamed && field === 4 && value < 7 ? (weekdays[value] ?? "") : String(value);
  };
  const single = fc
    .tuple(number, fc.boolean())
    .map(([value, named]) => ({ text: name(value, named), values: [value] }));
  const span = fc
    .tuple(number, number, fc.integer({ min: 1, max: 15 }), fc.boolean())
    .map(([one, other, step, named]) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const suffix = step === 1 ? "" : `/${step}`;
      return { text: `${name(from, named)}-${name(to, named)}${suffix}`, values: range(from, to, step) };
    });
  const starred = fc.integer({ min: 1, max: 15 }).map((step) => ({
    text: step === 1 ? "*" : `*/${step}`,
    values: range(first, field === 4 ? 6 : last, step),
  }));
  return fc.oneof(single, span, starred);
}

function anyField(field: number): fc.Arbitrary<AnyField> {
  const star = { text: "*", values: range(...(bounds[field] as readonly [number, number])) };
  const items = fc.array(anyItem(field), { minLength: 1, maxLength: 3 }).map((all) => ({
    text: all.map(({ text }) => text).join(","),
    values: all.flatMap(({ values }) => values),
  }));
  return fc.oneof(fc.constant(star), items);
}

/** Whether cron would run it in a minute, told again from the fields. */
function dueIn(fields: readonly AnyField[]): (at: Date) => boolean {
  const [minute, hour, date, month, weekday] = fields.map(({ values }) => new Set(values)) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  const isStarred = [fields[2], fields[4]].some((field) => field?.text.startsWith("*"));
  return (at) => {
    if (!minute.has(at.getMinutes()) || !hour.has(at.getHours()) || !month.has(at.getMonth() + 1)) return false;
    const onDate = date.has(at.getDate());
    const onWeekday = weekday.has(at.getDay()) || (at.getDay() === 0 && weekday.has(7));
    return isStarred ? onDate && onWeekday : onDate || onWeekday;
  };
}

const anyExpression = fc.tuple(anyField(0), anyField(1), anyField(2), anyField(3), anyField(4));
const anyMinute = fc.integer({ min: 0, max: 4 * 365 * 24 * 60 }).map((minutes) => new Date(2026, 0, 1, 0, minutes));

function parsed(fields: readonly AnyField[]): CronExpression {
  return unwrap(parseCron(fields.map(({ text }) => text).join(" ")));
}

test("the next times are those that going through every minute finds", () => {
  fc.assert(
    fc.property(anyExpression, anyMinute, (fields, after) => {
      const isDue = dueIn(fields);
      const due: number[] = [];
      for (let minute = 1; minute <= 20 * 24 * 60 && due.length < 3; minute++) {
        const at = new Date(after.getTime() + minute * 60_000);
        if (isDue(at)) due.push(at.getTime());
      }
      const found = nextTimes(parsed(fields), after, 3).map((time) => time.getTime());
      expect(found.slice(0, due.length)).toEqual(due);
    }),
    { seed: 11, numRuns: 80 },
  );
});

/** Whether an expression of systemd, in the form in which we write it, means this minute. */
function fitsCalendar(expression: string, at: Date): boolean {
  const [, names, month, date, hour, minute] =
    /^(?:([A-Z][A-Za-z,]+) )?\*-([*\d,]+)-([*\d,]+) ([*\d,]+):([*\d,]+):00$/.exec(expression) ?? [];
  if (month === undefined) throw new Error(`It is not understood: ${expression}`);
  const fits = (list: string | undefined, value: number): boolean =>
    list === "*" || (list ?? "").split(",").map(Number).includes(value);
  const weekday = weekdays[at.getDay()] ?? "";
  const isDay = names === undefined || names.toLowerCase().split(",").includes(weekday);
  const isDate = fits(month, at.getMonth() + 1) && fits(date, at.getDate());
  return isDay && isDate && fits(hour, at.getHours()) && fits(minute, at.getMinutes());
}

test("to systemd the same minutes are said", () => {
  fc.assert(
    fc.property(anyExpression, fc.array(anyMinute, { minLength: 20, maxLength: 20 }), (fields, minutes) => {
      const [cron, isDue] = [parsed(fields), dueIn(fields)];
      const expressions = onCalendar(cron);
      for (const at of [...minutes, ...nextTimes(cron, new Date(2026, 0, 1), 5)]) {
        expect(expressions.some((one) => fitsCalendar(one, at))).toBe(isDue(at));
      }
    }),
    { seed: 12, numRuns: 300 },
  );
});

test("to launchd the same minutes are said, or that they can't be", () => {
  let expressed = 0;
  fc.assert(
    fc.property(anyExpression, fc.array(anyMinute, { minLength: 20, maxLength: 20 }), (fields, minutes) => {
      const [cron, isDue] = [parsed(fields), dueIn(fields)];
      const intervals = calendarIntervals(cron);
      if (!intervals.ok) return;
      expressed++;
      for (const at of [...minutes, ...nextTimes(cron, new Date(2026, 0, 1), 5)]) {
        const now = {
          Minute: at.getMinutes(),
          Hour: at.getHours(),
          Day: at.getDate(),
          Month: at.getMonth() + 1,
          Weekday: at.getDay(),
        };
        const fits = intervals.value.some((one) =>
          Object.entries(one).every(([key, value]) => now[key as keyof typeof now] === value),
        );
        expect(fits).toBe(isDue(at));
      }
    }),
    { seed: 13, numRuns: 300 },
  );
  expect(expressed).toBeGreaterThan(50);
});

test.each([
  ["@daily", "0 0 * * *"],
  ["@HOURLY", "0 * * * *"],
  [" 0  3 * JAN-mar Fri-sun ", "0 3 * 1-3 5-7"],
  ["0 3 * * 7", "0 3 * * 7"],
])("'%s' is '%s'", (text, fields) => {
  expect(unwrap(parseCron(text)).text).toBe(fields);
});

test.each([
  ["", "It has 0 of five fields"],
  ["0 3 * *", "It has 4 of five fields"],
  ["0 0 3 * * *", "cron knows no seconds"],
  ["60 3 * * *", "The minute can't be '60': it is a number from 0 to 59."],
  ["0 24 * * *", "The hour can't be '24'"],
  ["0 3 0 * *", "The day of the month can't be '0'"],
  ["0 3 * foo *", "or jan, feb"],
  ["0 3 * * mon-foo", "or sun, mon"],
  ["0 22-2 * * *", "a range goes up: write 22-23,0-2."],
  ["5/10 * * * *", "a step needs a range: 5-59/10."],
  ["*/0 * * * *", "a step is 1 or more"],
  ["0 3 L * *", "The day of the month can't be 'l'"],
  ["0 3 ? * 1#2", "write a number, a list"],
  ["@reboot", "There is no '@reboot'"],
])("'%s' is refused: %s", (text, message) => {
  const refused = parseCron(text);
  expect(refused.ok ? "" : refused.error).toContain(message);
});

test.each([
  ["* * * * *", "every minute"],
  ["*/15 * * * *", "every 15 minutes"],
  ["0 * * * *", "every hour"],
  ["5,35 * * * *", "every hour, at minute 5 and 35"],
  ["0 3 * * *", "at 03:00 every day"],
  ["30 9,17 * * 1-5", "at 09:30 and 17:30 on Monday to Friday"],
  ["0 */2 * * *", "every 2 hours every day"],
  ["*/10 9-17 * * mon,wed", "every 10 minutes in the hours 9 to 17 on Monday and Wednesday"],
  ["0 0 1,15 * *", "at 00:00 on day 1 and 15 of the month"],
  ["0 4 13 * 5", "at 04:00 on day 13 of the month, and on Friday"],
  ["0 4 */2 * 1", "if that is Monday"],
  ["0 0 1 1 *", "at 00:00 on day 1 of the month in January"],
  ["0 0 1-31 * 1", "at 00:00 every day"],
])("'%s' runs %s", (text, words) => {
  expect(describeCron(unwrap(parseCron(text)))).toContain(words);
});

test("a date that there is not has no next time, and one that is rare is found", () => {
  expect(nextTimes(unwrap(parseCron("0 3 30 2 *")), new Date(2026, 0, 1), 1)).toEqual([]);
  expect(nextTimes(unwrap(parseCron("0 3 29 2 *")), new Date(2096, 1, 29, 4), 1)).toEqual([new Date(2104, 1, 29, 3)]);
});
