import { paint } from "../../diagnostic/style.ts";
import { nextTimes } from "../../util/cron-times.ts";
import { describeCron } from "../../util/describe-cron.ts";
import { quoteWord } from "../../util/quote-word.ts";
import { adviseCommand } from "../advise-command.ts";
import type { Terminal } from "../terminal.ts";
import { formatTime } from "../text/format-time.ts";
import { lineWidth } from "../text/lay-out-table.ts";
import { cleanLine } from "../text/visible-text.ts";
import { wrapWords } from "../text/wrap-words.ts";
import { crontabEntry } from "./crontab.ts";
import { launchdAgent } from "./launchd.ts";
import type { ScheduledRun } from "./scheduled-run.ts";
import { systemdUnits, type UnitFile } from "./systemd.ts";

export const scheduleForms = ["cron", "systemd", "launchd", "all"] as const;
export type ScheduleForm = (typeof scheduleForms)[number];

const shownTimes = 3;

/** All of it, as data. */
export function describeSchedule(run: ScheduledRun, now: Date): object {
  const { workflow, workspace, cron, command, log } = run;
  const agent = launchdAgent(run);
  return {
    workflow,
    workspace,
    cron: cron.text,
    runs: describeCron(cron),
    next: nextTimes(cron, now, shownTimes).map((time) => time.toISOString()),
    command,
    log,
    crontab: crontabEntry(run),
    systemd: systemdUnits(run),
    launchd: agent.ok ? agent.value : { error: agent.error },
  };
}

export function printSchedule(
  run: ScheduledRun,
  form: ScheduleForm | "installed",
  now: Date,
  terminal: Terminal,
): void {
  const say = (text: string): void => terminal.write(`${wrapWords(text, lineWidth(terminal)).join("\n")}\n`);
  const { cron } = run;
  const times = nextTimes(cron, now, shownTimes).map((time) => formatTime(time.toISOString()).slice(0, 16));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  terminal.write(`${paint(cleanLine(run.workflow), "bold", terminal.colour)} in ${cleanLine(run.workspace)}\n`);
  say(`${describeCron(cron)} (${cron.text}), next ${times.join(", ")} ${cleanLine(zone)}\n`);
  const writeFile = (file: UnitFile, directory: string): void => {
    terminal.write(`${paint(`${directory}/${file.name}`, "bold", terminal.colour)}\n${file.text}\n`);
  };
  const advise = (text: string, command: string): void =>
    terminal.write(`${adviseCommand(text, command, terminal).join("\n")}\n`);
  const isWanted = (one: ScheduleForm): boolean => form === one || form === "all";
  if (form === "installed") advise("It is in the crontab. All that are:", "frond schedule --list");
  if (isWanted("cron")) {
    const { marker, line } = crontabEntry(run);
    terminal.write(`${paint("Lines for the crontab (--install puts them there)", "bold", terminal.colour)}\n`);
    terminal.write(`${marker}\n${line}\n\n`);
  }
  if (isWanted("systemd")) {
    if (form === "all") say("Or, where systemd is at hand:\n");
    const { timer, service } = systemdUnits(run);
    writeFile(timer, "~/.config/systemd/user");
    writeFile(service, "~/.config/systemd/user");
    const enable = `systemctl --user daemon-reload && systemctl --user enable --now ${timer.name}`;
    advise("Write these two files, then:", enable);
    advise("So that it runs when you are not logged in:", "loginctl enable-linger");
    if (form === "systemd") return;
    terminal.write("\n");
  }
  if (isWanted("launchd")) {
    const agent = launchdAgent(run);
    if (agent.ok) {
      if (form === "all") say("Or on macOS:\n");
      writeFile(agent.value, "~/Library/LaunchAgents");
      advise("Write this file, then:", `launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/${agent.value.name}`);
    } else say(`It can't be said to launchd: ${agent.error} What --as cron prints does it.`);
    if (form === "all") terminal.write("\n");
  }
  say(`What it prints goes to ${cleanLine(run.log)}`);
  advise("Its runs:", `frond runs --workflow ${quoteWord(cleanLine(run.workflow), "posix")}`);
}
