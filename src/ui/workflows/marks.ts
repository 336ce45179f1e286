import type { PageDiagnostic } from "../../views/page/workflow-records.ts";

/** What is said of one line of a text. */
export interface Mark {
  readonly line: number;
  readonly level: PageDiagnostic["level"];
  /** All of its messages. */
  readonly says: string;
}

const levels: readonly PageDiagnostic["level"][] = ["error", "warning", "hint"];

/** One mark for each line that something is said of, with the worst level of what is. */
export function marksOf(problems: readonly PageDiagnostic[]): ReadonlyMap<number, Mark> {
  const marks = new Map<number, Mark>();
  for (const { line, level, message } of problems) {
    if (line === undefined) continue;
    const before = marks.get(line);
    marks.set(line, {
      line,
      level: before === undefined || levels.indexOf(level) < levels.indexOf(before.level) ? level : before.level,
      says: before === undefined ? message : `${before.says} ${message}`,
    });
  }
  return marks;
}

/** The line of a text that a position is in, from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

/** Where a line begins, or a column of it. */
export function positionOf(text: string, line: number, column = 1): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf("\n", start);
    if (next === -1) return text.length;
    start = next + 1;
  }
  const end = text.indexOf("\n", start);
  return Math.min(start + column - 1, end === -1 ? text.length : end);
}

/** A line of a code frame: what of it is underlined, from one column to before another. */
export interface FrameLine {
  readonly number: number;
  readonly text: string;
  readonly from?: number;
  readonly to?: number;
}

const around = 2;
const mostLines = 9;

/** The lines that a problem is about, with a few around them. Nothing where it has no place. */
export function frameOf(
  text: string,
  { line, column = 1, end_line: endLine = line, end_column: endColumn = column + 1 }: PageDiagnostic,
): readonly FrameLine[] {
  if (line === undefined || endLine === undefined) return [];
  const lines = text.split("\n");
  const first = Math.max(1, line - around);
  const last = Math.min(lines.length, endLine + around, first + mostLines - 1);
  return Array.from({ length: last - first + 1 }, (_, index): FrameLine => {
    const number = first + index;
    const shown = (lines[number - 1] ?? "").replace(/\r$/, "");
    if (number < line || number > endLine) return { number, text: shown };
    const from = number === line ? column : 1 + (/^\s*/.exec(shown)?.[0].length ?? 0);
    const to = number === endLine ? Math.max(endColumn, from + 1) : shown.length + 1;
    return { number, text: shown, from, to };
  });
}
