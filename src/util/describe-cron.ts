import { type CronExpression, type CronField, monthNames, weekdayNames } from "./cron-expression.ts";

/** When it runs, in plain words: `at 03:00 every day`, `every 15 minutes on Monday to Friday`. */
export function describeCron(expression: CronExpression): string {
  const { days, weekdays, months } = expression;
  const [time, isOften] = describeTime(expression);
  const day = describeDays(expression);
  const month = months.isAny ? "" : ` in ${list(months.values, (value) => monthNames[value - 1] ?? "")}`;
  const isEveryDay = days.isAny && weekdays.isAny;
  return isEveryDay && isOften ? `${time}${month}` : `${time} ${day}${month}`;
}

/** More times of day than these are told by their minutes and hours. */
const mostTimes = 6;

/** With whether it is often enough that nobody asks on which day. */
function describeTime({ minutes, hours }: CronExpression): [text: string, isOften: boolean] {
  const often = describeMinutes(minutes);
  if (hours.isAny) {
    if (often !== undefined) return [often, true];
    const [only] = minutes.values;
    if (minutes.values.length === 1 && only === 0) return ["every hour", true];
    return [`every hour, at minute ${list(minutes.values, String)}`, true];
  }
  if (minutes.values.length * hours.values.length <= mostTimes) {
    const times = hours.values.flatMap((hour) => minutes.values.map((minute) => clock(hour, minute)));
    return [`at ${join(times)}`, false];
  }
  const step = stepOf(hours, 24);
  const within = step === undefined ? `in the hours ${list(hours.values, String)}` : `of every ${ordinal(step)} hour`;
  const at = often ?? `at minute ${list(minutes.values, String)}`;
  return [
    minutes.values.length === 1 && minutes.values[0] === 0 && step ? `every ${step} hours` : `${at} ${within}`,
    false,
  ];
}

function describeMinutes(minutes: CronField): string | undefined {
  if (minutes.isAny) return "every minute";
  const step = stepOf(minutes, 60);
  return step === undefined ? undefined : `every ${step} minutes`;
}

/** The distance of values that go evenly round a clock, beginning at its start. */
function stepOf({ values }: CronField, size: number): number | undefined {
  const step = values[1] ?? size;
  const isEven = size % step === 0 && values.length === size / step && values.every((value, i) => value === i * step);
  return isEven && values.length > 1 ? step : undefined;
}

function describeDays({ days, weekdays, daysMeet }: CronExpression): string {
  const dates = `day ${list(days.values, String)} of the month`;
  const names = list(weekdays.values, (value) => weekdayNames[value] ?? "");
  if (days.isAny && weekdays.isAny) return "every day";
  if (daysMeet === "either" && (days.isAny || weekdays.isAny)) return "every day";
  if (days.isAny) return `on ${names}`;
  if (weekdays.isAny) return `on ${dates}`;
  return daysMeet === "either" ? `on ${dates}, and on ${names}` : `on ${dates} if that is ${names}`;
}

/** `1, 3 and 5`; what follows each other, as a range: `1 to 5`. */
function list(values: readonly number[], name: (value: number) => string): string {
  const ranges: [from: number, to: number][] = [];
  for (const value of values) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === value - 1) last[1] = value;
    else ranges.push([value, value]);
  }
  return join(
    ranges.flatMap(([from, to]) => {
      if (to - from >= 2) return [`${name(from)} to ${name(to)}`];
      return from === to ? [name(from)] : [name(from), name(to)];
    }),
  );
}

function join(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

function clock(hour: number, minute: number): string {
  return [hour, minute].map((number) => String(number).padStart(2, "0")).join(":");
}

function ordinal(number: number): string {
  return { 2: "second", 3: "third" }[number] ?? `${number}th`;
}
