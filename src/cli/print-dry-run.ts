import { paint, type Style } from "../diagnostic/style.ts";
import { formatValue } from "../expression/format-value.ts";
import type { Value } from "../expression/value.ts";
import type { BlockForecast, DryRunResponse, FileForecast, VerdictWord } from "../views/dry-run.ts";
import { exitCodes } from "./context.ts";
import { type ForecastGroup, foldForecast } from "./drawing/fold-forecast.ts";
import { drawDiff } from "./print-changes.ts";
import { printJson } from "./print-diagnostics.ts";
import type { Terminal } from "./terminal.ts";
import { cleanLine, cleanText } from "./text/visible-text.ts";

const styles: Readonly<Record<VerdictWord, Style>> = {
  "would run": "green",
  "may run": "yellow",
  "would skip": "dim",
  "would fail": "red",
  "would be reused": "cyan",
};

const marks: Readonly<Record<VerdictWord, readonly [unicode: string, ascii: string]>> = {
  "would run": ["·", "."],
  "may run": ["?", "?"],
  "would skip": ["-", "-"],
  "would fail": ["✗", "x"],
  "would be reused": ["✓", "+"],
};

/** Gives the exit code. */
export function reportDryRun(response: DryRunResponse, json: boolean, terminal: Terminal): number {
  if (json) printJson(response, terminal);
  else printDryRun(response, terminal);
  return response.would_fail === undefined ? exitCodes.success : exitCodes.failure;
}

/** What a run would do, for a person: a line for each block, what it would be given, and how files would change. */
function printDryRun(response: DryRunResponse, terminal: Terminal): void {
  const { colour } = terminal;
  const groups = foldForecast(response.blocks);
  const sections = [
    groups.flatMap((group) => drawGroup(group, terminal)),
    ...(response.files ?? []).map((file) => drawFile(file, colour)),
    outputsOf(response, colour),
    [...(response.remarks ?? []).map((remark) => paint(remark, "dim", colour)), summaryOf(response, colour)],
  ];
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`);
  terminal.write(texts.join("\n"));
}

/** Beyond these, blocks of which the same is to be said are one line. */
const mostAlone = 3;
const mostNames = 8;

function drawGroup({ kind, blocks }: ForecastGroup, terminal: Terminal): string[] {
  const [first] = blocks;
  if (first === undefined || kind === "alone" || (kind === "reused" && blocks.length <= mostAlone)) {
    return blocks.flatMap((block) => drawBlock(block, terminal));
  }
  const { colour, unicode } = terminal;
  const { verdict } = first;
  const names = blocks.slice(0, mostNames).map(nameOf);
  const more = blocks.length > mostNames ? ` and ${blocks.length - mostNames} more` : "";
  const mark = paint(marks[verdict][unicode ? 0 : 1], styles[verdict], colour);
  const likewise = kind === "alike" ? " likewise" : "";
  return [
    `${indentOf(first)}${mark} ${names.join(", ")}${more} ${paint(`${verdict}${likewise}`, styles[verdict], colour)}`,
  ];
}

function indentOf({ block }: BlockForecast): string {
  return "  ".repeat(block.split("/").length - 1);
}

function nameOf({ block, element }: BlockForecast): string {
  const key = cleanLine(block.slice(block.lastIndexOf("/") + 1));
  // As in the tree of a run: the number of a pass is no name.
  const name = element !== undefined && /^\d+$/.test(key) ? `[${key}]` : key;
  return element === undefined ? name : `${name} ${shortly(element, longestElement)}`;
}

function drawBlock(block: BlockForecast, { colour, unicode }: Terminal): string[] {
  const { verdict, remarks = [], inputs = {} } = block;
  const isToldAtOnce = verdict === "would run" && block.why === undefined;
  const why = isToldAtOnce ? block.not_reused : block.why;
  const indent = indentOf(block);
  const title = paint(nameOf(block), verdict === "would skip" ? "dim" : "bold", colour);
  const mark = paint(marks[verdict][unicode ? 0 : 1], styles[verdict], colour);
  const type = [block.type ?? "", block.is_finally ? "finally" : ""].filter((word) => word !== "").join(", ");
  const head = `${indent}${mark} ${title}${type === "" ? "" : paint(` (${type})`, "dim", colour)}`;
  const reason = why === undefined ? "" : paint(`: ${cleanLine(why)}`, styles[verdict], colour);
  return [
    `${head} ${paint(verdict, styles[verdict], colour)}${reason}`,
    ...(verdict === "would skip"
      ? []
      : Object.entries(inputs).flatMap(([key, value]) => drawInput(key, value, block))
    ).map((line) => paint(`${indent}    ${line}`, "dim", colour)),
    ...(block.not_reused === undefined || isToldAtOnce ? [] : [`Not reused: ${block.not_reused}`]).map((line) =>
      paint(`${indent}    ${cleanLine(line)}`, "dim", colour),
    ),
    ...remarks.map((remark) => paint(`${indent}    ${cleanLine(remark)}`, "yellow", colour)),
  ];
}

const longestElement = 30;
const longestInput = 100;
const mostLines = 6;

/** What is not run is shown whole, as far as it can be read; what a file block does is in the changes. */
function drawInput(name: string, value: Value, { not_run: notRun }: BlockForecast): string[] {
  const label = `${cleanLine(name)}:`;
  if (typeof value !== "string" || !notRun) return [`${label} ${shortly(value, longestInput)}`];
  const lines = cleanText(value.trimEnd()).split("\n");
  if (lines.length === 1) return [`${label} ${lines[0]}`];
  const more = lines.length - mostLines;
  return [
    label,
    ...lines.slice(0, mostLines).map((line) => `  ${line}`),
    ...(more > 0 ? [`  ... ${more} more lines: --json has them all`] : []),
  ];
}

function shortly(value: Value, longest: number): string {
  const text = cleanLine(value === null ? "null" : formatValue(value).trimEnd());
  return text.length <= longest ? text : `${text.slice(0, longest)}...`;
}

function outputsOf({ outputs = {}, unknown_outputs: unknown = {} }: DryRunResponse, colour: boolean): string[] {
  return [
    ...Object.entries(outputs).map(
      ([name, value]) => `${paint(cleanLine(name), "bold", colour)}: ${shortly(value, 1_000)}`,
    ),
    ...Object.entries(unknown).map(
      ([name, about]) =>
        `${paint(cleanLine(name), "bold", colour)}: ${paint(`depends on ${cleanLine(about)}`, "yellow", colour)}`,
    ),
  ];
}

function drawFile(file: FileForecast, colour: boolean): string[] {
  const { path, change, kind, from, mode, diff, only_if: onlyIf } = file;
  const moved = from === undefined ? "" : ` from ${cleanLine(from)}`;
  const details = [
    ...(file.was === undefined ? [] : [`was a ${file.was}`]),
    ...(mode === undefined || (diff !== undefined && change === "created") ? [] : [`mode ${mode}`]),
    ...sizes(file),
    ...(onlyIf === undefined ? [] : [`only if ${cleanLine(onlyIf)} runs`]),
  ];
  const about = details.length === 0 ? "" : paint(` (${details.join(", ")})`, "dim", colour);
  const title = paint(`${change} ${kind === undefined ? "" : `${kind} `}${cleanLine(path)}${moved}`, "bold", colour);
  return [`${title}${about}`, ...drawDiff(diff ?? "", colour)];
}

function sizes({ size_before: before, size_after: after }: FileForecast): string[] {
  if (before === undefined && after === undefined) return [];
  const bytes = (size: number | undefined): string => `${(size ?? 0).toLocaleString("en-US")} bytes`;
  if (before === undefined || after === undefined) return [bytes(before ?? after)];
  return [`${bytes(before)} before, ${bytes(after)} after`];
}

function summaryOf({ counts, workflow, would_fail: problem }: DryRunResponse, colour: boolean): string {
  const told = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
  const word = paint("dry run", problem === undefined ? "green" : "red", colour);
  const failure = problem === undefined ? "" : `\n  would fail: ${cleanText(problem).replaceAll("\n", "\n  ")}`;
  return `${word} ${cleanLine(workflow)}: ${told.join(", ")}; nothing was run or changed${failure}`;
}
