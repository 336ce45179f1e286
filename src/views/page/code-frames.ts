import type { FrameLine, PageDiagnostic, PageMark } from "./workflow-records.ts";

const levels: readonly PageDiagnostic["level"][] = ["error", "warning", "hint"];

/** One mark for each line that something is said of, with the worst level of what is. */
export function marksOf(problems: readonly PageDiagnostic[]): readonly PageMark[] {
  const marks = new Map<number, PageMark>();
  for (const { line, level, message } of problems) {
    if (line === undefined) continue;
    const before = marks.get(line);
    marks.set(line, {
      line,
      level: before === undefined || levels.indexOf(level) < levels.indexOf(before.level) ? level : before.level,
      says: before === undefined ? message : `${before.says} ${message}`,
    });
  }
  return [...marks.values()];
}

/** Each problem with the lines of the text that it is about. */
export function withFrames(problems: readonly PageDiagnostic[], text: string): readonly PageDiagnostic[] {
  const lines = text.split("\n");
  return problems.map((problem) => ({ ...problem, frame: frameOf(lines, problem) }));
}

const around = 2;
const mostLines = 9;

/** The lines that a problem is about, with a few around them. Nothing where it has no place. */
function frameOf(
  lines: readonly string[],
  { line, column = 1, end_line: endLine = line, end_column: endColumn = column + 1 }: PageDiagnostic,
): readonly FrameLine[] {
  if (line === undefined || endLine === undefined) return [];
  const first = Math.max(1, line - around);
  const last = Math.min(lines.length, endLine + around, first + mostLines - 1);
  return Array.from({ length: last - first + 1 }, (_, index): FrameLine => {
    const number = first + index;
    const shown = (lines[number - 1] ?? "").replace(/\r$/, "");
    if (number < line || number > endLine) return { number, before: shown };
    const from = number === line ? column : 1 + (/^\s*/.exec(shown)?.[0].length ?? 0);
    const to = number === endLine ? Math.max(endColumn, from + 1) : shown.length + 1;
    const meant = shown.slice(from - 1, to - 1);
    // What is missing at the end of a line is shown there.
    return { number, before: shown.slice(0, from - 1), meant: meant === "" ? " " : meant, after: shown.slice(to - 1) };
  });
}
