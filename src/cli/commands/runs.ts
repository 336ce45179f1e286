import { Option } from "commander";
import type { Style } from "../../diagnostic/style.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { defined } from "../../util/defined.ts";
import {
  describeListed,
  type ListedRun,
  type ListedStatus,
  type ListQuery,
  listedStatuses,
  listRuns,
  type RunList,
} from "../../views/list-runs.ts";
import type { AddCommand, CliContext } from "../context.ts";
import { exitCodes } from "../context.ts";
import { formatElapsed, formatMilliseconds } from "../format-duration.ts";
import { describeWaking, formatAge } from "../format-time.ts";
import type { Segment } from "../lay-out-line.ts";
import { type ListRow, layOutRow } from "../lay-out-row.ts";
import { parseCount } from "../parse-count.ts";
import { countOf, printJson, refuse } from "../print-diagnostics.ts";
import { cleanLine, cutToWidth, widthOf } from "../visible-text.ts";

interface Options {
  readonly status?: readonly ListedStatus[];
  readonly workflow?: readonly string[];
  readonly limit: number;
  readonly all?: true;
  readonly before?: string;
  readonly json?: true;
}

const defaultLimit = 20;

export const addRunsCommand: AddCommand = (program, context, end) => {
  program
    .command("runs")
    .description("list runs, newest first: how each stands, what it waits for or why it failed")
    .addOption(new Option("--status <status...>", "only those with one of these").choices([...listedStatuses]))
    .option("--workflow <name...>", "only runs of these workflows")
    .option("--limit <n>", "how many to show", parseCount, defaultLimit)
    .option("--all", "show all, however many there are")
    .option("--before <run>", "only those that began before this one, for the next page")
    .option("--json", "print one JSON document")
    .action(async (options: Options) => end(await showRuns(options, context)));
};

async function showRuns(options: Options, context: CliContext): Promise<number> {
  const { terminal, platform } = context;
  const before = options.before === undefined ? undefined : await findRunId(platform, options.before);
  if (before?.ok === false) return refuse([before.error], options.json === true, terminal);
  const query: ListQuery = {
    ...defined({ statuses: options.status, workflows: options.workflow, before: before?.value }),
    ...(options.all ? {} : { limit: options.limit }),
  };
  const list = await listRuns(platform, query);
  if (options.json) {
    const { next } = list;
    printJson({ runs: list.runs.map(describeListed), ...defined({ next }) }, terminal);
  } else
    printRuns(
      list,
      Object.keys(query).some((key) => key !== "limit"),
      context,
    );
  return exitCodes.success;
}

function printRuns({ runs, next }: RunList, isFiltered: boolean, { terminal, platform }: CliContext): void {
  if (runs.length === 0) {
    const text = isFiltered
      ? "No run fits. See them all: frond runs"
      : "No runs yet. Start one: frond run NAME (see `frond list`)";
    return terminal.write(`${text}\n`);
  }
  const here = platform.realDirectory(".");
  const look: Look = {
    now: platform.clock.now().getTime(),
    workspace: here.ok ? here.value : "",
    width: idWidth + statusWidth + Math.max(...runs.map(({ summary }) => widthOf(shortName(summary.workflow)))),
  };
  for (const run of runs) terminal.write(layOutRow(rowOf(run, look), terminal));
  const more = next === undefined ? "" : ` More: add --before ${next}`;
  terminal.write(`\n${countOf(runs.length, "run")}. Look at one: frond show RUN.${more}\n`);
}

interface Look {
  readonly now: number;
  readonly workspace: string;
  readonly width: number;
}

const longestWorkflow = 24;
const idWidth = 22;
const statusWidth = 13;

const statusStyles: Record<ListedStatus, Style> = {
  success: "green",
  failure: "red",
  cancelled: "red",
  paused: "yellow",
  sleeping: "yellow",
  running: "cyan",
  interrupted: "yellow",
};

function rowOf(run: ListedRun, look: Look): ListRow {
  const { summary, status } = run;
  return {
    what: [
      [summary.runId.padEnd(idWidth)],
      [status.padEnd(statusWidth), statusStyles[status]],
      [shortName(summary.workflow), "bold"],
    ],
    width: look.width,
    when: [`${formatAge(summary.startedAt, look.now).padEnd(10)}  ${took(run, look).padStart(7)}`, "dim"],
    about: reasonOf(run, look),
  };
}

function shortName(workflow: string): string {
  return cutToWidth(cleanLine(workflow), longestWorkflow);
}

function took({ summary, status }: ListedRun, { now }: Look): string {
  if (summary.durationMs !== null) return formatMilliseconds(summary.durationMs);
  return status === "running" ? formatElapsed(Math.max(0, now - Date.parse(summary.startedAt))) : "";
}

/** What it waits for or why it failed; and where it ran, if that is not here. */
function reasonOf({ summary, status }: ListedRun, look: Look): Segment[] {
  const { error, damage, questions, updatedAt, wakeAt, workspace } = summary;
  const about: Segment[] = [];
  const [first, ...others] = questions;
  if (error !== null) about.push([cleanLine(error), "red"]);
  if (damage !== undefined) about.push([cleanLine(damage), "red"]);
  if (status === "interrupted") {
    about.push([`its process is gone (last heard of ${formatAge(updatedAt, look.now)})`, "yellow"]);
  }
  if (wakeAt !== null) about.push([describeWaking(wakeAt, look.now), "yellow"]);
  if (first !== undefined) {
    const more = others.length === 0 ? "" : ` (and ${countOf(others.length, "more question")})`;
    about.push([`${cleanLine(first.path)} asks: ${cleanLine(first.question.text.trim())}${more}`, "yellow"]);
  }
  if (workspace !== look.workspace) about.push([`in ${cleanLine(workspace)}`, "dim"]);
  return about;
}
