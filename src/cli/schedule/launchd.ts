import type { CronExpression, CronField } from "../../util/cron-expression.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { type ScheduledRun, unitName } from "./scheduled-run.ts";
import type { UnitFile } from "./systemd.ts";

/** Times that launchd takes; what is absent can be anything. */
type CalendarInterval = Readonly<Partial<Record<IntervalKey, number>>>;
type IntervalKey = "Minute" | "Hour" | "Day" | "Month" | "Weekday";

/** A user's agent; the error says why launchd can't be told these times, as a sentence. */
export function launchdAgent(run: ScheduledRun): Result<UnitFile, string> {
  const times = calendarIntervals(run.cron);
  if (!times.ok) return times;
  const label = unitName(run);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    "<dict>",
    ...entry("Label", [text(label)]),
    ...entry("ProgramArguments", ["<array>", ...indent(run.command.map(text)), "</array>"]),
    ...entry("WorkingDirectory", [text(run.workspace)]),
    ...entry("EnvironmentVariables", dict([...run.variables].map(([name, value]) => [name, text(value)]))),
    ...entry("StartCalendarInterval", ["<array>", ...indent(times.value.flatMap(interval)), "</array>"]),
    ...entry("StandardOutPath", [text(run.log)]),
    ...entry("StandardErrorPath", [text(run.log)]),
    "</dict>",
    "</plist>",
  ];
  return ok({ name: `${label}.plist`, text: `${lines.join("\n")}\n` });
}

/** More would be a file that nobody reads. */
const mostIntervals = 400;

/** The same times as launchd takes them: one entry for each, and any of them will do. */
export function calendarIntervals(cron: CronExpression): Result<readonly CalendarInterval[], string> {
  const { minutes, hours, days, months, weekdays, daysMeet } = cron;
  if (daysMeet === "both" && !days.isAny && !weekdays.isAny) {
    return err("launchd knows no days that have to be both a day of the month and a day of the week.");
  }
  const isEveryDay = daysMeet === "either" && (days.isAny || weekdays.isAny);
  const onDays = isEveryDay
    ? [{}]
    : [...(days.isAny ? [] : axis("Day", days)), ...(weekdays.isAny ? [] : axis("Weekday", weekdays))];
  const axes = [
    axis("Month", months),
    onDays.length === 0 ? [{}] : onDays,
    axis("Hour", hours),
    axis("Minute", minutes),
  ];
  const count = axes.reduce((product, values) => product * values.length, 1);
  if (count > mostIntervals) return err(`launchd would need ${count} entries for these times.`);
  let all: readonly CalendarInterval[] = [{}];
  for (const values of axes) all = all.flatMap((before) => values.map((value) => ({ ...before, ...value })));
  return ok(all);
}

function axis(key: IntervalKey, { values, isAny }: CronField): CalendarInterval[] {
  return isAny ? [{}] : values.map((value) => ({ [key]: value }));
}

function interval(times: CalendarInterval): string[] {
  return dict(Object.entries(times).map(([key, value]) => [key, `<integer>${value}</integer>`]));
}

function dict(entries: readonly (readonly [key: string, value: string])[]): string[] {
  return ["<dict>", ...entries.flatMap(([key, value]) => entry(key, [value])), "</dict>"];
}

function entry(key: string, value: readonly string[]): string[] {
  return [`  <key>${escapeXml(key)}</key>`, ...indent(value)];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function text(value: string): string {
  return `<string>${escapeXml(value)}</string>`;
}

function escapeXml(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
