import { parse } from "unbash";
import { isShell, programName, readShellUse } from "./interpreters.ts";
import { LiteralVariables } from "./literal-variables.ts";
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
  const literals = new LiteralVariables(script.commands);
  for (let index = 0; index < script.commands.length && found.length < mostTexts; index += 1) {
    const command = script.commands[index];
    if (command?.kind !== "simple") continue;
    for (const text of new ProgramTexts(script.commands, literals).of(command)) {
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

/** Finds the texts that a command runs. */
class ProgramTexts {
  private readonly commands: readonly Command[];
  private readonly literals: LiteralVariables;

  constructor(commands: readonly Command[], literals: LiteralVariables) {
    this.commands = commands;
    this.literals = literals;
  }

  of(command: Command): FoundText[] {
    const words = command.words.map((word) => ({ ...plainWord(word), text: this.knownText(word) }));
    const first = words.findIndex((word) => !/^(?:command|builtin)$/.test(word.text));
    const name = words[first]?.text;
    const parameters = words.slice(first + 1);
    if (name === "eval") return this.together(parameters, true);
    if (name === "trap") return this.together(parameters.filter((word) => word.text !== "--").slice(0, 1), true);
    if (name === "ssh") return this.together(parameters.filter((word) => /\s/.test(word.text)).slice(0, 1), false);
    if (name === "su" || name === "runuser") return this.ofSwitch(parameters);
    const found: FoundText[] = [];
    let shells = 0;
    for (const [index, word] of words.entries()) {
      if (!isShell(programName(word))) continue;
      found.push(...this.ofShell(command, words, index));
      shells += 1;
      if (shells === mostShells) break;
    }
    return found;
  }

  private knownText(word: ParsedWord): string {
    const [only, ...others] = word.pieces;
    const known = only?.kind === "read" && others.length === 0 ? this.literals.get(only.holder) : undefined;
    return known ?? plainWord(word).text;
  }

  private together(words: readonly Word[], runsHere: boolean): FoundText[] {
    const [first] = words;
    if (first === undefined) return [];
    const source = words.map(({ parsed }) => this.source(parsed.pieces)).join(" ");
    return [{ source, word: first.parsed, runsHere, parameters: [], furtherParameters: undefined }];
  }

  /** `su user -c 'echo "$1"' -- _ x` */
  private ofSwitch(parameters: readonly Word[]): FoundText[] {
    const at = parameters.findIndex((word) => /^-[a-z]*c$|^--command$/.test(word.text));
    const code = at === -1 ? undefined : parameters[at + 1];
    if (code === undefined) return [];
    const given = parameters.slice(at + 2).filter((word) => word.text !== "--");
    const source = this.source(code.parsed.pieces);
    const parsed = given.map((word) => word.parsed);
    return [{ source, word: code.parsed, runsHere: false, parameters: parsed, furtherParameters: undefined }];
  }

  /** The text that the shell at the index is given, as an argument or on its standard input. */
  private ofShell(command: Command, words: readonly Word[], index: number): FoundText[] {
    const parameters = words.slice(index + 1);
    const use = readShellUse(parameters);
    const before = words.slice(0, index).map((word) => word.text);
    let furtherParameters: ProgramText["furtherParameters"];
    if (before.includes("xargs")) furtherParameters = "input";
    else if (before.includes("find")) furtherParameters = "names";
    const code = use.code.at(-1);
    if (code !== undefined && !use.readsProgram) {
      const given = parameters.slice(parameters.indexOf(code) + 1).map((word) => word.parsed);
      const source = this.source(code.parsed.pieces);
      return [{ source, word: code.parsed, runsHere: false, parameters: given, furtherParameters }];
    }
    const input = use.readsProgram ? this.inputOf(command) : undefined;
    if (input === undefined) return [];
    const first = parameters.findIndex((word) => !word.text.startsWith("-") || word.text === "--");
    const operands = first === -1 ? [] : parameters.slice(first + (parameters[first]?.text === "--" ? 1 : 0));
    const given = [input.word, ...operands.map(({ parsed }) => parsed)];
    return [{ ...input, runsHere: false, parameters: given, furtherParameters }];
  }

  /** What is written out on the standard input: a here-document, a here-string, or what echo prints. */
  private inputOf({ redirects, pipedFrom }: Command): Pick<FoundText, "source" | "word"> | undefined {
    for (const { body, operator, target, start, end } of redirects) {
      const pieces = body ?? (operator === "<<<" ? target.pieces : undefined);
      if (pieces !== undefined) return { source: this.source(pieces), word: { ...target, start, end } };
    }
    const source = pipedFrom === undefined ? undefined : this.commands[pipedFrom];
    const [program, ...parameters] = source?.words ?? [];
    const [first] = parameters;
    if (literalText(program) === "cat" && source !== undefined) return this.inputOf(source);
    if (first === undefined || !/^(?:echo|printf)$/.test(literalText(program) ?? "")) return undefined;
    return { source: parameters.map(({ pieces }) => this.source(pieces)).join("\n"), word: first };
  }

  /** The text as it will be run, as far as it is known: what is computed stands there as a variable. */
  private source(pieces: readonly Piece[]): string {
    return pieces
      .map((piece) => {
        if (piece.kind === "text") return piece.text;
        if (piece.kind !== "read" || !/^[A-Za-z_]\w*$/.test(piece.holder)) return "${_computed}";
        return this.literals.get(piece.holder) ?? `\${${piece.holder}}`;
      })
      .join("");
  }
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
