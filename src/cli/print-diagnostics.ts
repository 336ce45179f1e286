import { type Diagnostic, locate, type WordedDiagnostic, wordDiagnostic } from "../diagnostic/diagnostic.ts";
import { renderDiagnostic } from "../diagnostic/render-diagnostic.ts";
import { escapeObeyed, printableJson } from "../util/printable-json.ts";
import { roughSize } from "../util/rough-size.ts";
import { writeJson } from "../util/write-json.ts";
import { describeRefusal } from "../views/response.ts";
import { exitCodes } from "./context.ts";
import { disarmJson } from "./output/github-commands.ts";
import type { Terminal } from "./terminal.ts";
import { cleanText } from "./text/visible-text.ts";
import { wordAdvice } from "./word-advice.ts";

/** The same problem with advice for a person at a terminal. */
export function explainForTerminal(diagnostic: Diagnostic): WordedDiagnostic {
  return wordDiagnostic(diagnostic, wordAdvice);
}

/** Diagnostics for people, on stderr. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  for (const diagnostic of diagnostics) {
    const worded = harmless(explainForTerminal(diagnostic));
    terminal.writeError(`${renderDiagnostic(worded, terminal.errorColour)}\n`);
    annotate(worded, terminal);
  }
}

/** Beside the line that it is about, where the file is looked at on GitHub. */
function annotate({ code, level, message, why, fix, range }: WordedDiagnostic, { github }: Terminal): void {
  if (github === undefined || level === "hint") return;
  const { line, column, end_line: endLine, end_column: endColumn } = locate(range);
  const file = range?.source.isInline ? undefined : (range?.source.file ?? range?.source.name);
  const text = [message, why, fix].filter((part) => part !== undefined).join("\n");
  github.annotate({ level, title: code, message: text, file, line, column, endLine, endColumn });
}

/** A message quotes what somebody wrote into a file, and that must not speak to the terminal. */
function harmless(diagnostic: WordedDiagnostic): WordedDiagnostic {
  const { message, why, fix } = diagnostic;
  return {
    ...diagnostic,
    message: cleanText(message),
    ...(why === undefined ? {} : { why: cleanText(why) }),
    ...(fix === undefined ? {} : { fix: cleanText(fix) }),
  };
}

/** Says why nothing was done, to a person or as the document --json promises. Gives the exit code. */
export function refuse(diagnostics: readonly Diagnostic[], json: boolean, terminal: Terminal): number {
  if (json) printJson(describeRefusal(diagnostics.map(explainForTerminal)), terminal);
  else printDiagnostics(diagnostics, terminal);
  return exitCodes.invalid;
}

export function printJson(value: unknown, terminal: Terminal): void {
  if (roughSize(value, mostIndented) <= mostIndented) {
    terminal.write(`${forReader(printableJson(value, 2), terminal)}\n`);
    return;
  }
  for (const piece of writeJson(value)) terminal.write(forReader(escapeObeyed(piece), terminal));
  terminal.write("\n");
}

/** Nobody reads more than this line by line, and much more is longer than a string can be. */
const mostIndented = 50_000_000;

/** One of many documents, each on a line of its own. */
export function printJsonLine(value: unknown, terminal: Terminal): void {
  terminal.write(`${forReader(printableJson(value), terminal)}\n`);
}

/** What would be changed in a text on its way out is spelled otherwise in JSON. */
function forReader(json: string, { github }: Terminal): string {
  return github === undefined ? json : disarmJson(json);
}

export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
