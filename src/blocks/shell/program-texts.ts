import { parse } from "unbash";
import { filesRun } from "./files-run.ts";
import { isShell, programName, readShellUse } from "./interpreters.ts";
import { LiteralVariables } from "./literal-variables.ts";
import { ScriptLowering } from "./lower-script.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import { type Command, type ParsedWord, plainWord, type Word } from "./shell-syntax.ts";
import { WrittenTexts } from "./written-texts.ts";

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
  const texts = new ProgramTexts(script.commands, new LiteralVariables(script.commands));
  for (let index = 0; index < script.commands.length && found.length < mostTexts; index += 1) {
    const command = script.commands[index];
    if (command?.kind !== "simple") continue;
    for (const text of texts.of(command)) {
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
  private readonly literals: LiteralVariables;
  private readonly written: WrittenTexts;

  constructor(commands: readonly Command[], literals: LiteralVariables) {
    this.literals = literals;
    this.written = new WrittenTexts(commands, literals);
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
    return [...found, ...this.ofFiles(command, name === "source" || name === ".")];
  }

  /** What the script has written to a file that the command runs. */
  private ofFiles({ words }: Command, runsHere: boolean): FoundText[] {
    return filesRun(words, this.literals).flatMap(({ file, word }) => {
      const source = file === undefined ? undefined : this.written.contentsOf(file);
      if (word === undefined || source === undefined) return [];
      const given = words.slice(words.indexOf(word));
      return [{ source, word, runsHere, parameters: runsHere ? [] : given, furtherParameters: undefined }];
    });
  }

  private knownText(word: ParsedWord): string {
    const [only, ...others] = word.pieces;
    const known = only?.kind === "read" && others.length === 0 ? this.literals.get(only.holder) : undefined;
    return known ?? plainWord(word).text;
  }

  private together(words: readonly Word[], runsHere: boolean): FoundText[] {
    const [first] = words;
    if (first === undefined) return [];
    const source = words.map(({ parsed }) => this.written.source(parsed.pieces)).join(" ");
    return [{ source, word: first.parsed, runsHere, parameters: [], furtherParameters: undefined }];
  }

  /** `su user -c 'echo "$1"' -- _ x` */
  private ofSwitch(parameters: readonly Word[]): FoundText[] {
    const at = parameters.findIndex((word) => /^-[a-z]*c$|^--command$/.test(word.text));
    const code = at === -1 ? undefined : parameters[at + 1];
    if (code === undefined) return [];
    const given = parameters.slice(at + 2).filter((word) => word.text !== "--");
    const source = this.written.source(code.parsed.pieces);
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
      const source = this.written.source(code.parsed.pieces);
      return [{ source, word: code.parsed, runsHere: false, parameters: given, furtherParameters }];
    }
    const input = use.readsProgram ? this.written.inputOf(command) : undefined;
    if (input === undefined) return [];
    const first = parameters.findIndex((word) => !word.text.startsWith("-") || word.text === "--");
    const operands = first === -1 ? [] : parameters.slice(first + (parameters[first]?.text === "--" ? 1 : 0));
    const given = [input.word, ...operands.map(({ parsed }) => parsed)];
    return [{ ...input, runsHere: false, parameters: given, furtherParameters }];
  }
}
