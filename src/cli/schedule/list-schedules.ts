import { problem } from "../../diagnostic/problem.ts";
import { nextTimes } from "../../util/cron-times.ts";
import { defined } from "../../util/defined.ts";
import { describeCron } from "../../util/describe-cron.ts";
import { type ListedRun, listRuns } from "../../views/list-runs.ts";
import { type CliContext, exitCodes } from "../context.ts";
import { printJson, refuse } from "../print-diagnostics.ts";
import { formatAge, formatTime } from "../text/format-time.ts";
import { layOutEntries } from "../text/lay-out-entries.ts";
import { cleanLine } from "../text/visible-text.ts";
import { findEntries, type InstalledSchedule } from "./crontab.ts";

/** What the crontab has of workflows, when each runs next, and how its last run went. */
export async function listSchedules(json: boolean, context: CliContext): Promise<number> {
  const { terminal, platform, machine } = context;
  const crontab = await machine.crontab.read();
  if (!crontab.ok && crontab.error.kind === "refused") {
    const message = `The program crontab refuses: ${cleanLine(crontab.error.message)}`;
    return refuse([problem("no-crontab", message)], json, terminal);
  }
  const text = crontab.ok ? Buffer.from(crontab.value, "latin1").toString("utf8") : "";
  const entries = findEntries(text);
  const now = platform.clock.now();
  const { runs } = entries.length === 0 ? { runs: [] } : await listRuns(platform, {});
  const shown = entries.map((entry) => ({
    entry,
    next: entry.cron === undefined ? undefined : nextTimes(entry.cron, now, 1)[0]?.toISOString(),
    last: runs.find((run) => isOf(run, entry)),
  }));
  if (json) {
    const schedules = shown.map(({ entry: { workflow, workspace, cron, line }, next, last }) => ({
      workflow,
      workspace,
      ...defined({ cron: cron?.text, runs: cron && describeCron(cron), next, line, last_run: last?.summary.runId }),
    }));
    printJson({ schedules }, terminal);
    return exitCodes.success;
  }
  if (shown.length === 0) {
    terminal.write("No workflow is in the crontab. Put one there: frond schedule NAME '0 3 * * *' --install\n");
    return exitCodes.success;
  }
  const lines = layOutEntries(
    shown.map(({ entry, next, last }) => ({
      cells: [
        [cleanLine(entry.workflow), "bold"],
        [next === undefined ? "never" : formatTime(next).slice(0, 16)],
        [entry.cron?.text ?? "?", "dim"],
      ],
      text: [
        [entry.cron === undefined ? "its line is gone or changed" : describeCron(entry.cron)],
        [last === undefined ? "" : `, last: ${last.status} ${formatAge(last.summary.startedAt, now.getTime())}`],
        [` in ${cleanLine(entry.workspace)}`, "dim"],
      ],
    })),
    terminal,
    "",
  );
  terminal.write(`${lines.join("\n")}\n`);
  return exitCodes.success;
}

function isOf({ summary }: ListedRun, { workflow, workspace }: InstalledSchedule): boolean {
  const isScheduled = summary.startedBy?.startsWith("schedule ") === true;
  return isScheduled && summary.workflow === workflow && summary.workspace === workspace;
}
