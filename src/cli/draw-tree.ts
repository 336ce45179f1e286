import type { Style } from "../diagnostic/style.ts";
import { type Node, questionOf } from "../engine/node.ts";
import type { RunState } from "../engine/state.ts";
import { formatElapsed, formatMilliseconds } from "./format-duration.ts";
import { layOutLine, type Segment, widthOfSegments } from "./lay-out-line.ts";
import { chooseRows, type RowKind, type TreeRow, treeRows } from "./tree-rows.ts";
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
  /** Nobody drives the run any more, although it has neither ended nor paused. */
  readonly isInterrupted?: boolean;
  /** The last line a running block has written, clean; empty when there is none. */
  lastLine(path: string): string;
}

const styles: Record<RowKind, Style> = {
  ok: "green",
  pending: "dim",
  skipped: "dim",
  running: "cyan",
  paused: "yellow",
  interrupted: "yellow",
  failed: "red",
  crashed: "red",
};

const unicodeMarks: Record<RowKind, string> = {
  ok: "✓",
  pending: "·",
  skipped: "-",
  running: "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏",
  paused: "?",
  interrupted: "~",
  failed: "✗",
  crashed: "!",
};

const asciiMarks: Record<RowKind, string> = { ...unicodeMarks, ok: "+", pending: ".", running: "|/-\\", failed: "x" };

const hiddenWords: Record<RowKind, string> = {
  ok: "done",
  pending: "waiting",
  skipped: "skipped",
  running: "running",
  paused: "asking",
  interrupted: "interrupted",
  failed: "failed",
  crashed: "could not run",
};

/** The tree of a run, or of one block of it, as lines, none wider and not more of them than asked for. */
export function drawTree(state: RunState, options: DrawOptions, top: Node = state.root): string[] {
  const { shown, hidden } = chooseRows(treeRows(top, options.isInterrupted === true), options.rows);
  const lines = shown.map((row) => drawRow(row, state, options));
  if (hidden.size > 0 && lines.length < options.rows) {
    const counts = [...hidden].map(([kind, count]) => `${count} ${hiddenWords[kind]}`).join(", ");
    lines.push(layOut([[`  and ${counts}`, "dim"]], options));
  }
  return lines;
}

/** Less room than this is not worth starting to show output in. */
const leastOutputColumns = 8;

function drawRow(row: TreeRow, state: RunState, options: DrawOptions): string {
  const { node, kind } = row;
  const name = node.parent === undefined ? state.started.workflow : nodeName(node);
  // Deep trees must not push their names off a narrow screen.
  const indent = " ".repeat(Math.min(2 * row.depth, Math.floor(options.columns / 2)));
  const segments: Segment[] = [
    [indent],
    [`${markOf(kind, options)} `, styles[kind]],
    [name, row.depth === 0 ? "bold" : kind === "pending" || kind === "skipped" ? "dim" : undefined],
    ...elementOf(node),
    [timing(node, kind, options), "dim"],
    [attempts(node), "dim"],
    ...reasonOf(row),
  ].filter((segment): segment is [string, Style?] => segment[0] !== "");
  const output = kind === "running" ? options.lastLine(node.path) : "";
  if (output !== "" && roomAfter(segments, options) > leastOutputColumns) segments.push([`  ${output}`, "dim"]);
  return layOut(segments, options);
}

function markOf(kind: RowKind, { unicode, frame }: DrawOptions): string {
  const mark = (unicode ? unicodeMarks : asciiMarks)[kind];
  return mark[frame % mark.length] ?? mark;
}

function nodeName({ key, element }: Node): string {
  return typeof element?.key === "number" ? `[${key}]` : cleanLine(key) || "''";
}

const longestElement = 30;

/** The element of a pass, where the number of the pass alone would say little. */
function elementOf({ element }: Node): Segment[] {
  if (element === undefined || typeof element.key === "string") return [];
  const { value } = element;
  // A number beside the number of the pass and a duration would only be taken for one of them.
  return typeof value === "string" ? [[` ${cutToWidth(cleanLine(value), longestElement)}`]] : [];
}

function timing(node: Node, kind: RowKind, { now }: DrawOptions): string {
  const { metadata } = node.record;
  if (kind === "ok" || kind === "failed" || kind === "crashed")
    return ` ${formatMilliseconds(metadata.execution_time_ms)}`;
  if (kind === "interrupted") return progress(node);
  if (kind !== "running" || metadata.started_at === null) return "";
  return ` ${formatElapsed(Math.max(0, now - Date.parse(metadata.started_at)))}${progress(node)}`;
}

/** Worth saying only of what did not end at the first. */
function attempts({ record }: Node): string {
  return record.metadata.attempts > 1 ? ` (attempt ${record.metadata.attempts})` : "";
}

function progress({ inside }: Node): string {
  if (inside.kind === "leaf") return "";
  return inside.kind === "loop"
    ? ` ${inside.endedPasses}/${inside.passes.length}`
    : ` ${inside.completions}/${inside.children.length}`;
}

function reasonOf({ node, kind }: TreeRow): Segment[] {
  const { message } = node.record.metadata;
  const question = questionOf(node);
  if (kind === "paused" && question !== undefined) return [[`  ${cleanLine(question.prompt.text.trim())}`, "yellow"]];
  if (kind === "interrupted" && node.inside.kind === "leaf")
    return [["  was running when its process ended", "yellow"]];
  if (kind === "running" && node.cancelling !== undefined)
    return [[`  stopping: ${cleanLine(node.cancelling.message)}`, "yellow"]];
  // How the run itself ended is said below the tree.
  if (message === null || node.parent === undefined || (kind !== "failed" && kind !== "crashed" && kind !== "skipped"))
    return [];
  return [[`  ${cleanLine(message)}`, kind === "skipped" ? "dim" : "red"]];
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
