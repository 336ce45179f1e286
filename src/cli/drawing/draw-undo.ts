import { paint, type Style } from "../../diagnostic/style.ts";
import type { OnConflict } from "../../runs/undo-plan.ts";
import type { UndoForecast, UndoneFile } from "../../views/undo-forecast.ts";
import { countOf } from "../print-diagnostics.ts";
import type { Terminal } from "../terminal.ts";
import { type Entry, layOutEntries } from "../text/lay-out-entries.ts";
import type { Segment } from "../text/lay-out-line.ts";
import { layOutTable, lineWidth, type TableRow } from "../text/lay-out-table.ts";
import { cleanLine, cleanText } from "../text/visible-text.ts";
import { wrapWords } from "../text/wrap-words.ts";

/** Of more in one section the first are shown, and how many there are. */
const mostShown = 8;

const conflictWords: Readonly<Record<OnConflict, string>> = {
  keep: "Changed since the run: stays as it is",
  merge: "Changed since the run: merged where both fit, else it stays",
  ask: "Changed since the run: you are asked",
  force: "Changed since the run: replaced all the same",
};

/** What an undo would do, for a person who is to decide: what comes back, what does not, and why. */
export function drawUndo(forecast: UndoForecast, onConflict: OnConflict, terminal: Terminal): string[] {
  const { moves = [], refs = [], compensations = [], irreversible = [], not_captured: lost = [] } = forecast;
  const files = withoutObvious(forecast.files);
  const restorable = files.filter(({ found }) => found === "restorable");
  const of = (word: UndoneFile["undo"]): readonly UndoneFile[] => restorable.filter(({ undo }) => undo === word);
  const movedBack = moves.map(({ from, to, by }) => row(`${cleanLine(from)}/ -> ${cleanLine(to)}/`, listNames(by)));
  const unkept = found(files, "not-kept").map((file) => [nameOf(file), notKeptWhy] as const);
  const sections = [
    section(conflictWords[onConflict], "yellow", fileRows(found(files, "conflict")), terminal),
    section("Restored", "green", fileRows(of("restored")), terminal),
    section("Brought back, as the run deleted it", "green", fileRows(of("brought back")), terminal),
    section("Moved back", "green", [...fileRows(of("moved back")), ...movedBack], terminal),
    section("Removed again, as the run made it", "green", fileRows(of("removed")), terminal),
    section(
      "Taken back in git",
      "green",
      refs.map(({ name, by }) => row(cleanLine(name), listNames(by))),
      terminal,
    ),
    drawCompensations(compensations, terminal),
    explained("Can't be brought back", [...unkept, ...lost.map(({ path, why }) => [path, why] as const)], terminal),
    explained("Can't be undone", groupByReason(irreversible), terminal),
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

const notKeptWhy = "what it held was not kept";

function row(name: string, about: string): TableRow {
  return { cells: [[cleanLine(name)]], about: [[cleanLine(about), "dim"]] };
}

/** Where many did the same, the first ones tell which they are. */
const mostNames = 5;

function listNames(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).map(cleanLine).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Each as its author wrote it: it runs, so it can be read before. */
function drawCompensations(compensations: NonNullable<UndoForecast["compensations"]>, terminal: Terminal): string[] {
  if (compensations.length === 0) return [];
  const blocks = compensations.slice(0, mostShown).flatMap(({ block, type, text }) => [
    `  ${paint(cleanLine(block), "bold", terminal.colour)}`,
    ...cleanText(text.trimEnd() || `type: ${type}`)
      .split("\n")
      .slice(0, mostShown)
      .flatMap((line) => wrapWords(line, lineWidth(terminal), { first: "    ", following: "      " })),
  ]);
  const more = compensations.length - mostShown;
  return [
    paint("Run: the `undo` of these blocks", "green", terminal.colour),
    ...blocks,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function found(files: readonly UndoneFile[], how: UndoneFile["found"]): readonly UndoneFile[] {
  return files.filter((file) => file.found === how);
}

function section(title: string, style: Style, rows: readonly TableRow[], terminal: Terminal): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - mostShown;
  const [head = "", ...others] = wrapWords(title, lineWidth(terminal));
  return [
    ...[head, ...others].map((line) => paint(line, style, terminal.colour)),
    ...layOutTable([{ least: 20 }, { align: "right" }, { align: "right" }], rows.slice(0, mostShown), terminal, "  "),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function fileRows(files: readonly UndoneFile[]): readonly TableRow[] {
  return foldFiles(files).map(({ name, count, file }): TableRow => {
    const { lines_added: added = 0, lines_removed: removed = 0, by } = file;
    const isAlone = count === 1;
    const cells: Segment[] = [
      [isAlone ? name : `${name} (${count} files)`],
      [isAlone && added > 0 ? `+${added}` : "", "green"],
      [isAlone && removed > 0 ? `-${removed}` : "", "red"],
    ];
    return { cells, about: [[listNames(by), "dim"]] };
  });
}

interface Folded {
  readonly name: string;
  readonly count: number;
  readonly file: UndoneFile;
}

/** Where there are many, those in one directory are one line. */
function foldFiles(files: readonly UndoneFile[]): readonly Folded[] {
  if (files.length <= mostShown) return files.map((file) => ({ name: nameOf(file), count: 1, file }));
  const groups = new Map<string, UndoneFile[]>();
  for (const file of files) {
    const end = file.path.indexOf("/", 1);
    const name = end === -1 ? nameOf(file) : cleanLine(file.path.slice(0, end + 1));
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return [...groups].map(([name, inside]) => {
    const [first] = inside as [UndoneFile];
    if (inside.length === 1) return { name: nameOf(first), count: 1, file: first };
    return { name, count: inside.length, file: { ...first, by: [...new Set(inside.flatMap(({ by }) => by))] } };
  });
}

function nameOf({ path, kind, from }: UndoneFile): string {
  const moved = from === undefined ? "" : `${cleanLine(from)} -> `;
  return `${moved}${cleanLine(path)}${kind === "directory" ? "/" : ""}`;
}

/** Blocks of which the same is to be said are one entry. */
function groupByReason(irreversible: NonNullable<UndoForecast["irreversible"]>): readonly Reason[] {
  const byReason = new Map<string, string[]>();
  for (const { block, why } of irreversible) byReason.set(why, [...(byReason.get(why) ?? []), block]);
  return [...byReason].map(([why, blocks]) => [listNames(blocks), why]);
}

type Reason = readonly [name: string, why: string];

/** Why something does not come back is read to its end. */
function explained(title: string, reasons: readonly Reason[], terminal: Terminal): string[] {
  if (reasons.length === 0) return [];
  const more = reasons.length - mostShown;
  const entries = reasons.slice(0, mostShown).map(([name, why]): Entry => {
    return { cells: [[cleanLine(name)]], text: [[cleanLine(why), "dim"]] };
  });
  return [
    paint(title, "red", terminal.colour),
    ...layOutEntries(entries, terminal),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** A directory of which something is told that comes and goes with it says nothing by itself. */
function withoutObvious(files: readonly UndoneFile[]): readonly UndoneFile[] {
  const around = new Set(
    files.flatMap(({ path, undo, found }) => parentsOf(path).map((at) => `${undo} ${found} ${at}`)),
  );
  return files.filter(({ path, kind, undo, found }) => kind !== "directory" || !around.has(`${undo} ${found} ${path}`));
}

function parentsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

/** The same in a sentence or two, to stand above the question. */
export function summariseUndo(forecast: UndoForecast, onConflict: OnConflict): string {
  const { moves = [], refs = [], compensations = [], irreversible = [], not_captured: lost = [] } = forecast;
  const files = withoutObvious(forecast.files);
  const count = (how: UndoneFile["found"]): number => found(files, how).length;
  const removed = files.filter(({ found, undo }) => found === "restorable" && undo === "removed").length;
  const back = count("restorable") - removed;
  const goes = [
    ...(back === 0 ? [] : [back === 1 ? "1 file goes back to how it was" : `${back} files go back to how they were`]),
    ...(removed === 0 ? [] : [`${countOf(removed, "new file")} ${isOrAre(removed)} removed`]),
    ...(moves.length === 0 ? [] : [`${countOf(moves.length, "move")} ${isOrAre(moves.length)} taken back`]),
    ...(refs.length === 0 ? [] : [`${countOf(refs.length, "git ref")} ${isOrAre(refs.length)} taken back`]),
    ...(compensations.length === 0 ? [] : [`the \`undo\` of ${countOf(compensations.length, "block")} runs`]),
  ].join(", ");
  const [already, conflicts] = [count("already"), count("conflict")];
  const gone = count("not-kept") + lost.length;
  return [
    ...(goes === "" ? [] : [`${goes}.`]),
    ...(already === 0 ? [] : [`${countOf(already, "file")} ${isOrAre(already)} as before already.`]),
    ...(conflicts === 0
      ? []
      : [`${countOf(conflicts, "file")} changed since ${conflictEnds[onConflict][conflicts === 1 ? 0 : 1]}.`]),
    ...(gone === 0 ? [] : [`${gone} can't be brought back.`]),
    ...(irreversible.length === 0 ? [] : [`${countOf(irreversible.length, "block")} can't be undone.`]),
  ].join(" ");
}

function isOrAre(count: number): string {
  return count === 1 ? "is" : "are";
}

const conflictEnds: Readonly<Record<OnConflict, readonly [one: string, many: string]>> = {
  keep: ["stays as it is", "stay as they are"],
  merge: ["is merged where both fit", "are merged where both fit"],
  ask: ["is asked about", "are asked about"],
  force: ["is replaced", "are replaced"],
};
