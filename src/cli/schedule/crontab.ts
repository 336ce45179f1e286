import { type CronExpression, parseCron } from "../../util/cron-expression.ts";
import { quoteWord } from "../../util/quote-word.ts";
import type { ScheduledRun } from "./scheduled-run.ts";

/** What stands in a crontab for a workflow in a directory: a comment by which it is found again, and below it the line. */
interface CrontabEntry {
  readonly marker: string;
  readonly line: string;
}

export function crontabEntry(run: ScheduledRun): CrontabEntry {
  return { marker: markerOf(run), line: `${run.cron.text} ${escapePercent(shellCommand(run))}` };
}

export function markerOf({ workflow, workspace }: Pick<ScheduledRun, "workflow" | "workspace">): string {
  return `# frond schedule: ${workflow} in ${workspace}`;
}

/** For `sh`, which cron hands it to. */
function shellCommand({ workspace, command, variables, log }: ScheduledRun): string {
  const settings = [...variables].map(([name, value]) => `${name}=${quote(value)}`);
  const words = [...settings, ...command.map(quote), ">>", quote(log), "2>&1"];
  return `cd ${quote(workspace)} && ${words.join(" ")}`;
}

function quote(word: string): string {
  return quoteWord(word, "posix");
}

/**
 * To cron a percent sign ends the command, unless a backslash stands before it, which cron then takes away. One that is meant is kept
 * from the percent sign by the end of one quotation and the beginning of another; what has a backslash in it is always quoted.
 */
function escapePercent(command: string): string {
  return command.replaceAll("\\%", "\\''%").replaceAll("%", "\\%");
}

/** What many crons take of a line at most. */
export const longestLine = 990;

/** An entry as it stands in a crontab. */
export interface InstalledSchedule {
  readonly workflow: string;
  readonly workspace: string;
  /** Absent where the line is gone, or has been changed into something that is not understood. */
  readonly cron?: CronExpression;
  readonly line?: string;
}

/** All that `putEntry` has left in a crontab. */
export function findEntries(crontab: string): InstalledSchedule[] {
  const lines = crontab.split("\n");
  return lines.flatMap((marker, index): InstalledSchedule[] => {
    const [, workflow, workspace] = /^# frond schedule: (.+?) in (\/.*)$/.exec(marker) ?? [];
    if (workflow === undefined || workspace === undefined) return [];
    const line = lines[index + 1];
    if (line === undefined || !isOurs(line)) return [{ workflow, workspace }];
    const cron = parseCron(line.split(" ").slice(0, 5).join(" "));
    return [{ workflow, workspace, line, ...(cron.ok ? { cron: cron.value } : {}) }];
  });
}

/** The crontab with the entry in it, in the place of the one that was there; every other line stays as it is. */
export function putEntry(crontab: string, { marker, line }: CrontabEntry): string {
  const lines = crontab.split("\n");
  const at = lines.indexOf(marker);
  if (at >= 0) {
    lines.splice(at, isOurs(lines[at + 1]) ? 2 : 1, marker, line);
    return lines.join("\n");
  }
  const gap = crontab === "" || crontab.endsWith("\n") ? "" : "\n";
  return `${crontab}${gap}${marker}\n${line}\n`;
}

/** The crontab without it; nothing when it is not there. */
export function removeEntry(crontab: string, marker: string): string | undefined {
  const lines = crontab.split("\n");
  const at = lines.indexOf(marker);
  if (at < 0) return undefined;
  lines.splice(at, isOurs(lines[at + 1]) ? 2 : 1);
  return lines.join("\n");
}

/** Somebody may have taken the line away and left the comment. */
function isOurs(line: string | undefined): boolean {
  return line !== undefined && / run .*--started-by 'schedule /.test(line);
}
