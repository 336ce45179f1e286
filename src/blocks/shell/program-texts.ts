import { parse } from "unbash";
import { holdersRun } from "./check-run-files.ts";
import { readLaunch } from "./command-launchers.ts";
import { variantsOf } from "./command-variants.ts";
import { behindLaunchers, makefiles } from "./files-run.ts";
import { isShell, isStandardInput, programName, readShellUse } from "./interpreters.ts";
import { LiteralVariables } from "./literal-variables.ts";
import { ScriptLowering } from "./lower-script.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import {
  type Command,
  expansionMark,
  type ParsedWord,
  type Piece,
  plainWord,
  textScope,
  type Word,
} from "./shell-syntax.ts";
import { type GivenText, recipesIn, textsAssigned, textsGiven } from "./texts-given.ts";
import { Trace } from "./trace-values.ts";
import { inputOf, resultOf } from "./value-flow.ts";
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

const mostTexts = 50;
const mostShells = 5;
const mostRounds = 3;
/** A longer script is traced once for its texts. */
const mostTraced = 2000;
const mostLaunches = 10;

/**
 * Reads the texts that commands run into the script's list of commands. What is no script is left alone. A text that a variable, a
 * file or another command's output holds is known once the script is traced, and may lead to further ones.
 */
export function lowerProgramTexts(script: ScriptBuilder, isTraced: boolean): ProgramText[] {
  const found: ProgramText[] = [];
  const known = new Set<string>();
  const traces = script.commands.length > mostTraced ? 1 : mostRounds;
  for (let round = 0; round <= (isTraced ? traces : 0); round += 1) {
    const before = found.length;
    const trace = round === 0 ? undefined : new Trace(script, found, {});
    const texts = new ProgramTexts(script.commands, trace);
    for (let index = 0; index < script.commands.length && found.length < mostTexts; index += 1) {
      const command = script.commands[index];
      if (command?.kind !== "simple") continue;
      for (const text of texts.of(command)) {
        const key = `${index} ${text.source}`;
        if (known.has(key) || found.length >= mostTexts) continue;
        known.add(key);
        const lowered = lowerText(script, command, text, found.length);
        if (lowered !== undefined) found.push(lowered);
      }
    }
    if (!texts.isComputed || (round > 0 && found.length === before)) break;
  }
  return found;
}

function lowerText(script: ScriptBuilder, command: Command, text: FoundText, count: number): ProgramText | undefined {
  const tree = parse(text.source);
  if (tree.errors !== undefined && tree.errors.length > 0) return undefined;
  const scope = text.runsHere ? command.scope : `${textScope}${count}`;
  const branch = text.runsHere ? command.branch : { outer: command.branch };
  const group = new ScriptLowering(script).lowerText(tree, text.source, scope, branch, text.word);
  const { parameters, furtherParameters } = text;
  return { command: command.id, group, scope, parameters, furtherParameters };
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
  /** Whether a text is run that only a trace can know. */
  isComputed = false;
  private readonly literals: LiteralVariables;
  private readonly written: WrittenTexts;
  private readonly trace: Trace | undefined;

  constructor(commands: readonly Command[], trace: Trace | undefined) {
    this.literals = new LiteralVariables(commands);
    this.written = new WrittenTexts(commands, this.literals);
    this.trace = trace;
  }

  of(command: Command): FoundText[] {
    const variants = variantsOf(command.words, this.trace);
    if (this.trace === undefined && command.words[0]?.pieces[0]?.kind === "read") this.isComputed = true;
    return [
      ...variants.flatMap((words) => this.ofWords({ ...command, words })),
      ...textsAssigned(command).flatMap((text) => this.given(text)),
    ];
  }

  private ofWords(command: Command): FoundText[] {
    const words = command.words.map((word) => ({ ...plainWord(word), text: this.knownText(word) }));
    const first = words.findIndex((word) => !/^(?:command|builtin)$/.test(word.text));
    const name = words[first]?.text;
    const parameters = words.slice(first + 1);
    if (name === "eval") return this.together(parameters, true);
    if (name === "trap") return this.together(parameters.filter((word) => word.text !== "--").slice(0, 1), true);
    if (name === "ssh") return this.together(parameters.filter((word) => /\s/.test(word.text)).slice(0, 1), false);
    if (name === "su" || name === "runuser") return this.ofSwitch(parameters);
    const isSource = name === "source" || name === ".";
    const found: FoundText[] = isSource ? this.ofSource(command, parameters[0]) : [];
    let shells = 0;
    for (const [index, word] of words.entries()) {
      if (!isShell(programName(word))) continue;
      found.push(...this.ofShell(command, words, index));
      shells += 1;
      if (shells === mostShells) break;
    }
    return [...found, ...this.ofLaunchers(words), ...this.ofPrograms(words), ...this.ofFiles(command, isSource)];
  }

  /** What the script has written to a file that the command runs. */
  private ofFiles(command: Command, runsHere: boolean): FoundText[] {
    if (this.trace === undefined) {
      this.isComputed ||= holdersRun(command, undefined, this.literals).length > 0;
      return [];
    }
    const { flow } = this.trace;
    return holdersRun(command, this.trace, this.literals).flatMap(({ holders, word }) => {
      if (word === undefined) return [];
      const given = command.words.slice(command.words.indexOf(word));
      const sources = new Set(holders.flatMap((holder) => flow.textsOf(holder)));
      const parameters = runsHere ? [] : given;
      return [...sources].map((text) => ({
        ...{ source: filled(text), word, runsHere, parameters, furtherParameters: undefined },
      }));
    });
  }

  /** `source /dev/stdin <<< text`, `. <(echo text)` */
  private ofSource(command: Command, file: Word | undefined): FoundText[] {
    if (file === undefined) return [];
    const found = { word: file.parsed, runsHere: true, parameters: [], furtherParameters: undefined };
    const isFed = file.parsed.pieces.length === 1 && file.parsed.pieces[0]?.kind === "output";
    const sources = isStandardInput(file) ? this.inputsOf(command) : [];
    return [...sources, ...(isFed ? this.sources(file.parsed.pieces) : [])].map((source) => ({ ...found, source }));
  }

  /** `flock lock -c text`, `env -S text` */
  private ofLaunchers(words: readonly Word[]): FoundText[] {
    const found: FoundText[] = [];
    let command = words;
    for (let launches = 0; launches < mostLaunches; launches += 1) {
      const [first, ...parameters] = command;
      const launch = first === undefined ? undefined : readLaunch(programName(first), parameters);
      if (launch === undefined) break;
      for (const word of launch.code) if (!word.text.startsWith("-")) found.push(...this.together([word], false));
      command = launch.command;
    }
    return found;
  }

  /** Texts that git, watch, awk and make give to a shell. */
  private ofPrograms(words: readonly Word[]): FoundText[] {
    const [program, ...parameters] = behindLaunchers(words);
    if (program === undefined) return [];
    const name = programName(program);
    const found = textsGiven(name, parameters).flatMap((text) => this.given(text));
    if (name !== "make" && name !== "gmake") return found;
    this.isComputed = true;
    for (const makefile of makefiles)
      for (const text of this.trace?.flow.textsOf(`file "${makefile}"`) ?? [])
        for (const source of recipesIn(text))
          found.push({
            ...{ source: filled(source), word: program.parsed, runsHere: false },
            ...{ parameters: [], furtherParameters: undefined },
          });
    return found;
  }

  private given({ word, pieces, parameters }: GivenText): FoundText[] {
    return this.sources(pieces).map((source) => ({
      ...{ source, word, runsHere: false, parameters, furtherParameters: undefined },
    }));
  }

  private knownText(word: ParsedWord): string {
    const [only, ...others] = word.pieces;
    const known = only?.kind === "read" && others.length === 0 ? this.literals.get(only.holder) : undefined;
    return known ?? plainWord(word).text;
  }

  /** What a text can be: as it is written, and with each of the texts that the one computed piece in it can hold. */
  private sources(pieces: readonly Piece[]): string[] {
    const written = this.written.source(pieces);
    const [only, ...others] = pieces.filter((piece) => piece.kind === "read" || piece.kind === "output");
    if (only === undefined) return [written];
    this.isComputed = true;
    if (others.length > 0 || this.trace === undefined) return [written];
    const texts = this.trace.flow.textsOf(only.kind === "output" ? resultOf(only.group) : only.holder);
    return [
      written,
      ...texts.map((text) =>
        pieces.map((piece) => (piece === only ? filled(text) : this.written.source([piece]))).join(""),
      ),
    ];
  }

  /** What the command reads, as far as it is known. */
  private inputsOf(command: Command): string[] {
    const written = this.written.inputOf(command);
    this.isComputed ||= written === undefined;
    const texts = written === undefined ? (this.trace?.flow.textsOf(inputOf(command.id)) ?? []) : [];
    return [...(written === undefined ? [] : [written.source]), ...texts.map(filled)];
  }

  private together(words: readonly Word[], runsHere: boolean): FoundText[] {
    const [first] = words;
    if (first === undefined) return [];
    const pieces = words.flatMap(({ parsed }, index): Piece[] =>
      index === 0 ? [...parsed.pieces] : [{ kind: "text", text: " " }, ...parsed.pieces],
    );
    const found = { word: first.parsed, runsHere, parameters: [], furtherParameters: undefined };
    return this.sources(pieces).map((source) => ({ ...found, source }));
  }

  /** `su user -c 'echo "$1"' -- _ x` */
  private ofSwitch(parameters: readonly Word[]): FoundText[] {
    const at = parameters.findIndex((word) => /^-[a-z]*c$|^--command$/.test(word.text));
    const code = at === -1 ? undefined : parameters[at + 1];
    if (code === undefined) return [];
    const given = parameters.slice(at + 2).filter((word) => word.text !== "--");
    const parsed = given.map((word) => word.parsed);
    return this.given({ word: code.parsed, pieces: code.parsed.pieces, parameters: parsed });
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
      const text = { word: code.parsed, pieces: code.parsed.pieces, parameters: given };
      return this.given(text).map((found) => ({ ...found, furtherParameters }));
    }
    if (!use.readsProgram) return [];
    const first = parameters.findIndex((word) => !word.text.startsWith("-") || word.text === "--");
    const isNamed = parameters[first]?.text === "--" || isDevice(parameters[first]);
    const operands = first === -1 ? [] : parameters.slice(first + (isNamed ? 1 : 0));
    const word = this.written.inputOf(command)?.word ?? command.words[0];
    if (word === undefined) return [];
    const given = [word, ...operands.map(({ parsed }) => parsed)];
    return this.inputsOf(command).map((source) => ({
      ...{ source, word, runsHere: false, parameters: given, furtherParameters },
    }));
  }
}

/** `/dev/stdin`, `/dev/fd/3`: the name of the script, not one of its arguments. */
function isDevice(word: Word | undefined): boolean {
  return word !== undefined && word.text !== "-" && isStandardInput(word);
}

/** A text with a variable in the place of what is computed in it. */
function filled(text: string): string {
  return text.replaceAll(expansionMark, "${_computed}");
}
