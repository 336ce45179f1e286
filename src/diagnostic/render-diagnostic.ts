import type { Level, WordedDiagnostic } from "./diagnostic.ts";
import { lineCount, lineText, positionAt, type Range } from "./source.ts";
import { paint, type Style } from "./style.ts";

const levelStyles: Record<Level, Style> = { error: "red", warning: "yellow", hint: "cyan" };

/** A diagnostic for people: what and where, the lines it is about, why, and what to do. */
export function renderDiagnostic(diagnostic: WordedDiagnostic, colour: boolean): string {
  const { level, code, why, fix, range } = diagnostic;
  const message = nameBlock(diagnostic);
  const place = range === undefined ? "" : `${paint(describePlace(range), "bold", colour)}: `;
  const lines = [
    `${place}${paint(level, levelStyles[level], colour)}: ${visible(message)} ${paint(`[${code}]`, "dim", colour)}`,
  ];
  if (range !== undefined) lines.push(...codeFrame(range, levelStyles[level], colour));
  if (why !== undefined) lines.push(`  ${paint("why:", "dim", colour)} ${visible(why)}`);
  if (fix !== undefined) lines.push(`  ${paint("fix:", "green", colour)} ${visible(fix)}`);
  return lines.join("\n");
}

/** The lines around a problem need not show which block they belong to. */
function nameBlock({ block, message }: WordedDiagnostic): string {
  return block === undefined || message.includes(`block '${block}'`) ? message : `block '${block}': ${message}`;
}

function describePlace({ source, start }: Range): string {
  const { line, column } = positionAt(source, start);
  return `${visible(source.name)}:${line}:${column}`;
}

const longestLine = 110;

/** The line with the problem marked, and one line of context on each side. */
function codeFrame(range: Range, style: Style, colour: boolean): string[] {
  const { source } = range;
  const start = positionAt(source, range.start);
  const end = positionAt(source, Math.max(range.end, range.start + 1));
  const last = Math.min(start.line + 1, lineCount(source));
  const width = String(last).length;
  const lines: string[] = [];
  // A long line is shown around the problem, so that the marker is never off the screen.
  const offset = start.column > longestLine - 20 ? start.column - 20 : 0;
  for (let number = Math.max(1, start.line - 1); number <= last; number++) {
    const text = visible(lineText(source, number).slice(offset, offset + longestLine));
    if (number !== start.line && text.trim() === "") continue;
    const gutter = `  ${String(number).padStart(width)} | `;
    lines.push(`${paint(gutter, "dim", colour)}${text}`);
    if (number !== start.line) continue;
    const lineEnd = lineText(source, number).length + 1;
    const stop = end.line === start.line ? Math.min(end.column, lineEnd) : lineEnd;
    const indent = " ".repeat(start.column - 1 - offset);
    const marker = "^".repeat(Math.max(1, Math.min(stop - start.column, longestLine - indent.length)));
    lines.push(`${paint(`  ${" ".repeat(width)} | `, "dim", colour)}${indent}${paint(marker, style, colour)}`);
  }
  return lines;
}

/** Control characters of a hostile file must not reach the terminal; every character stays one column, as the marker counts. */
function visible(text: string): string {
  return text.replaceAll("\t", " ").replaceAll(/[\p{Cc}\p{Cf}]/gu, "\u00b7");
}
