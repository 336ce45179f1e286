import { diffLines, type LineEdit } from "./line-diff.ts";

export interface UnifiedDiff {
  readonly text: string;
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

export interface DiffedFile {
  readonly path: string;
  /** Nothing when there is no such file. */
  readonly before: string | undefined;
  readonly after: string;
}

const linesAround = 3;
const mostCharacters = 1_000_000;

/** What `diff -u` would say, with the names as git writes them; empty when nothing differs. */
export function unifiedDiff({ path, before, after }: DiffedFile): UnifiedDiff {
  const [oldLines, newLines] = [linesOf(before ?? ""), linesOf(after)];
  const { edits, removed, added } = diffLines(oldLines, newLines);
  const head = [`--- ${before === undefined ? "/dev/null" : quoted(`a/${path}`)}\n`, `+++ ${quoted(`b/${path}`)}\n`];
  const body = groupEdits(edits, oldLines.length).flatMap((hunk) => writeHunk(hunk, oldLines, newLines));
  const isNew = before === undefined;
  const text = edits.length === 0 && !isNew ? "" : shorten([...head, ...body]);
  return { text, linesAdded: added, linesRemoved: removed };
}

/** Each with its own end, so that a missing last one is a difference. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** Edits that are shown together, since the lines around them touch. */
interface Hunk extends LineEdit {
  readonly edits: readonly LineEdit[];
}

function groupEdits(edits: readonly LineEdit[], oldLength: number): Hunk[] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const isNear = group !== undefined && edit.oldStart - (group.at(-1) as LineEdit).oldEnd <= 2 * linesAround;
    if (isNear) group.push(edit);
    else groups.push([edit]);
  }
  return groups.map((group) => {
    const [first, last] = [group[0] as LineEdit, group.at(-1) as LineEdit];
    const ahead = Math.min(linesAround, first.oldStart);
    const behind = Math.min(linesAround, oldLength - last.oldEnd);
    return {
      edits: group,
      oldStart: first.oldStart - ahead,
      oldEnd: last.oldEnd + behind,
      newStart: first.newStart - ahead,
      newEnd: last.newEnd + behind,
    };
  });
}

function writeHunk(hunk: Hunk, oldLines: readonly string[], newLines: readonly string[]): string[] {
  const lines = [`@@ -${range(hunk.oldStart, hunk.oldEnd)} +${range(hunk.newStart, hunk.newEnd)} @@\n`];
  let shown = hunk.oldStart;
  const keepUntil = (end: number): void => {
    for (; shown < end; shown++) lines.push(writeLine(" ", oldLines[shown]));
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of hunk.edits) {
    keepUntil(oldStart);
    for (; shown < oldEnd; shown++) lines.push(writeLine("-", oldLines[shown]));
    for (let added = newStart; added < newEnd; added++) lines.push(writeLine("+", newLines[added]));
  }
  keepUntil(hunk.oldEnd);
  return lines;
}

/** Counted from 1; of no lines at all, the one before them. */
function range(start: number, end: number): string {
  const count = end - start;
  if (count === 1) return String(start + 1);
  return `${count === 0 ? start : start + 1},${count}`;
}

function writeLine(sign: string, line = ""): string {
  return line.endsWith("\n") ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
}

function quoted(name: string): string {
  return /[\p{Cc}"\\]/u.test(name) ? JSON.stringify(name) : name;
}

function shorten(lines: readonly string[]): string {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length;
    return length > mostCharacters;
  });
  if (end === -1) return lines.join("");
  return `${lines.slice(0, end).join("")}... ${lines.length - end} more lines\n`;
}
