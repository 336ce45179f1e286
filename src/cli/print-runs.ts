import { paint, type Style } from "../diagnostic/style.ts";
import { describeWait } from "../runs/choose-queue.ts";
import { isOverdue } from "../runs/read-run.ts";
import { type ListedRun, type ListedStatus, reasonsOf } from "../views/list-runs.ts";
import { wordCost } from "../views/word-spend.ts";
import { adviseCommand } from "./advise-command.ts";
import type { CliContext } from "./context.ts";
import { markOf } from "./drawing/draw-tree.ts";
import { countOf } from "./print-diagnostics.ts";
import type { Terminal } from "./terminal.ts";
import { formatElapsed, formatMilliseconds } from "./text/format-duration.ts";
import { describeWaking, formatAge } from "./text/format-time.ts";
import type { Segment } from "./text/lay-out-line.ts";
import { layOutTable, lineWidth, type TableColumn, type TableRow } from "./text/lay-out-table.ts";
import { cleanLine, cutToWidth } from "./text/visible-text.ts";
import { wrapWords } from "./text/wrap-words.ts";
import { starterToShow } from "./who-starts.ts";

export interface ShownRuns {
  /** Newest first. */
  readonly runs: readonly ListedRun[];
  /** Those that are not asked for only because they worked in other directories. */
  readonly elsewhere: readonly ListedRun[];
  /** The directory the reader is in. */
  readonly here: string;
  readonly isFiltered: boolean;
  /** As many as fit when absent, all when 0. */
  readonly limit?: number;
  /** What to type for the same list with something added. */
  command(...more: readonly string[]): string;
}

/** For a program: one line for each run, its fields separated by tabs, nothing cut, nothing else on stdout. */
export function printRunLines(list: ShownRuns, { terminal, platform }: CliContext): void {
  const look: Look = { now: platform.clock.now().getTime(), here: undefined, nameOf: (runId) => runId };
  if (list.runs.length === 0) for (const line of describeNone(list, terminal)) terminal.writeError(`${line}\n`);
  for (const run of list.runs.slice(0, list.limit || undefined)) {
    const { runId, workflow, startedAt, durationMs, startedBy, workspace } = run.summary;
    const about = reasonOf(run, look).map(([text]) => text);
    const times = [startedAt, durationMs === null ? "" : String(Math.round(durationMs))];
    const fields = [runId, run.status, workflow, ...times, startedBy ?? "", workspace, about.join("; ")];
    terminal.write(`${fields.map(cleanLine).join("\t")}\n`);
  }
}

const longestWorkflow = 24;
const columns: readonly TableColumn[] = [{}, {}, { least: 12 }, { align: "right" }, { align: "right", isExtra: true }];

/** Beyond these the newest are enough to be reminded. */
const mostWaiting = 3;
const leastRows = 5;

/** For a person: what waits for them, then one line for each run, as many as can be seen at once. */
export function printRuns(list: ShownRuns, shortIds: ReadonlyMap<string, string>, context: CliContext): void {
  const { terminal, platform } = context;
  if (list.runs.length === 0) return write(describeNone(list, terminal), context);
  const nameOf = (runId: string): string => shortIds.get(runId) ?? runId;
  const look: Look = { now: platform.clock.now().getTime(), here: list.here, nameOf };
  const short = ({ summary }: ListedRun): string => nameOf(summary.runId);
  const waiting = list.isFiltered ? [] : remindOf(list, short, look, context);
  const footer = (shown: readonly ListedRun[]): string[] => describeRest(list, shown, short, context);
  const rest = waiting.length + footer(list.runs.slice(0, 1)).length + 2;
  const limit = list.limit ?? Math.max(leastRows, terminal.rows - rest);
  const shown = list.runs.slice(0, limit || undefined);
  const rows = shown.map((run): TableRow => {
    const { status, summary } = run;
    const cells: Segment[] = [
      [short(run)],
      [
        `${markOf(status === "queued" ? "pending" : status, { unicode: terminal.unicode, frame: 0 })} ${status}`,
        statusStyles[status],
      ],
      [cutToWidth(cleanLine(summary.workflow), longestWorkflow), "bold"],
      [formatAge(summary.startedAt, look.now), "dim"],
      [took(run, look), "dim"],
    ];
    return { cells, about: reasonOf(run, look) };
  });
  write([...waiting, ...layOutTable(columns, rows, terminal), "", ...footer(shown)], context);
}

interface Look {
  readonly now: number;
  /** A run that worked elsewhere says where; nothing where that is told anyway. */
  readonly here: string | undefined;
  /** What a run is called in the list, by its id. */
  nameOf(runId: string): string;
}

const statusStyles: Record<ListedStatus, Style> = {
  success: "green",
  failure: "red",
  cancelled: "red",
  paused: "yellow",
  sleeping: "yellow",
  running: "cyan",
  queued: "cyan",
  interrupted: "yellow",
};

/** Whether it goes on only when a person does something. */
function needsPerson({ status, summary }: ListedRun, { platform }: CliContext): boolean {
  return status === "paused" || status === "interrupted" || (status === "sleeping" && isOverdue(summary, platform));
}

/** What to type for each run that waits. */
function remindOf(list: ShownRuns, short: (run: ListedRun) => string, look: Look, context: CliContext): string[] {
  const { terminal } = context;
  const waiting = list.runs.filter((run) => needsPerson(run, context));
  if (waiting.length === 0) return [];
  const title = `${countOf(waiting.length, "run")} ${waiting.length === 1 ? "waits" : "wait"} for you:`;
  const rows = waiting.slice(0, mostWaiting).map((run): TableRow => {
    const [question] = run.summary.questions;
    const [[reason = ""] = []] = question === undefined ? reasonOf(run, look) : [[question.question.text.trim()]];
    const about: Segment = [cleanLine(`${run.summary.workflow}: ${reason}`), "yellow"];
    return { cells: [[`frond resume ${short(run)}`]], about: [about] };
  });
  const others = waiting.length - mostWaiting;
  const more = list.command("--status", "paused", "interrupted", "sleeping");
  return [
    paint(title, "bold", terminal.colour),
    ...layOutTable([{}], rows, terminal, "  "),
    ...(others > 0 ? adviseCommand(`  and ${others} more:`, more, terminal) : []),
    "",
  ];
}

function describeRest(
  list: ShownRuns,
  shown: readonly ListedRun[],
  short: (run: ListedRun) => string,
  context: CliContext,
): string[] {
  const { runs } = list;
  const last = shown.at(-1);
  const isWhole = shown.length === runs.length || last === undefined;
  const count = isWhole ? countOf(runs.length, "run") : `${shown.length} of ${countOf(runs.length, "run")}`;
  const { terminal } = context;
  const older = isWhole ? [] : adviseCommand("Older ones:", list.command("--before", short(last)), terminal);
  const look = adviseCommand(`${count}. Look at one:`, "frond show RUN", terminal);
  return [...look, ...older, ...describeElsewhere(list, terminal, (run) => needsPerson(run, context))];
}

function describeElsewhere(
  list: ShownRuns,
  terminal: Terminal,
  isWaiting: (run: ListedRun) => boolean = () => false,
): string[] {
  const { length: count } = list.elsewhere;
  if (count === 0) return [];
  const waiting = list.elsewhere.filter(isWaiting).length;
  const wait = waiting === 0 ? "" : ` (${waiting} of them ${waiting === 1 ? "waits" : "wait"} for you)`;
  return adviseCommand(`And ${countOf(count, "run")} in other directories${wait}:`, list.command("--all"), terminal);
}

function describeNone(list: ShownRuns, terminal: Terminal): string[] {
  const isFirst = !list.isFiltered && list.elsewhere.length === 0;
  const none = list.isFiltered
    ? adviseCommand("No run fits. See them all:", "frond runs", terminal)
    : wrapWords(
        `No runs ${isFirst ? "" : "in this directory "}yet. Start one: frond run NAME (see \`frond list\`)`,
        lineWidth(terminal),
      );
  return [...none, ...describeElsewhere(list, terminal)];
}

function took({ summary, status }: ListedRun, { now }: Look): string {
  if (summary.durationMs !== null) return formatMilliseconds(summary.durationMs);
  return status === "running" ? formatElapsed(Math.max(0, now - Date.parse(summary.startedAt))) : "";
}

/** What it waits for or why it failed; then who started it, and where it worked, if that is not to be expected. */
function reasonOf({ summary, status }: ListedRun, look: Look): Segment[] {
  const { damage, questions, updatedAt, wakeAt, spend, workspace, undoOf } = summary;
  const about: Segment[] = [];
  const [first, ...others] = questions;
  const reasons = reasonsOf(summary)
    .map((line) => cleanLine(line).trim())
    .join("; ");
  // That it failed, the status says.
  if (reasons !== "") about.push([reasons.replace(/^'([^']+)' failed: /, "$1: "), "red"]);
  if (damage !== undefined) about.push([cleanLine(damage), "red"]);
  if (status === "interrupted") {
    about.push([`its process is gone (last heard of ${formatAge(updatedAt, look.now)})`, "yellow"]);
  }
  if (status === "queued") about.push([`waits for ${cleanLine(describeWait(summary.queue, summary.host))}`, "cyan"]);
  if (wakeAt !== null) about.push([describeWaking(wakeAt, look.now), "yellow"]);
  if (first !== undefined) {
    const more = others.length === 0 ? "" : ` (and ${countOf(others.length, "more question")})`;
    about.push([`${cleanLine(first.path)} asks: ${cleanLine(first.question.text.trim())}${more}`, "yellow"]);
  }
  const cost = wordCost(spend ?? undefined);
  if (cost !== undefined) about.push([cost, "dim"]);
  if (undoOf !== null) about.push([`undoes ${look.nameOf(undoOf)}`, "cyan"]);
  if (look.here === undefined) return about;
  const starter = starterToShow(summary.startedBy);
  if (starter !== undefined) about.push([`by ${starter}`, "dim"]);
  if (workspace !== look.here) about.push([`in ${cleanLine(workspace)}`, "dim"]);
  return about;
}

function write(lines: readonly string[], { terminal }: CliContext): void {
  terminal.write(lines.map((line) => `${line}\n`).join(""));
}
