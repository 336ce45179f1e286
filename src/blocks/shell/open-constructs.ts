import { filledBy } from "./builtin-options.ts";
import type { DeclaredVariables } from "./evaluated-variables.ts";
import type { Evaluation, ScriptBuilder } from "./script-builder.ts";
import { type Command, literalText, markedText, type ParsedWord, type Piece } from "./shell-syntax.ts";

/**
 * A construct that evaluates contents, unless it is certain that it only gets numbers of the script's own. It is asked for when a
 * script is about to run: with such a construct in it no value may hold what bash would run, wherever the value stands.
 */
export function findOpenConstruct(script: ScriptBuilder, declared: DeclaredVariables): string | undefined {
  const { text } = script.placed;
  const counters = new Counters(script.commands);
  const open = script.evaluations.find((evaluation) => isOpen(evaluation, counters, declared));
  if (open !== undefined) return shorten(lineAround(text, open.range.start));
  const dynamic = script.commands.find(computesNames);
  if (dynamic !== undefined) return shorten(text.slice(dynamic.start, dynamic.end));
  return script.commands.flatMap(textsIn).find((written) => calculating.test(written)) === undefined
    ? undefined
    : "a text that may be run";
}

/** Arithmetic in a text, which may be a program's. */
const calculating = /\$\(\(|\$\[|(?:^|[\s;&|])(?:\(\(|let\s|\[\[[^\]]*\s-(?:eq|ne|lt|le|gt|ge|v)\s)/;

function isOpen({ pieces, names, array }: Evaluation, counters: Counters, declared: DeclaredVariables): boolean {
  if (array !== undefined && declared.isAssociative(array)) return false;
  return pieces.some((piece) => {
    if (piece.kind === "read") return !counters.has(piece.holder);
    if (piece.kind === "text") return names === true && namesIn(piece.text).some((name) => !counters.has(name));
    return piece.kind !== "unknown";
  });
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w#])[A-Za-z_]\w*/g)].map(([name]) => name);
}

/** Builtins that evaluate the name of a variable they are given. */
const naming: ReadonlySet<string> = new Set([
  "unset",
  "read",
  "mapfile",
  "readarray",
  "getopts",
  "let",
  "wait",
  "test",
  "[",
]);
const declaring: ReadonlySet<string> = new Set(["declare", "typeset", "local", "readonly", "export"]);

function computesNames({ words, kind }: Command): boolean {
  if (kind !== "simple") return false;
  const [program, ...parameters] = words;
  const name = literalText(program) ?? "";
  if (name === "printf") return filledBy(name, parameters).some((word) => literalText(word) === undefined);
  if (name === "test" || name === "[") return parameters.some((word) => literalText(word) === "-v");
  if (declaring.has(name))
    return parameters.some((word) => word.assigns === undefined && literalText(word) === undefined);
  return naming.has(name) && parameters.some((word) => literalText(word) === undefined);
}

/** What else may assign any variable. */
const assigning: ReadonlySet<string> = new Set(["eval", "source", ".", "trap"]);

/** The variables that the script assigns nothing but numbers of its own. */
class Counters {
  private readonly names = new Set<string>();

  constructor(commands: readonly Command[]) {
    if (commands.some((command) => assignsAny(command))) return;
    const others = new Set<string>();
    for (const { assignments, words, kind } of commands) {
      const program = kind === "simple" ? (literalText(words[0]) ?? "") : "";
      for (const { assigns, elements } of [...assignments, ...words]) {
        if (assigns === undefined) continue;
        const given = kind === "loop" ? words : [];
        const isNumber = isNumeric(assigns.value) && given.every((word) => isNumeric(word.pieces) && !word.glob);
        if (isNumber && elements === undefined) this.names.add(assigns.name);
        else others.add(assigns.name);
      }
      if (naming.has(program)) for (const word of words.slice(1)) others.add(markedText(word.pieces));
      for (const word of filledBy(program, words.slice(1))) others.add(markedText(word.pieces));
    }
    for (const name of others) this.names.delete(name);
  }

  has(name: string): boolean {
    return this.names.has(name);
  }
}

function assignsAny(command: Command): boolean {
  if (command.kind !== "simple") return false;
  const [program, ...parameters] = command.words;
  const name = literalText(program);
  if (name === undefined) return program !== undefined;
  if (assigning.has(name) || computesNames(command)) return true;
  return declaring.has(name) && parameters.some((word) => /^-[A-Za-z]*n/.test(markedText(word.pieces)));
}

function isNumeric(pieces: readonly Piece[]): boolean {
  return pieces.every((piece) => piece.kind === "unknown" || (piece.kind === "text" && /^-?\d*$/.test(piece.text)));
}

/** The texts in a command's words, as they are without their quotes. */
function textsIn({ words, assignments, redirects }: Command): string[] {
  const bodies = redirects.flatMap(({ body, target }) => [body ?? [], target.pieces]);
  const all: readonly (readonly Piece[])[] = [...[...words, ...assignments].map(piecesOf), ...bodies];
  return all.map(markedText);
}

function piecesOf(word: ParsedWord): readonly Piece[] {
  return word.pieces;
}

function lineAround(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at) + 1).trim();
}

function shorten(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length > 40 ? `${line.slice(0, 40)}...` : line;
}
