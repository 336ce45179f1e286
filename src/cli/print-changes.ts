import { paint, type Style } from "../diagnostic/style.ts";
import type { ChangeWord, PathChange, RunChanges } from "../views/changes.ts";
import type { Terminal } from "./terminal.ts";
import type { Segment } from "./text/lay-out-line.ts";
import { layOutTable, type TableRow } from "./text/lay-out-table.ts";
import { cleanLine, cleanText } from "./text/visible-text.ts";

const styles: Readonly<Record<ChangeWord, Style>> = {
  created: "green",
  edited: "yellow",
  deleted: "red",
  moved: "cyan",
  mode: "yellow",
};

/** One line for each path that a run changed: what became of it, in how many lines, and by which blocks. */
export function drawChangeList(run: RunChanges, terminal: Terminal): string[] {
  const { changes, refs = [], not_captured: lost = [] } = run;
  const rows = withoutObvious(changes).map((one): TableRow => {
    const { change, lines_added: added = 0, lines_removed: removed = 0 } = one;
    const cells: Segment[] = [
      [change, styles[change]],
      [nameOf(one)],
      [added === 0 ? "" : `+${added}`, "green"],
      [removed === 0 ? "" : `-${removed}`, "red"],
    ];
    const about: Segment[] = [[one.by.map(cleanLine).join(", "), "dim"]];
    const remark = remarkOn(one);
    return { cells, about: remark === "" ? about : [...about, [remark, "yellow"]] };
  });
  const refRows = refs.map(({ name, before, after, by }): TableRow => {
    const cells: Segment[] = [
      ["git", "cyan"],
      [`${cleanLine(name)} ${shortId(before)} -> ${shortId(after)}`],
      [""],
      [""],
    ];
    return { cells, about: [[by.map(cleanLine).join(", "), "dim"]] };
  });
  const lostRows = lost.map(({ path, why, by }): TableRow => {
    const cells: Segment[] = [["not kept", "yellow"], [cleanLine(path)], [""], [""]];
    return {
      cells,
      about: [
        [by.map(cleanLine).join(", "), "dim"],
        [cleanLine(why), "yellow"],
      ],
    };
  });
  return layOutTable(
    [{}, { least: 20 }, { align: "right" }, { align: "right" }],
    [...rows, ...refRows, ...lostRows],
    terminal,
    "  ",
  );
}

/** Of a commit as much as git shows; of a symbolic ref all. */
function shortId(id: string | null): string {
  if (id === null) return "nothing";
  return /^[0-9a-f]{40,}$/.test(id) ? id.slice(0, 7) : cleanLine(id);
}

/** A directory of which something is told that was made or deleted with it says nothing by itself. */
function withoutObvious(changes: readonly PathChange[]): readonly PathChange[] {
  const around = new Set(changes.flatMap(({ path, change }) => parentsOf(path).map((parent) => `${change} ${parent}`)));
  return changes.filter(({ path, change, kind, now }) => {
    return kind !== "directory" || now !== undefined || !around.has(`${change} ${path}`);
  });
}

function parentsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

function nameOf(change: PathChange): string {
  const { path, from, kind, mode_before: before, mode_after: after, target_after: target } = change;
  const end = kind === "directory" ? "/" : "";
  const leads = target === undefined ? "" : ` (link to ${cleanLine(target)})`;
  const modes = before === undefined ? "" : ` (mode ${before} -> ${after})`;
  const moved = from === undefined ? "" : `${cleanLine(from)}${end} -> `;
  return `${moved}${cleanLine(path)}${end}${leads}${modes}`;
}

function remarkOn({ was, no_diff: noDiff, size_after: size, now }: PathChange): string {
  const why = noDiff === undefined ? [] : [size === undefined ? noDiff : `${noDiff}, ${bytes(size)}`];
  const before = was === undefined ? [] : [`was a ${was}`];
  return [...before, ...why, ...(now === undefined ? [] : [nowWords[now]])].join("; ");
}

const nowWords = { "as before": "is as before again", "changed since": "changed since" } as const;

function bytes(size: number): string {
  return `${size.toLocaleString("en-US")} bytes`;
}

/** `5 files: 3 edited, 1 created, 1 deleted`. */
export function countChanges(changes: readonly Pick<PathChange, "change" | "kind">[]): string {
  if (changes.length === 0) return "no files";
  const files = changes.filter(({ kind }) => kind !== "directory");
  const counted = files.length === 0 ? changes : files;
  const counts = (Object.keys(styles) as ChangeWord[]).flatMap((word) => {
    const count = counted.filter(({ change }) => change === word).length;
    return count === 0 ? [] : [`${count} ${word === "mode" ? "with another mode" : word}`];
  });
  const noun = files.length === 0 ? (changes.length === 1 ? "directory" : "directories") : countedFiles(files.length);
  return `${counted.length} ${noun}: ${counts.join(", ")}`;
}

function countedFiles(count: number): string {
  return count === 1 ? "file" : "files";
}

/** The diffs, one after another, as `patch` and `git apply` take them. */
export function drawDiffs(changes: readonly Pick<PathChange, "diff">[], colour: boolean): string[] {
  return changes.flatMap(({ diff = "" }) => drawDiff(diff, colour));
}

/** A unified diff, line by line. */
export function drawDiff(diff: string, colour: boolean): string[] {
  if (diff === "") return [];
  const lines = cleanText(diff.replace(/\n$/, "")).split("\n");
  return lines.map((line, index) => {
    // The names of the file; further down such a line is one of its own.
    if (index < 2) return paint(line, "bold", colour);
    if (line.startsWith("+")) return paint(line, "green", colour);
    if (line.startsWith("-")) return paint(line, "red", colour);
    return line.startsWith("@@") ? paint(line, "cyan", colour) : line;
  });
}
