import { parse } from "unbash";
import { isShell, programName, readShellUse } from "./interpreters.ts";
import { ScriptLowering } from "./lower-script.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import {
  type Command,
  expansionMark,
  literalText,
  type ParsedWord,
  type Piece,
  valueMark,
  type Word,
} from "./shell-syntax.ts";

/** A text in the script that one of its commands runs: `bash -c 'echo "$1"' _ x`, `trap 'rm x' EXIT`. */
export interface ProgramText {
  /** The command that runs it. */
  readonly command: number;
  readonly group: number;
  /** Where its positional parameters are; that of the command if it runs in the same shell. */
  readonly scope: string;
  /** From `$0` on. */
  readonly parameters: readonly ParsedWord[];
  /** Whether the parameters come from the standard input, or are the names of files. */
  readonly furtherParameters: "input" | "names" | undefined;
}

const textScope = "text ";

export function isTextScope(scope: string): boolean {
  return scope.startsWith(textScope);
}

const mostTexts = 50;
const mostShells = 5;

/** Reads the texts that commands run into the script's list of commands. What is no script is left alone. */
export function lowerProgramTexts(script: ScriptBuilder): ProgramText[] {
  const found: ProgramText[] = [];
  for (let index = 0; index < script.commands.length && found.length < mostTexts; index += 1) {
    const command = script.commands[index];
    if (command?.kind !== "simple") continue;
    for (const text of textsOf(command)) {
      const tree = parse(text.source);
      if (tree.errors !== undefined && tree.errors.length > 0) continue;
      const scope = text.runsHere ? command.scope : `${textScope}${found.length}`;
      const branch = text.runsHere ? command.branch : { outer: command.branch };
      const group = new ScriptLowering(script).lowerText(tree, text.source, scope, branch, text.word);
      const { parameters, furtherParameters } = text;
      found.push({ command: index, group, scope, parameters, furtherParameters });
    }
  }
  return found;
}

interface FoundText {
  readonly source: string;
  readonly word: ParsedWord;
  readonly runsHere: boolean;
  readonly parameters: readonly ParsedWord[];
  readonly furtherParameters: ProgramText["furtherParameters"];
}

function textsOf(command: Command): FoundText[] {
  const words = command.words.map(plainWord);
  const first = words.findIndex((word) => !/^(?:command|builtin)$/.test(word.text));
  const name = words[first]?.text;
  const parameters = words.slice(first + 1);
  if (name === "eval") return together(parameters, true);
  if (name === "trap") return together(parameters.filter((word) => word.text !== "--").slice(0, 1), true);
  if (name === "ssh") return together(parameters.filter((word) => /\s/.test(word.text)).slice(0, 1), false);
  const found: FoundText[] = [];
  let shells = 0;
  for (const [index, word] of words.entries()) {
    if (!isShell(programName(word))) continue;
    found.push(...shellTexts(command, words, index));
    shells += 1;
    if (shells === mostShells) break;
  }
  return found;
}

function together(words: readonly Word[], runsHere: boolean): FoundText[] {
  const [first] = words;
  if (first === undefined) return [];
  const source = words.map(({ parsed }) => sourceOf(parsed.pieces)).join(" ");
  return [{ source, word: first.parsed, runsHere, parameters: [], furtherParameters: undefined }];
}

/** The text that the shell at the index is given, as an argument or on its standard input. */
function shellTexts(command: Command, words: readonly Word[], index: number): FoundText[] {
  const parameters = words.slice(index + 1);
  const use = readShellUse(parameters);
  const before = words.slice(0, index).map((word) => word.text);
  let furtherParameters: ProgramText["furtherParameters"];
  if (before.includes("xargs")) furtherParameters = "input";
  else if (before.includes("find")) furtherParameters = "names";
  const code = use.code.at(-1);
  if (code !== undefined && !use.readsProgram) {
    const given = parameters.slice(parameters.indexOf(code) + 1).map((word) => word.parsed);
    const source = sourceOf(code.parsed.pieces);
    return [{ source, word: code.parsed, runsHere: false, parameters: given, furtherParameters }];
  }
  const body = command.redirects.find((redirect) => redirect.body !== undefined);
  if (!use.readsProgram || body?.body === undefined) return [];
  const first = parameters.findIndex((word) => !word.text.startsWith("-") || word.text === "--");
  const operands = first === -1 ? [] : parameters.slice(first + (parameters[first]?.text === "--" ? 1 : 0));
  const word = { ...body.target, start: body.start, end: body.end };
  const source = sourceOf(body.body);
  const given = [word, ...operands.map(({ parsed }) => parsed)];
  return [{ source, word, runsHere: false, parameters: given, furtherParameters }];
}

/** The text as it will be run, as far as it is known: what is computed stands there as a variable. */
function sourceOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      const isVariable = piece.kind === "read" && /^[A-Za-z_]\w*$/.test(piece.holder);
      return `\${${isVariable ? piece.holder : "_computed"}}`;
    })
    .join("");
}

/** A word before it is known which variables hold a value. */
export function plainWord(parsed: ParsedWord): Word {
  const slots = parsed.pieces.flatMap((piece) => (piece.kind === "value" ? [piece.slot] : []));
  const text =
    literalText(parsed) ??
    parsed.pieces
      .map((piece) => {
        if (piece.kind === "text") return piece.text;
        return piece.kind === "value" ? valueMark : expansionMark;
      })
      .join("");
  const { start, end, quoted } = parsed;
  return { start, end, text, quoted, slots, elements: undefined, list: undefined, known: false, parsed };
}
