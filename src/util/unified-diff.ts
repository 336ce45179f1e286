import { countLines, type DifferingPart, differingPart } from "./differing-part.ts";
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
  /** Nothing when it is deleted. */
  readonly after: string | undefined;
}

const linesAround = 3;
const mostCharacters = 1_000_000;
/** Comparing more would hold up everything else for too long; of those, no more are taken apart than can be shown. */
const mostLinesCompared = 300_000;

/** What `diff -u` would say, with the names as git writes them; empty when nothing differs. */
export function unifiedDiff({ path, before, after }: DiffedFile): UnifiedDiff {
  const part = differingPart(before ?? "", after ?? "", linesAround);
  const { body, hidden, removed, added } = isTooLong(part) ? replaceAll(part) : compareLines(part);
  const nameOf = (side: "a" | "b", text: string | undefined): string =>
    text === undefined ? "/dev/null" : quoted(`${side}/${path}`);
  const head = [`--- ${nameOf("a", before)}\n`, `+++ ${nameOf("b", after)}\n`];
  const isSame = body.length === 0 && before !== undefined && after !== undefined;
  const text = isSame ? "" : shorten([...head, ...body], hidden);
  return { text, linesAdded: added, linesRemoved: removed };
}

interface Body {
  readonly body: readonly string[];
  /** Lines that would follow, but can't be shown in any case. */
  readonly hidden: number;
  readonly removed: number;
  readonly added: number;
}

function isTooLong({ before, after }: DifferingPart): boolean {
  return countLines(before) + countLines(after) > mostLinesCompared;
}

function compareLines({ before, after, linesAhead }: DifferingPart): Body {
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const { edits, removed, added } = diffLines(oldLines, newLines);
  const hunks = groupEdits(edits, oldLines.length);
  return { body: hunks.flatMap((hunk) => writeHunk(hunk, oldLines, newLines, linesAhead)), hidden: 0, removed, added };
}

/** What lies beyond the characters that can be shown is only counted. */
function replaceAll({ before, after, linesAhead }: DifferingPart): Body {
  const [removed, added] = [countLines(before), countLines(after)];
  const [oldLines, newLines] = [linesOf(before, mostCharacters), linesOf(after, mostCharacters)];
  const body = [
    hunkHead({ oldStart: 0, oldEnd: removed, newStart: 0, newEnd: added }, linesAhead),
    ...oldLines.map((line) => writeLine("-", line)),
    ...newLines.map((line) => writeLine("+", line)),
  ];
  return { body, hidden: removed + added - oldLines.length - newLines.length, removed, added };
}

/** Each with its own end, so that a missing last one is a difference; until they and their signs have so many characters. */
export function linesOf(text: string, characters: number = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length && start + lines.length <= characters; ) {
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

function writeHunk(hunk: Hunk, oldLines: readonly string[], newLines: readonly string[], linesAhead: number): string[] {
  const lines = [hunkHead(hunk, linesAhead)];
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

function hunkHead({ oldStart, oldEnd, newStart, newEnd }: LineEdit, linesAhead: number): string {
  const [old, now] = [
    range(oldStart + linesAhead, oldEnd + linesAhead),
    range(newStart + linesAhead, newEnd + linesAhead),
  ];
  return `@@ -${old} +${now} @@\n`;
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

function shorten(lines: readonly string[], hidden: number): string {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length;
    return length > mostCharacters;
  });
  if (end === -1) return lines.join("");
  return `${lines.slice(0, end).join("")}... ${lines.length - end + hidden} more lines\n`;
}
