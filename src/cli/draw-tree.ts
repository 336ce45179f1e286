import type { Style } from "../diagnostic/style.ts";
import type { BlockStatus, HiddenRows, RunTree, TreeRow } from "../views/run-tree.ts";
import { formatElapsed, formatMilliseconds } from "./format-duration.ts";
import { formatTime } from "./format-time.ts";
import { layOutLine, type Segment, widthOfSegments } from "./lay-out-line.ts";
import { cleanLine, cutToWidth } from "./visible-text.ts";

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

/** The tree of a run, or of one block of it, as lines, none wider and not more of them than asked for. */
export function drawTree({ rows, hidden }: RunTree, options: DrawOptions): string[] {
  const lines = rows.map((row) => drawRow(row, options));
  const counts = Object.entries(hidden).map(([status, count]) => `${count} ${hiddenWords[status as keyof HiddenRows]}`);
  if (counts.length > 0 && lines.length < options.rows) {
    lines.push(layOut([[`  and ${counts.join(", ")}`, "dim"]], options));
  }
  return lines;
}

/** Less room than this is not worth starting to show output in. */
const leastOutputColumns = 8;

function drawRow(row: TreeRow, options: DrawOptions): string {
  const { status, depth } = row;
  // Deep trees must not push their names off a narrow screen.
  const indent = " ".repeat(Math.min(2 * depth, Math.floor(options.columns / 2)));
  const segments: Segment[] = [
    [indent],
    [`${markOf(status, options)} `, isDoneBefore(row) ? "dim" : styles[status]],
    [nameOf(row), depth === 0 ? "bold" : isCalm(row) ? "dim" : undefined],
    ...elementOf(row),
    [row.is_finally ? " finally" : "", "dim"],
    [timing(row, options), "dim"],
    [attempts(row), "dim"],
    ...reasonOf(row),
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

function markOf(status: BlockStatus, { unicode, frame }: DrawOptions): string {
  const mark = (unicode ? unicodeMarks : asciiMarks)[status];
  return mark[frame % mark.length] ?? mark;
}

function nameOf({ name, pass }: TreeRow): string {
  return pass?.is_numbered ? `[${name}]` : cleanLine(name) || "''";
}

const longestElement = 30;

/** The element of a pass, where the number of the pass alone would say little. */
function elementOf({ pass }: TreeRow): Segment[] {
  // A number beside the number of the pass and a duration would only be taken for one of them.
  if (!pass?.is_numbered || pass.element === undefined) return [];
  return [[` ${cutToWidth(cleanLine(pass.element), longestElement)}`]];
}

function timing(row: TreeRow, { now }: DrawOptions): string {
  const { status, started_at: startedAt } = row;
  // How long it took was part of another run.
  if (row.reused) return " (reused)";
  if (status === "success" || failures.has(status)) return ` ${formatMilliseconds(row.duration_ms)}`;
  if (status === "interrupted") return progress(row);
  if (status !== "running" || startedAt === null) return "";
  return ` ${formatElapsed(Math.max(0, now - Date.parse(startedAt)))}${progress(row)}`;
}

/** Worth saying only of what did not end at the first. */
function attempts({ attempts: count }: TreeRow): string {
  return count > 1 ? ` (attempt ${count})` : "";
}

function progress({ progress: inside }: TreeRow): string {
  return inside === undefined ? "" : ` ${inside.ended}/${inside.total}`;
}

function reasonOf(row: TreeRow): Segment[] {
  const { status, message, question, stopping, path } = row;
  if (status === "paused" && question !== undefined) return [[`  ${cleanLine(question.trim())}`, "yellow"]];
  if (status === "sleeping" && row.wake_at !== undefined) return sleepOf(message, row.wake_at);
  if (status === "interrupted" && row.progress === undefined)
    return [["  was running when its process ended", "yellow"]];
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
