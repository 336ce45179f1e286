import type { Style } from "../../diagnostic/style.ts";
import type { BlockStatus, HiddenRows, ProgressData, RunTree, TreeRow } from "../../views/run-tree.ts";
import { formatElapsed, formatMilliseconds } from "../text/format-duration.ts";
import { formatTime } from "../text/format-time.ts";
import { layOutLine, type Segment, widthOfSegments } from "../text/lay-out-line.ts";
import { cleanLine, cutToWidth } from "../text/visible-text.ts";

export interface DrawOptions {
  readonly columns: number;
  /** Lines that may be used. */
  readonly rows: number;
  /** Wall time in milliseconds. */
  readonly now: number;
  /** Counts up while the spinners turn. */
  readonly frame: number;
  readonly colour: boolean;
  /** Whether the terminal can show more than ASCII. */
  readonly unicode: boolean;
  /** The last line a running block has written, clean; empty when there is none. */
  lastLine(path: string): string;
}

const styles: Record<BlockStatus, Style> = {
  success: "green",
  pending: "dim",
  skipped: "dim",
  running: "cyan",
  paused: "yellow",
  sleeping: "dim",
  interrupted: "yellow",
  failure: "red",
  crashed: "red",
  timeout: "red",
  cancelled: "red",
};

/** What ended, and not well. */
const failures: ReadonlySet<BlockStatus> = new Set(["failure", "timeout", "cancelled", "crashed"]);

/** Whoever cancels a run knows why what ran then did not end well, so of that nothing is said below the tree. */
const saidBelow: ReadonlySet<BlockStatus> = new Set(["failure", "timeout", "crashed"]);

const unicodeMarks: Record<BlockStatus, string> = {
  success: "✓",
  pending: "·",
  skipped: "-",
  running: "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏",
  paused: "?",
  sleeping: "z",
  interrupted: "~",
  failure: "✗",
  crashed: "!",
  timeout: "!",
  cancelled: "!",
};

const asciiMarks: Record<BlockStatus, string> = {
  ...unicodeMarks,
  success: "+",
  pending: ".",
  running: "|/-\\",
  failure: "x",
};

const hiddenWords: Record<keyof HiddenRows, string> = {
  reused: "reused",
  success: "done",
  pending: "waiting",
  skipped: "skipped",
  running: "running",
  paused: "asking",
  sleeping: "sleeping",
  interrupted: "interrupted",
  failure: "failed",
  crashed: "could not run",
  timeout: "timed out",
  cancelled: "cancelled",
};

/**
 * The tree of a run, or of one block of it, as lines, none wider and not more of them than asked for. Of a run that is over, what failed
 * and why is said in full below its tree, and not here.
 */
export function drawTree({ rows, hidden }: RunTree, options: DrawOptions): string[] {
  const [top] = rows;
  const isOver = top?.path === "" && (top.status === "success" || failures.has(top.status));
  const lines = rows.map((row) => drawRow(row, isOver, options));
  const counts = Object.entries(hidden).map(([status, count]) => `${count} ${hiddenWords[status as keyof HiddenRows]}`);
  if (counts.length > 0 && lines.length < options.rows) {
    lines.push(layOut([[`  and ${counts.join(", ")}`, "dim"]], options));
  }
  return lines;
}

/** Less room than this is not worth starting to show output in. */
const leastOutputColumns = 8;

function drawRow(row: TreeRow, isOver: boolean, options: DrawOptions): string {
  const { status, depth } = row;
  // Deep trees must not push their names off a narrow screen.
  const indent = " ".repeat(Math.min(2 * depth, Math.floor(options.columns / 2)));
  const segments: Segment[] = [
    [indent],
    [`${markOf(status, options)} `, isDoneBefore(row) ? "dim" : styles[status]],
    ...nameOf(row, isOver, options),
    ...elementOf(row),
    [row.is_finally ? " (finally)" : "", "dim"],
    [timing(row, options), "dim"],
    [attempts(row), "dim"],
    [costOf(row), "dim"],
    ...progressOf(row),
    ...(isOver && saidBelow.has(status) ? howOf(row) : reasonOf(row)),
  ].filter((segment): segment is [string, Style?] => segment[0] !== "");
  const output = status === "running" ? options.lastLine(row.path) : "";
  if (output !== "" && roomAfter(segments, options) > leastOutputColumns) segments.push([`  ${output}`, "dim"]);
  return layOut(segments, options);
}

/** It neither runs nor waits for anybody. */
function isCalm(row: TreeRow): boolean {
  return row.status === "pending" || row.status === "skipped" || isDoneBefore(row);
}

function isDoneBefore({ reused, status }: TreeRow): boolean {
  return reused === true && status === "success";
}

export function markOf(status: BlockStatus, { unicode, frame }: Pick<DrawOptions, "unicode" | "frame">): string {
  const mark = (unicode ? unicodeMarks : asciiMarks)[status];
  return mark[frame % mark.length] ?? mark;
}

/** Room for what stands behind the name of a run: its id, the time and how far it is. */
const behindName = 40;
const leastName = 12;

/** A run with its id, for who wants to look at it from elsewhere; once it is over, that is said below the tree. */
function nameOf(row: TreeRow, isOver: boolean, { columns }: DrawOptions): Segment[] {
  const { name, pass, depth, run_id: runId } = row;
  const clean = pass?.is_numbered ? `[${name}]` : cleanLine(name) || "''";
  if (depth > 0) return [isCalm(row) ? [clean, "dim"] : [clean]];
  if (runId === undefined || isOver) return [[clean, "bold"]];
  return [
    [cutToWidth(clean, Math.max(leastName, columns - behindName)), "bold"],
    [` ${runId}`, "dim"],
  ];
}

const longestElement = 30;

/** The element of a pass, where the number of the pass alone would say little. */
function elementOf({ pass }: TreeRow): Segment[] {
  if (pass?.element === undefined) return [];
  const element = cutToWidth(cleanLine(pass.element), longestElement);
  // A number beside the number of the pass and a duration would be taken for one of them.
  return [[pass.is_bare ? `=${element}` : ` ${element}`]];
}

function timing(row: TreeRow, { now }: DrawOptions): string {
  const { status, running_since: since, duration_ms: duration } = row;
  // How long it took was part of another run.
  if (row.reused) return " (reused)";
  if (status === "success" || failures.has(status)) return ` ${formatMilliseconds(duration)}`;
  if (status !== "running" || since === undefined) return "";
  return ` ${formatElapsed(duration + Math.max(0, now - Date.parse(since)))}`;
}

/** What it has cost, of how much where it has a budget. */
function costOf({ spend, budget }: TreeRow): string {
  if (spend === undefined) return "";
  return budget === undefined ? ` ${spend}` : ` ${spend} of ${budget}`;
}

/** Worth saying only of what did not end at the first. */
function attempts({ attempts: count }: TreeRow): string {
  return count > 1 ? ` (attempt ${count})` : "";
}

/** How many of the passes have gone well, and what became of others; of what else holds blocks, how many have ended. */
function progressOf(row: TreeRow): Segment[] {
  const { progress, passes, status, reused } = row;
  if (progress === undefined || reused) return [];
  const isOpen = status === "running" || status === "interrupted";
  if (passes === undefined) return isOpen || row.is_folded ? [[` ${progress.ended}/${progress.total}`, "dim"]] : [];
  const { success = 0 } = passes;
  const others = troubles.flatMap((trouble): Segment[] => {
    const count = passes[trouble] ?? 0;
    return count === 0 ? [] : [[`, ${count} ${hiddenWords[trouble]}`, trouble === "skipped" ? "dim" : styles[trouble]]];
  });
  return [[row.is_repeated ? passesOf(row, progress) : ` ${success}/${progress.total}`, "dim"], ...others];
}

/** What may have become of a pass that did not go well. */
const troubles: readonly BlockStatus[] = ["failure", "timeout", "crashed", "cancelled", "interrupted", "skipped"];

function passesOf({ status }: TreeRow, { total }: ProgressData): string {
  if (status === "running" || status === "sleeping" || status === "paused") return ` pass ${total}`;
  return ` ${total} ${total === 1 ? "pass" : "passes"}`;
}

/** What the mark alone does not tell. */
function howOf({ path, status, passes }: TreeRow): Segment[] {
  const isSaid = path === "" || status === "failure" || passes?.[status] !== undefined;
  return isSaid ? [] : [[`  ${hiddenWords[status]}`, styles[status]]];
}

function reasonOf(row: TreeRow): Segment[] {
  const { status, message, question, stopping, path } = row;
  if (status === "paused" && question !== undefined) return [[`  ${cleanLine(question.trim())}`, "yellow"]];
  if (status === "sleeping" && row.wake_at !== undefined) return sleepOf(message, row.wake_at);
  if (status === "interrupted" && row.progress === undefined)
    return [["  was running when its process ended", "yellow"]];
  if (status === "running" && row.is_rolling_back) return [["  rolling back", "yellow"]];
  if (status === "running" && stopping !== undefined) return [[`  stopping: ${cleanLine(stopping)}`, "yellow"]];
  // How the run itself ended is said below the tree.
  if (message === null || path === "" || !(failures.has(status) || status === "skipped")) return [];
  return [[`  ${cleanLine(message)}`, status === "skipped" ? "dim" : "red"]];
}

/** Between two attempts it is worth knowing what went wrong. */
function sleepOf(message: string | null, wakeAt: string): Segment[] {
  if (message === null) return [[`  until ${formatTime(wakeAt)}`, "dim"]];
  return [
    [`  ${cleanLine(message)}`, "red"],
    [`; next attempt at ${formatTime(wakeAt)}`, "dim"],
  ];
}

function roomAfter(segments: readonly Segment[], options: DrawOptions): number {
  return lineWidth(options) - widthOfSegments(segments);
}

/** The last column stays empty: some terminals wrap as soon as it is written to. */
function lineWidth({ columns }: DrawOptions): number {
  return Math.max(1, columns - 1);
}

function layOut(segments: readonly Segment[], options: DrawOptions): string {
  return layOutLine(segments, lineWidth(options), options.colour);
}
