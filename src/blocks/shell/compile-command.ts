import { type ParsedScript, parse } from "unbash";
import type { FileName, KnownValues } from "../../block/define-block.ts";
import type { Expression } from "../../expression/ast.ts";
import type { Proof } from "../../expression/proof.ts";
import type { Vars } from "../../expression/vars.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { checkCommands, type ProvedValues } from "./check-commands.ts";
import { backgroundHint, onlyLastExitCode } from "./command-hints.ts";
import type { CommandProblem } from "./command-problem.ts";
import type { CompiledCommand } from "./compiled-command.ts";
import { declareInput } from "./declare-inputs.ts";
import type { SuspectVariable } from "./explain-foreign-syntax.ts";
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
  known: KnownValues = nothingKnown,
  vars?: Vars,
): Result<CompiledCommand, CommandProblem[]> {
  const judged = judgeCommand(text, surroundings, known, vars);
  if (!judged.ok) return judged;
  const { fixed, problems, command } = judged.value;
  const all = [...fixed, ...problems];
  const isRefused = all.some(({ level }) => level === "error");
  if (isRefused && command.syntax !== undefined) all.push(command.syntax);
  all.sort((a, b) => a.start - b.start);
  return isRefused ? err(all) : ok({ ...command, notes: all });
}

/** A command with all that is wrong with it as far as its values are known. */
export interface JudgedCommand {
  /** What is wrong whatever its values are. */
  readonly fixed: readonly CommandProblem[];
  readonly problems: readonly CommandProblem[];
  readonly command: CompiledCommand;
}

/** The same for a command that is refused, as long as it can be read: what is known of its values may come later. */
export function judgeCommand(
  text: string,
  surroundings: Surroundings = {},
  known: KnownValues = nothingKnown,
  vars?: Vars,
): Result<JudgedCommand, CommandProblem[]> {
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    const message = "A command can't hold a NUL character.";
    return err([{ code: "nul-in-command", level: "error", message, start: nul, end: nul + 1 }]);
  }
  const braces = findTooManyBraces(text);
  if (braces !== undefined) return err([braces]);
  const isOutside = surroundings.stdin !== undefined || (surroundings.env?.size ?? 0) > 0;
  const read = lastCommands.get(text, isOutside, vars);
  if (isOutside || known !== nothingKnown) return ok(checkCommand(read, surroundings, known));
  read.plain ??= checkCommand(read, {}, known);
  return ok(read.plain);
}

/** Of no value anything. */
export const nothingKnown: KnownValues = { proofOf: () => undefined, inputOf: () => undefined };

/** A command as far as it is the same whatever is beside it. */
interface ReadCommand {
  readonly script: ScriptBuilder;
  readonly hasValues: boolean;
  readonly texts: readonly ProgramText[];
  readonly problems: readonly CommandProblem[];
  readonly hints: readonly CommandProblem[];
  readonly syntax: CommandProblem | undefined;
  /** What it comes to with nothing beside it. */
  plain?: JudgedCommand;
}

function readCommand(text: string, isOutside: boolean, vars: Vars | undefined): ReadCommand {
  const references = findReferences(text, vars);
  const tree = parse(maskReferences(text, references));
  const placed = new PlacedValues(text, references);
  const script = lowerScript(tree, placed);
  const problems = [...placed.problems, ...unassigned(script.suspects, script).map(({ problem }) => problem)];
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

function checkCommand(read: ReadCommand, surroundings: Surroundings, known: KnownValues): JudgedCommand {
  const { script, hasValues, texts, syntax } = read;
  const { placed } = script;
  const proved = provedValues(placed, known);
  const { construct, chosen, written, ...check } = checkCommands(script, texts, hasValues, surroundings, proved);
  const fixed = [...read.problems, ...read.hints].sort((a, b) => a.start - b.start);
  const found = check.problems.toSorted((a, b) => a.start - b.start);
  const advised = Math.min(mostAdvised, mostCommandsAdvised / (script.commands.length + 1));
  return {
    fixed,
    problems: found.map(({ value, ...problem }, index) => {
      const declare = index < advised ? advise(read, surroundings, known, { value, ...problem }) : undefined;
      return declare === undefined ? problem : { ...problem, fix: `${declare} Or: ${problem.fix}` };
    }),
    command: {
      segments: placed.segments(),
      values: placed.values,
      notes: fixed,
      chosen,
      written,
      syntax,
      construct,
      loopVariables: unassigned(script.loopVariables, script),
    },
  };
}

function provedValues({ values }: PlacedValues, known: KnownValues): ProvedValues {
  const proofs = values.map(({ expression, use }) => (use === "raw" ? undefined : known.proofOf(expression)));
  return {
    proofOfSlot: ({ value, held, proof }) => (held === undefined ? proofs[value] : proof),
    checkText: isHarmlessText,
  };
}

/** Of so many problems it is tried out what would help, of fewer in a long script: each takes several checks of it. */
const mostAdvised = 10;
const mostCommandsAdvised = 1_000;

/** What to declare of the input that a problem is about, so that there is none. */
function advise(
  { script, hasValues, texts }: ReadCommand,
  surroundings: Surroundings,
  known: KnownValues,
  { value, code, level, start, end }: CommandProblem,
): string | undefined {
  const { placed } = script;
  const about = value === undefined ? undefined : placed.values[value]?.expression;
  const input = about === undefined ? undefined : known.inputOf(about);
  if (about === undefined || input === undefined) return undefined;
  const isSame = (expression: Expression): boolean => known.inputOf(expression)?.name === input.name;
  return declareInput(input, code, known.proofOf(about), (proof) => {
    const proofOf = (expression: Expression): Proof | undefined =>
      isSame(expression) ? proof : known.proofOf(expression);
    const proved = provedValues(placed, { ...known, proofOf });
    const { problems } = checkCommands(script, texts, hasValues, surroundings, proved);
    // What is known of a value moves a problem, for example from it to what prints it.
    return problems.every(
      (problem) => (level === "error" && problem.level !== "error") || problem.end < start || problem.start > end,
    );
  });
}

/** What may stand in arithmetic without being looked at when it is there. */
function isWhole(proof: Proof | undefined): boolean {
  return proof !== undefined && !proof.letters && proof.kind !== "number";
}

/** Texts in texts are looked at as long as nobody writes more of them. */
const deepestText = 4;
let depth = 0;

/** Whether a shell text in which these words stand has nothing wrong with it. */
function isHarmlessText(source: string, proofs: ReadonlyMap<string, Proof>): boolean {
  if (depth >= deepestText) return false;
  const byText = (expression: Expression): Proof | undefined =>
    expression.kind === "path" ? proofs.get(`\${${expression.root}.${expression.steps[0]?.key}}`) : undefined;
  depth += 1;
  try {
    const known = { proofOf: byText, inputOf: () => undefined };
    const read = readCommand(source, false, undefined);
    const { fixed, problems, command } = checkCommand(read, {}, known);
    const isCalculable = command.values.every(({ use, expression }) => use === "text" || isWhole(byText(expression)));
    return (
      read.syntax === undefined &&
      isCalculable &&
      [...fixed, ...problems].every(({ level, code }) => level === "hint" || code === "value-in-format")
    );
  } finally {
    depth -= 1;
  }
}

/** What is read of a longer command would be worth its memory to nobody. */
const longestKept = 50_000;

/**
 * The command that was read last. One with variables or a standard input is asked about several times in a row, each time with
 * something else beside it, and to read it takes longest.
 */
class LastCommands {
  #text = "";
  #vars: Vars | undefined;
  readonly #read = new Map<boolean, ReadCommand>();

  get(text: string, isOutside: boolean, vars: Vars | undefined): ReadCommand {
    if (text !== this.#text || vars !== this.#vars) this.#read.clear();
    this.#text = text;
    this.#vars = vars;
    const known = this.#read.get(isOutside) ?? this.#withValues();
    if (known !== undefined) return known;
    const read = readCommand(text, isOutside, vars);
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
export function runsOfScript(text: string, vars?: Vars): readonly FileName[] {
  const references = findReferences(text, vars);
  const script = lowerScript(parse(maskReferences(text, references)), new PlacedValues(text, references));
  lowerProgramTexts(script, false);
  return runsOfDirectory(script.commands);
}

function hintsOf(text: string, tree: ParsedScript): CommandProblem[] {
  const background = backgroundHint(text, tree);
  const exitCode = onlyLastExitCode(text, tree);
  return [...(background === undefined ? [] : [background]), ...(exitCode === undefined ? [] : [exitCode])];
}

/** Those that the script does not set itself. */
function unassigned(variables: readonly SuspectVariable[], { commands }: ScriptBuilder): readonly SuspectVariable[] {
  if (variables.length === 0) return [];
  const assigned = findAssignedNames(commands);
  return variables.filter(({ name }) => !assigned.has(name));
}
