import { err, ok, type Result } from "./result.ts";

/** When something runs, as cron is told: which minutes, hours, days of the month, months and days of the week. */
export interface CronExpression {
  /** Its five fields, with numbers in the place of names, as every cron takes them. */
  readonly text: string;
  readonly minutes: CronField;
  readonly hours: CronField;
  readonly days: CronField;
  readonly months: CronField;
  /** 0 is Sunday. */
  readonly weekdays: CronField;
  /**
   * What cron makes of two limits on days: a day has to meet both when one of them begins with a star, else one of them will do. Where
   * only one of them limits anything it makes no difference.
   */
  readonly daysMeet: "both" | "either";
}

export interface CronField {
  /** In order, without repetition. */
  readonly values: readonly number[];
  /** Everything that it could be. */
  readonly isAny: boolean;
}

interface FieldKind {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly names?: readonly string[];
}

export const monthNames: readonly string[] = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
export const weekdayNames: readonly string[] = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
];

const short = (names: readonly string[]): string[] => names.map((name) => name.slice(0, 3).toLowerCase());

const kinds: readonly [FieldKind, FieldKind, FieldKind, FieldKind, FieldKind] = [
  { name: "minute", first: 0, last: 59 },
  { name: "hour", first: 0, last: 23 },
  { name: "day of the month", first: 1, last: 31 },
  { name: "month", first: 1, last: 12, names: ["", ...short(monthNames)] },
  // Sunday is 0 and 7.
  { name: "day of the week", first: 0, last: 7, names: short(weekdayNames) },
];

const nicknames: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

const form = "minute hour day month weekday, such as '0 3 * * *' for 03:00 every day";

/** The error says what is wrong with it, as a sentence. */
export function parseCron(text: string): Result<CronExpression, string> {
  const given = text.trim().toLowerCase();
  if (given.startsWith("@")) {
    const fields = nicknames[given];
    if (fields !== undefined) return parseCron(fields);
    return err(`There is no '${text.trim()}': there are ${Object.keys(nicknames).join(", ")}.`);
  }
  const parts = given.split(/\s+/).filter((part) => part !== "");
  if (parts.length === 6) return err(`It has six fields; cron knows no seconds. The five are: ${form}.`);
  if (parts.length !== 5) return err(`It has ${parts.length} of five fields: ${form}.`);
  const fields: { readonly field: CronField; readonly text: string }[] = [];
  for (const [index, part] of parts.entries()) {
    const parsed = parseField(part, kinds[index] as FieldKind);
    if (!parsed.ok) return parsed;
    fields.push(parsed.value);
  }
  const [minutes, hours, days, months, weekdays] = fields.map(({ field }) => field) as [
    CronField,
    CronField,
    CronField,
    CronField,
    CronField,
  ];
  const beginsWithStar = [parts[2], parts[4]].some((part) => part?.startsWith("*"));
  const expression: CronExpression = {
    text: fields.map((field) => field.text).join(" "),
    minutes,
    hours,
    days,
    months,
    weekdays: sundayOnce(weekdays),
    daysMeet: beginsWithStar ? "both" : "either",
  };
  return ok(expression);
}

function sundayOnce({ values }: CronField): CronField {
  const days = [...new Set(values.map((day) => day % 7))].sort((a, b) => a - b);
  return { values: days, isAny: days.length === 7 };
}

function parseField(
  part: string,
  kind: FieldKind,
): Result<{ readonly field: CronField; readonly text: string }, string> {
  const values = new Set<number>();
  const texts: string[] = [];
  for (const item of part.split(",")) {
    const parsed = parseItem(item, kind);
    if (!parsed.ok) return err(`The ${kind.name} can't be '${item}': ${parsed.error}`);
    const { from, to, step } = parsed.value;
    for (let value = from; value <= to; value += step) values.add(value);
    texts.push(parsed.value.text);
  }
  const sorted = [...values].sort((a, b) => a - b);
  const size = kind.last - kind.first + 1;
  return ok({ field: { values: sorted, isAny: sorted.length === size }, text: texts.join(",") });
}

interface Item {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly text: string;
}

function parseItem(item: string, kind: FieldKind): Result<Item, string> {
  const [, range = "", begin = "", end, stepText] = /^(\*|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d+))?$/.exec(item) ?? [];
  if (range === "") return err(`write a number, a list (1,15), a range (1-5), * or a step (*/10).`);
  const step = stepText === undefined ? 1 : Number(stepText);
  if (step < 1) return err("a step is 1 or more.");
  const suffix = stepText === undefined ? "" : `/${step}`;
  if (range === "*") {
    // The second name of Sunday is none of its days.
    return ok({ from: kind.first, to: kind.names && kind.last === 7 ? 6 : kind.last, step, text: `*${suffix}` });
  }
  const from = readValue(begin, kind);
  if (!from.ok) return from;
  if (end === undefined) {
    if (stepText !== undefined) return err(`a step needs a range: ${from.value}-${kind.last}/${step}.`);
    return ok({ from: from.value, to: from.value, step: 1, text: String(from.value) });
  }
  const to = readValue(end, kind);
  if (!to.ok) return to;
  // As the end of a range Sunday is the last day.
  const last = kind.last === 7 && to.value === 0 && from.value > 0 ? 7 : to.value;
  if (last < from.value) {
    return err(`a range goes up: write ${from.value}-${kind.last},${kind.first}-${last}.`);
  }
  return ok({ from: from.value, to: last, step, text: `${from.value}-${last}${suffix}` });
}

function readValue(text: string, { first, last, names = [] }: FieldKind): Result<number, string> {
  const named = text === "" ? -1 : names.indexOf(text);
  const value = named >= 0 ? named : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= first && value <= last) return ok(value);
  const alternatives = names.length === 0 ? "" : `, or ${names.filter((name) => name !== "").join(", ")}`;
  return err(`it is a number from ${first} to ${last}${alternatives}.`);
}
