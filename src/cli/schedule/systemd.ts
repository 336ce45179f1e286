import type { CronExpression, CronField } from "../../util/cron-expression.ts";
import { type ScheduledRun, unitName } from "./scheduled-run.ts";

/** A file to be written, by its name. */
export interface UnitFile {
  readonly name: string;
  readonly text: string;
}

/** A user's timer, and the service that it starts; one that still runs is not started again. */
export function systemdUnits(run: ScheduledRun): { readonly timer: UnitFile; readonly service: UnitFile } {
  const name = unitName(run);
  const description = `Description=Frond runs ${escapePercent(run.workflow)} in ${escapePercent(run.workspace)}`;
  const variables = [...run.variables].map((pair) => `Environment=${quoted(escapePercent(pair.join("=")))}`);
  const command = run.command.map((word) => quoted(escapePercent(word).replaceAll("$", "$$$$")));
  const service = [
    "[Unit]",
    description,
    "",
    "[Service]",
    "Type=oneshot",
    `WorkingDirectory=${escapePercent(run.workspace)}`,
    ...variables,
    `ExecStart=${command.join(" ")}`,
    "# A run that waits for an answer is no failure.",
    "SuccessExitStatus=3",
  ];
  const timer = [
    "[Unit]",
    description,
    "",
    "[Timer]",
    ...onCalendar(run.cron).map((expression) => `OnCalendar=${expression}`),
    "AccuracySec=1s",
    "",
    "[Install]",
    "WantedBy=timers.target",
  ];
  return {
    timer: { name: `${name}.timer`, text: `${timer.join("\n")}\n` },
    service: { name: `${name}.service`, text: `${service.join("\n")}\n` },
  };
}

function escapePercent(text: string): string {
  return text.replaceAll("%", "%%");
}

function quoted(word: string): string {
  return `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** The same times in systemd's words; of several, any will do. */
export function onCalendar({ minutes, hours, days, months, weekdays: weekday, daysMeet }: CronExpression): string[] {
  const write = (dates: string, names: string): string =>
    `${names}*-${list(months)}-${dates} ${list(hours)}:${list(minutes)}:00`;
  const names = weekday.isAny ? "" : `${weekday.values.map((value) => weekdays[value]).join(",")} `;
  if (daysMeet === "both") return [write(list(days), names)];
  if (days.isAny || weekday.isAny) return [write("*", "")];
  return [write(list(days), ""), write("*", names)];
}

function list({ values, isAny }: CronField): string {
  return isAny ? "*" : values.map((value) => String(value).padStart(2, "0")).join(",");
}
