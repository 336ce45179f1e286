import { setImmediate as nextTurn } from "node:timers/promises";
import { BlockCannotRun, type BlockContext } from "../../block/define-block.ts";
import { type EditOperation, type LineOperation, resultTooLong } from "./edit-operations.ts";
import { OperationFailed } from "./file-operation.ts";
import { prepareReplacement, replacePattern } from "./replace-pattern.ts";

export interface Edit {
  readonly operations?: readonly EditOperation[] | undefined;
  /** All of the text, where there are no operations. */
  readonly content?: string | number | boolean | undefined;
}

/** A text whose lines all end with CRLF is edited as if they ended with LF, and keeps its line ends. */
export async function editText(
  text: string,
  { operations, content = "" }: Edit,
  mostCharacters: number,
  context: BlockContext,
): Promise<string> {
  const usesCrlf = text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
  const plain = <T>(value: T): T | string => {
    return usesCrlf && typeof value === "string" ? value.replaceAll("\r\n", "\n") : value;
  };
  const edited =
    operations === undefined
      ? String(plain(content))
      : await applyAll(
          plain(text),
          operations.map((operation) => mapFields(operation, plain)),
          mostCharacters,
          context,
        );
  return usesCrlf ? edited.replaceAll("\n", "\r\n") : edited;
}

function mapFields(operation: EditOperation, change: (field: unknown) => unknown): EditOperation {
  const fields = Object.entries(operation).map(([name, value]) => [name, change(value)]);
  return Object.fromEntries(fields) as EditOperation;
}

/** One after the other, each on what those before it have made; all of them or none. */
async function applyAll(
  text: string,
  operations: readonly EditOperation[],
  mostCharacters: number,
  context: BlockContext,
): Promise<string> {
  let edited = text;
  for (const [index, operation] of operations.entries()) {
    await nextTurn();
    context.signal.throwIfAborted();
    try {
      edited = await applyOperation(edited, operation, mostCharacters, context);
      if (edited.length > mostCharacters) throw new OperationFailed(resultTooLong);
    } catch (error) {
      if (!(error instanceof OperationFailed)) throw error;
      throw new OperationFailed(`operations[${index}]: ${error.message}`);
    }
  }
  return edited;
}

async function applyOperation(
  text: string,
  operation: EditOperation,
  mostCharacters: number,
  context: BlockContext,
): Promise<string> {
  switch (operation.type) {
    case "replace_text": {
      const { old_text: old, new_text: replacement, count } = operation;
      return replaceText(text, String(old), String(replacement), count, mostCharacters);
    }
    case "regex_replace": {
      const prepared = prepareReplacement(operation);
      if (!prepared.ok) throw new BlockCannotRun(prepared.error);
      const replaced = await replacePattern(text, prepared.value, mostCharacters, context);
      if (replaced === undefined) throw new OperationFailed(`nothing matches '${operation.pattern}'`);
      return replaced;
    }
    default:
      return editLines(text, operation);
  }
}

function replaceText(text: string, old: string, replacement: string, count: number, mostCharacters: number): string {
  const made: string[] = [];
  let length = text.length;
  let copied = 0;
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, copied)) {
    length += replacement.length - old.length;
    if (length > mostCharacters) throw new OperationFailed(resultTooLong);
    made.push(text.slice(copied, at), replacement);
    copied = at + old.length;
    if (made.length === 2 * count) break;
  }
  if (made.length === 0)
    throw new OperationFailed(`the text ${quote(old)} is not in the file; ${whatIsThere(text, old)}`);
  return made.join("") + text.slice(copied);
}

function editLines(text: string, operation: LineOperation): string {
  const { lines, endsWithNewline } = splitLines(text);
  const added = operation.type === "delete_lines" ? [] : splitLines(String(operation.content)).lines;
  const [start, end] = rangeOf(operation, lines.length);
  const edited = [...lines.slice(0, start), ...added, ...lines.slice(end)];
  return edited.length === 0 ? "" : edited.join("\n") + (endsWithNewline ? "\n" : "");
}

/** The lines that make room for others, from 0 and exclusive of the last. */
function rangeOf(operation: LineOperation, length: number): readonly [number, number] {
  if (operation.type === "insert_lines") {
    const { line_start: line = length + 1, position } = operation;
    const at = position === "after" && operation.line_start !== undefined ? line : line - 1;
    if (at > length) throw new OperationFailed(`there is no line ${line}: ${countLines(length)}`);
    return [at, at];
  }
  const { line_start: first, line_end: last = first } = operation;
  if (last < first) throw new OperationFailed(`line ${last} comes before line ${first}`);
  if (last > length)
    throw new OperationFailed(`there is no line ${first > length ? first : last}: ${countLines(length)}`);
  return [first - 1, last];
}

function splitLines(text: string): { readonly lines: readonly string[]; readonly endsWithNewline: boolean } {
  if (text === "") return { lines: [], endsWithNewline: true };
  const endsWithNewline = text.endsWith("\n");
  return { lines: (endsWithNewline ? text.slice(0, -1) : text).split("\n"), endsWithNewline };
}

function countLines(count: number): string {
  return `the file has ${count === 1 ? "one line" : `${count} lines`}`;
}

/** Most often what was looked for is there, but for some white space or a line further on. */
function whatIsThere(text: string, wanted: string): string {
  const { lines } = splitLines(text);
  const word = wanted.trim().split("\n")[0]?.trim() ?? "";
  const near = word === "" ? -1 : lines.findIndex((line) => line.includes(word));
  if (near !== -1) return `line ${near + 1} is ${quote(lines[near] ?? "")}`;
  return lines.length === 0 ? "it is empty" : `${countLines(lines.length)}, the first is ${quote(lines[0] ?? "")}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 97)}...` : text);
}
