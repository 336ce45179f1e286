import { paint } from "../../diagnostic/style.ts";
import { type ProjectSurvey, trustedText } from "../../library/project-trust.ts";
import type { Platform } from "../../runs/platform.ts";
import { diffLines } from "../../util/line-diff.ts";
import { cleanLine } from "../text/visible-text.ts";

const styles = { changed: "yellow", new: "green", removed: "red" } as const;
const kinds = ["changed", "new", "removed"] as const;

/** What is different in a project from what was trusted, one line for each file. */
export function drawChanges({ changes }: ProjectSurvey, colour: boolean): string[] {
  return kinds.flatMap((kind) =>
    changes[kind].map((path) => `  ${paint(kind.padEnd("changed".length), styles[kind], colour)}  ${cleanLine(path)}`),
  );
}

/** The same with the lines that are different; of all files, or of some. Of a new file all are. */
export function drawDiffs(
  survey: ProjectSurvey,
  platform: Platform,
  colour: boolean,
  isShown: (path: string) => boolean = () => true,
): string[] {
  const { project, files, changes } = survey;
  return kinds.flatMap((kind) =>
    changes[kind].filter(isShown).flatMap((path) => {
      const before = kind === "new" ? "" : trustedText(project, path, platform);
      return drawFile(kind, path, before, files.get(path) ?? "", colour);
    }),
  );
}

/** One file. What was there before may not be kept any more: then it is shown as a whole. */
export function drawFile(
  kind: "new" | "changed" | "removed",
  path: string,
  before: string | undefined,
  after: string,
  colour: boolean,
): string[] {
  const title = paint(`${kind} ${cleanLine(path)}`, styles[kind], colour);
  const note = before === undefined ? ["  The text that was trusted is not kept."] : [];
  return [title, ...note, ...drawDiff(linesOf(before ?? ""), linesOf(after), colour)];
}

const linesAround = 2;
const mostLines = 400;

function drawDiff(before: readonly string[], after: readonly string[], colour: boolean): string[] {
  const lines: string[] = [];
  let shown = 0;
  const keep = (from: number, to: number): void => {
    for (const line of before.slice(from, to)) lines.push(`    ${cleanLine(line)}`);
    shown = Math.max(shown, to);
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(before, after).edits) {
    if (shown > 0) keep(shown, Math.min(shown + linesAround, oldStart));
    const ahead = Math.max(shown, oldStart - linesAround);
    if (ahead > shown) lines.push(paint(`  line ${newStart - (oldStart - ahead) + 1}`, "dim", colour));
    keep(ahead, oldStart);
    for (const line of before.slice(oldStart, oldEnd)) lines.push(paint(`  - ${cleanLine(line)}`, "red", colour));
    for (const line of after.slice(newStart, newEnd)) lines.push(paint(`  + ${cleanLine(line)}`, "green", colour));
    shown = oldEnd;
  }
  keep(shown, Math.min(shown + linesAround, before.length));
  const more = lines.length - mostLines;
  return more <= 0 ? lines : [...lines.slice(0, mostLines), `  and ${more} more lines: read the file`];
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
