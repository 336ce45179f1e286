import { paint, type Style } from "../diagnostic/style.ts";
import type { CaseResult, FileResult } from "../testing/case-result.ts";
import type { Mismatch } from "../testing/compare.ts";
import { countCases } from "../testing/describe-tests.ts";
import { endOfOutput } from "../views/failures.ts";
import { drawDifference } from "./drawing/draw-difference.ts";
import type { Terminal } from "./terminal.ts";
import { formatMilliseconds } from "./text/format-duration.ts";
import { cleanLine, cleanText } from "./text/visible-text.ts";

/** The cases of one file, each on a line; below one that has failed, what was expected and what was found. */
export function printTestFile({ file, cases }: FileResult, terminal: Terminal): void {
  const { colour } = terminal;
  const lines = [
    paint(cleanLine(file), "bold", colour),
    ...cases.flatMap((one) => [
      `  ${describeStatus(one, colour)} ${cleanLine(one.name)} ${paint(formatMilliseconds(one.durationMs), "dim", colour)}`,
      ...describeFailure(one, colour).map((line) => (line === "" ? "" : `    ${line}`)),
    ]),
  ];
  terminal.write(`${lines.join("\n")}\n`);
  for (const one of cases) {
    if (one.status !== "failed") continue;
    const message = describeFailure(one, false).join("\n");
    terminal.github?.annotate({ level: "error", title: `${one.name}: failed`, message, file, line: one.line });
  }
}

const words: Record<CaseResult["status"], readonly [string, Style]> = {
  passed: ["ok", "green"],
  failed: ["FAILED", "red"],
  skipped: ["skipped", "yellow"],
  cancelled: ["cancelled", "yellow"],
};

function describeStatus({ status, needs }: CaseResult, colour: boolean): string {
  const [word, style] = words[status];
  return paint(`${word}${describeNeeds(needs)}`, style, colour);
}

function describeNeeds(needs: readonly string[]): string {
  return needs.length === 0 ? "" : ` (needs ${needs.map(cleanLine).join(", ")})`;
}

function describeFailure({ status, mismatches, failedBlocks, warnings, kept }: CaseResult, colour: boolean): string[] {
  if (status !== "failed") return [];
  return [
    ...mismatches.flatMap((mismatch) => describeMismatch(mismatch, colour)),
    ...failedBlocks.flatMap((failed) => [
      `${paint("failed block", "red", colour)} ${cleanLine(failed.block)}: ${cleanLine(failed.message)}`,
      ...linesOf(endOfOutput(failed)).map((line) => paint(`  | ${line}`, "dim", colour)),
    ]),
    ...warnings.map((warning) => `${paint("warning", "yellow", colour)} ${cleanLine(warning)}`),
    ...(kept === undefined ? [] : [`kept in ${kept}`]),
  ];
}

function describeMismatch({ at, expected, found, message }: Mismatch, colour: boolean): string[] {
  return [
    paint(cleanLine(at), "bold", colour),
    ...(expected === undefined ? [] : drawDifference(expected, found, colour).map((line) => `  ${line}`)),
    ...(message === undefined ? [] : linesOf(message).map((line) => `  ${line}`)),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : cleanText(text).split("\n");
}

/** `31 passed, 1 failed, 2 skipped (needs pytest)`. */
export function summariseTests(files: readonly FileResult[], durationMs: number, colour: boolean): string {
  const { passed, failed, skipped, cancelled } = countCases(files);
  const needs = [...new Set(files.flatMap(({ cases }) => cases.flatMap((one) => one.needs)))].sort();
  const parts = [
    paint(`${passed} passed`, passed > 0 && failed === 0 ? "green" : "bold", colour),
    ...(failed === 0 ? [] : [paint(`${failed} failed`, "red", colour)]),
    ...(skipped === 0 ? [] : [paint(`${skipped} skipped${describeNeeds(needs)}`, "yellow", colour)]),
    ...(cancelled === 0 ? [] : [paint(`${cancelled} cancelled`, "yellow", colour)]),
  ];
  return `${parts.join(", ")} ${paint(`in ${formatMilliseconds(durationMs)}`, "dim", colour)}`;
}
