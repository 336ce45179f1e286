import { type ParsedScript, parse } from "unbash";
import type { FileName } from "../../block/define-block.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { checkCommands } from "./check-commands.ts";
import { backgroundHint, onlyLastExitCode } from "./command-hints.ts";
import type { CommandProblem } from "./command-problem.ts";
import type { CompiledCommand } from "./compiled-command.ts";
import { findAssignedNames } from "./find-assigned-names.ts";
import { findReferences, maskReferences } from "./find-references.ts";
import { lowerScript } from "./lower-script.ts";
import { PlacedValues } from "./placed-values.ts";
import { lowerProgramTexts, type ProgramText } from "./program-texts.ts";
import { runsOfDirectory } from "./runs-of-directory.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import { findSyntaxProblem, findTooManyBraces } from "./syntax-problems.ts";
import type { Surroundings } from "./trace-values.ts";

/**
 * Turns a command's text into one where every `${...}` of ours is a slot. The promise: a value never becomes shell source. A slot
 * is always spelled as a variable, whose contents no shell parses again; where bash or a program evaluates contents all the same,
 * and that can be seen, the command is refused.
 */
export function compileCommand(
  text: string,
  surroundings: Surroundings = {},
): Result<CompiledCommand, CommandProblem[]> {
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    const message = "A command can't hold a NUL character.";
    return err([{ code: "nul-in-command", level: "error", message, start: nul, end: nul + 1 }]);
  }
  const braces = findTooManyBraces(text);
  if (braces !== undefined) return err([braces]);
  const isOutside = surroundings.stdin !== undefined || (surroundings.env?.size ?? 0) > 0;
  const read = lastCommands.get(text, isOutside);
  if (isOutside) return checkCommand(read, surroundings);
  read.plain ??= checkCommand(read, {});
  return read.plain;
}

/** A command as far as it is the same whatever is beside it. */
interface ReadCommand {
  readonly script: ScriptBuilder;
  readonly hasValues: boolean;
  readonly texts: readonly ProgramText[];
  readonly problems: readonly CommandProblem[];
  readonly hints: readonly CommandProblem[];
  readonly syntax: CommandProblem | undefined;
  /** What it comes to with nothing beside it. */
  plain?: Result<CompiledCommand, CommandProblem[]>;
}

function readCommand(text: string, isOutside: boolean): ReadCommand {
  const references = findReferences(text);
  const tree = parse(maskReferences(text, references));
  const placed = new PlacedValues(text, references);
  const script = lowerScript(tree, placed);
  const problems = [...placed.problems, ...suspectedReferences(script)];
  const syntax = findSyntaxProblem(text, tree, placed.slots.length > 0);
  if (syntax !== undefined) placed.placeRest();
  const hasValues = placed.slots.length > 0 || isOutside;
  return {
    script,
    hasValues,
    texts: lowerProgramTexts(script, hasValues),
    problems,
    hints: hintsOf(text, tree),
    syntax,
  };
}

function checkCommand(read: ReadCommand, surroundings: Surroundings): Result<CompiledCommand, CommandProblem[]> {
  const { script, hasValues, texts, syntax } = read;
  const { placed } = script;
  const { construct, chosen, written, ...check } = checkCommands(script, texts, hasValues, surroundings);
  const problems = [...read.problems, ...check.problems, ...read.hints];
  const isRefused = problems.some((problem) => problem.level === "error");
  if (isRefused && syntax !== undefined) problems.push(syntax);
  problems.sort((a, b) => a.start - b.start);
  if (isRefused) return err(problems);
  return ok({
    segments: placed.segments(),
    values: placed.values,
    notes: problems,
    chosen,
    written,
    syntax,
    construct,
  });
}

/** What is read of a longer command would be worth its memory to nobody. */
const longestKept = 50_000;

/**
 * The command that was read last. One with variables or a standard input is asked about several times in a row, each time with
 * something else beside it, and to read it takes longest.
 */
class LastCommands {
  #text = "";
  readonly #read = new Map<boolean, ReadCommand>();

  get(text: string, isOutside: boolean): ReadCommand {
    if (text !== this.#text) this.#read.clear();
    this.#text = text;
    const known = this.#read.get(isOutside) ?? this.#withValues();
    if (known !== undefined) return known;
    const read = readCommand(text, isOutside);
    if (text.length <= longestKept) this.#read.set(isOutside, read);
    return read;
  }

  /** Where there are values in the command itself, those beside it make no difference to how it is read. */
  #withValues(): ReadCommand | undefined {
    return [...this.#read.values()].find(({ script }) => script.placed.slots.length > 0);
  }
}

const lastCommands = new LastCommands();

/** What a script runs of the directory that it works in. */
export function runsOfScript(text: string): readonly FileName[] {
  const references = findReferences(text);
  const script = lowerScript(parse(maskReferences(text, references)), new PlacedValues(text, references));
  lowerProgramTexts(script, false);
  return runsOfDirectory(script.commands);
}

function hintsOf(text: string, tree: ParsedScript): CommandProblem[] {
  const background = backgroundHint(text, tree);
  const exitCode = onlyLastExitCode(text, tree);
  return [...(background === undefined ? [] : [background]), ...(exitCode === undefined ? [] : [exitCode])];
}

function suspectedReferences({ suspects, commands }: ScriptBuilder): CommandProblem[] {
  if (suspects.length === 0) return [];
  const assigned = findAssignedNames(commands);
  return suspects.filter(({ name }) => !assigned.has(name)).map(({ problem }) => problem);
}
