import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { lineStart, lineText, positionAt, type Range, type Source } from "../diagnostic/source.ts";
import type { YamlError } from "./explain-yaml-error.ts";

/** Lines that stand in the wrong column: what the parser takes them for, and where they belong. */
export function explainLayout(source: Source, error: YamlError): Diagnostic | undefined {
  const [at] = error.pos;
  switch (error.code) {
    case "BLOCK_AS_IMPLICIT_KEY":
      if (error.message.startsWith("A block sequence")) return misalignedItem(source, at);
      return swallowedLine(source, at);
    case "BAD_INDENT":
      if (error.message.startsWith("Flow ")) return unclosedBracket(source, at);
      return error.message.includes("sequence") ? misalignedItem(source, at) : misalignedKey(source, at);
    case "MULTILINE_IMPLICIT_KEY":
      return bareBlockText(source, at) ?? missingColon(source, at);
    case "MISSING_CHAR":
      if (error.message.startsWith("Sequence item")) return misalignedKey(source, at);
      if (!error.message.startsWith("Implicit map keys")) return undefined;
      return bareBlockText(source, at) ?? missingColon(source, at);
  }
  return undefined;
}

/** A line of the file: what it says without its indentation, and where that starts. */
interface Line {
  readonly number: number;
  readonly column: number;
  readonly text: string;
  readonly range: Range;
}

function lineAt(source: Source, number: number): Line {
  const written = lineText(source, number);
  const text = written.trim();
  const column = written.length - written.trimStart().length + 1;
  const start = Math.min(lineStart(source, number) + column - 1, source.text.length);
  return {
    number,
    column,
    text,
    range: { source, start, end: Math.min(start + Math.max(text.length, 1), source.text.length) },
  };
}

/** The line at an offset; the parser may point at the indentation before it, or at the line break before that. */
function lineOf(source: Source, offset: number): Line {
  const words = /\S/.exec(source.text.slice(offset));
  return lineAt(source, positionAt(source, offset + (words?.index ?? 0)).line);
}

function lineBefore(source: Source, { number }: Line): Line | undefined {
  for (let before = number - 1; before > 0; before--) {
    const line = lineAt(source, before);
    if (line.text !== "" && !line.text.startsWith("#")) return line;
  }
  return undefined;
}

/** The key of a line, and its column: that of `id` in `- id: a`. */
function keyOf({ text, column }: Line): { readonly key: string; readonly column: number } | undefined {
  const found = /^((?:- +)*)([^\s:#'"[\]{}][^:]*):(?:\s|$)/.exec(text);
  if (found === null) return undefined;
  return { key: found[2] as string, column: column + (found[1] as string).length };
}

function badIndent(message: string, fix: string, { range }: Line): Diagnostic {
  return { code: "bad-indent", level: "error", message, fix, range };
}

/** A plain value goes on over deeper lines, and so takes in a key that is only meant to follow it. */
function swallowedLine(source: Source, at: number): Diagnostic | undefined {
  const line = lineOf(source, at);
  const isOnItsLine = /:(\s|$)/.test(source.text.slice(at, line.range.end));
  if (isOnItsLine) return undefined;
  for (let number = line.number + 1; number <= line.number + longestSwallowed; number++) {
    const later = lineAt(source, number);
    if (/:(\s|$)/.test(later.text)) {
      const message = `Line ${number} is indented deeper than line ${line.number}, so YAML reads it as part of that value.`;
      return badIndent(message, align(line), later);
    }
  }
  return undefined;
}

const longestSwallowed = 20;

function align(line: Line): string {
  const found = keyOf(line);
  if (found === undefined) return `Align it with line ${line.number}.`;
  return `Align it with \`${found.key}\` on line ${line.number}, in column ${found.column}.`;
}

function misalignedKey(source: Source, at: number): Diagnostic | undefined {
  const line = lineOf(source, at);
  const before = lineBefore(source, line);
  if (before === undefined) return undefined;
  const how = line.column > (keyOf(before) ?? before).column ? "deeper than" : "neither like nor below";
  const message = `Line ${line.number} is indented ${how} line ${before.number}, and no key stands in its column.`;
  return badIndent(message, align(before), line);
}

function misalignedItem(source: Source, at: number): Diagnostic {
  const line = lineOf(source, at);
  let before = lineBefore(source, line);
  while (before !== undefined && !before.text.startsWith("- ")) before = lineBefore(source, before);
  const fix =
    before === undefined
      ? "Start every item of a list in the same column."
      : `Align its - with the one on line ${before.number}, in column ${before.column}.`;
  return badIndent("The items of this list start in different columns.", fix, line);
}

/** The parser says where it gave up; what the user wants to know is where the bracket is. */
function unclosedBracket(source: Source, at: number): Diagnostic | undefined {
  let closed = 0;
  for (let index = at - 1; index >= 0; index--) {
    const character = source.text[index] as string;
    if ("]}".includes(character)) closed++;
    if (!"[{".includes(character) || closed-- > 0) continue;
    const closing = character === "[" ? "]" : "}";
    const message = `This ${character} is not closed before the next key, or before the end.`;
    const range = { source, start: index, end: index + 1 };
    return { code: "unclosed-bracket", level: "error", message, fix: `Write the ${closing} where it ends.`, range };
  }
  return undefined;
}

/** What follows a `|` belongs to it only as far as it is indented. */
function bareBlockText(source: Source, at: number): Diagnostic | undefined {
  const line = lineOf(source, at);
  const before = lineBefore(source, line);
  if (before === undefined || !/(?:^|\s)[|>][-+\d]*$/.test(before.text)) return undefined;
  const key = keyOf(before)?.key ?? "the key";
  const message = `The text after the ${before.text.at(-1)} of line ${before.number} is not indented.`;
  return badIndent(message, `Indent each of its lines deeper than \`${key}\`.`, line);
}

function missingColon(source: Source, at: number): Diagnostic {
  const { range } = lineOf(source, at);
  return {
    code: "yaml-syntax",
    level: "error",
    message: "This is not valid YAML: a line is neither `key: value` nor part of the value before it.",
    fix: "Write `key: value`. Text of several lines goes after `key: |`, indented.",
    range,
  };
}
