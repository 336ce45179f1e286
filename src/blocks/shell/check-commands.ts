import type { WrittenFile } from "../../block/define-block.ts";
import type { Span } from "../../expression/ast.ts";
import { AcceptedValues, type CheckText } from "./accepted-values.ts";
import { environmentOf, isTextTool, readsAnyVariable, runByTool, runsCommands } from "./awk-programs.ts";
import { builtinAt, filledBy } from "./builtin-options.ts";
import { type CommandNames, checkProgram, type InputUse } from "./check-program.ts";
import { valuesRun } from "./check-run-files.ts";
import { chosenPrograms } from "./chosen-programs.ts";
import type { CommandProblem, Refusal } from "./command-problem.ts";
import { CommandReadings } from "./command-readings.ts";
import { DeclaredVariables, isBuildVariable, isProgramVariable, startsBuild } from "./evaluated-variables.ts";
import { fedToXargs } from "./fed-words.ts";
import { fileNames, fileOf, nameOfFile } from "./file-holders.ts";
import { isStandardInput, programName } from "./interpreters.ts";
import { HeldValues } from "./lift-words.ts";
import { LiteralVariables } from "./literal-variables.ts";
import { namingBuiltins } from "./lower-script.ts";
import { findOpenConstruct } from "./open-constructs.ts";
import { inProgramText, readsProgramText } from "./program-text-options.ts";
import type { ProgramText } from "./program-texts.ts";
import {
  arrayText,
  asProgramName,
  duplicatedDescriptor,
  evaluatedSubscript,
  evaluatedVariable,
  indirectName,
  pastedName,
  pipedProgram,
  printedProgram,
  programOnStandardInput,
  programVariable,
  searchPath,
  settingVariable,
  writtenProgram,
} from "./refusals.ts";
import type { Report } from "./reparsing-commands.ts";
import { directoriesGiven, runsOfDirectory, startsComputed } from "./runs-of-directory.ts";
import type { Evaluation, ScriptBuilder } from "./script-builder.ts";
import {
  type Command,
  expansionMark,
  hasValue,
  isTextScope,
  markedText,
  type ParsedWord,
  type Piece,
  type PlacedSlot,
  readAssignment,
  type Word,
} from "./shell-syntax.ts";
import { callbackOf } from "./trace-builtins.ts";
import { fedBy, type Surroundings, Trace } from "./trace-values.ts";
import { type Transfer, transferOf } from "./transfers.ts";
import { inputOf, type ProofOfSlot } from "./value-flow.ts";
import { joinedPieces, languageOf, ValueReports } from "./value-reports.ts";

export interface ScriptCheck {
  readonly problems: readonly CommandProblem[];
  /** What evaluates contents in the script, if anything does; see open-constructs.ts. */
  readonly construct: string | undefined;
  /** The references whose values decide which program runs. */
  readonly chosen: readonly string[];
  /** The files that the script writes values to. */
  readonly written: readonly WrittenFile[];
}

/** Looks for values, and for what holds one, where a command would evaluate them. */
export function checkCommands(
  script: ScriptBuilder,
  texts: readonly ProgramText[],
  hasValues: boolean,
  surroundings: Surroundings,
  known: ProvedValues,
): ScriptCheck {
  const declared = new DeclaredVariables(script.placed.text, script.commands);
  const construct = findOpenConstruct(script, declared);
  if (!hasValues) return { problems: [], construct, chosen: [], written: [] };
  const trace = new Trace(script, texts, surroundings, known.proofOfSlot);
  const check = new CommandsCheck(script, trace, declared, surroundings, known);
  check.run();
  const { problems, chosen } = check.reports;
  return { problems: [...problems.values()], construct, chosen: [...chosen], written: check.written() };
}

/** What is known of the values of a script. */
export interface ProvedValues {
  readonly proofOfSlot: ProofOfSlot;
  readonly checkText: CheckText;
}

class CommandsCheck {
  readonly reports: ValueReports;
  private readonly script: ScriptBuilder;
  private readonly env: ReadonlyMap<string, PlacedSlot>;
  private readonly trace: Trace;
  private readonly held: HeldValues;
  private readonly declared: DeclaredVariables;
  private readonly literals: LiteralVariables;
  /** Whether a program runs that takes variables such as CC for commands. */
  private readonly builds: boolean;
  private readonly transfers: Transfer[] = [];
  private readonly readings: CommandReadings;
  /** Whether the command that is checked stands in a text that another one runs. */
  private inText = false;
  private readonly naming: CommandNames;

  constructor(
    script: ScriptBuilder,
    trace: Trace,
    declared: DeclaredVariables,
    { env = new Map() }: Surroundings,
    known: ProvedValues,
  ) {
    this.script = script;
    this.env = env;
    this.trace = trace;
    this.held = new HeldValues(script.placed.text, trace.flow);
    const accepted = new AcceptedValues(trace.flow, this.held, known.checkText);
    this.naming = accepted;
    this.reports = new ValueReports(script.placed.text, this.held, accepted);
    this.readings = new CommandReadings(trace);
    this.declared = declared;
    this.literals = new LiteralVariables(script.commands);
    this.builds = script.commands.some(({ words }) => words.slice(0, 4).some(startsBuild));
  }

  run(): void {
    for (const { slot, refusal } of this.script.placed.demands) this.reports.add([slot], refusal);
    for (const command of this.script.commands) this.checkCommand(command);
    for (const evaluation of this.script.evaluations) this.checkEvaluation(evaluation);
    for (const [name, slot] of this.env) if (this.isSetting(name)) this.reports.add([slot], settingVariable(name));
    this.noteDirectories();
    for (const { name, range } of this.trace.receipts)
      if (this.declared.evaluates(name)) this.reportNames(name, range, evaluatedVariable);
    for (const { holder, pieces, range } of this.script.pours)
      if (range !== undefined && this.declared.evaluates(holder)) this.reportEvaluated(holder, range, pieces);
  }

  written(): WrittenFile[] {
    const found = this.transfers.flatMap(({ name, slots }) =>
      slots.map((slot) => ({ name, value: this.held.referenceOf(slot) })),
    );
    for (const [holder, origin] of this.trace.flow.heldValues()) {
      const name = nameOfFile(holder);
      if (name !== undefined) found.push({ name, value: this.held.referenceOf(origin) });
    }
    return found;
  }

  private readonly report: Report = (word, refusal, together = [word]) => {
    // Who writes `sh -c '"$1" --version' _ "${inputs.tool}"` means to run the argument.
    const isMeant = refusal === asProgramName && this.inText;
    return this.reports.add(word.slots, isMeant ? { ...refusal, level: "hint" } : refusal, joinedPieces(together));
  };

  /** Reports the variables that arithmetic in a word's text names. */
  private reportNames(text: string, word: Pick<Word, "start" | "end">, refusal: Refusal): void {
    const slot = this.held.namedIn(text, word);
    if (slot !== undefined) this.reports.add([slot], refusal);
  }

  private checkEvaluation({ pieces, names, refusal, direct, array, range }: Evaluation): void {
    if (array !== undefined && this.declared.isAssociative(array)) return;
    if (refusal === indirectName) this.reportHeldNames(pieces, range);
    for (const piece of pieces) {
      const slot = names ? this.held.evaluatedIn(piece) : this.held.slotIn(piece);
      if (slot === undefined) continue;
      this.reports.add([slot], slot.held === undefined ? (direct ?? refusal) : refusal);
    }
    if (!names) return;
    const text = pieces.map((piece) => (piece.kind === "text" ? piece.text : expansionMark)).join("");
    this.reportNames(text, range, refusal);
  }

  private checkCommand(command: Command): void {
    const { words, assignments, redirects, kind, scope } = command;
    this.inText = isTextScope(scope);
    for (const { operator, target } of redirects) {
      if (operator === ">&") this.report(this.held.lift(target), duplicatedDescriptor);
    }
    if (kind === "loop") {
      const name = assignments[0]?.assigns?.name ?? "";
      if (this.declared.evaluates(name))
        for (const word of words) {
          this.reportEvaluated(name, word, word.pieces);
          this.reportSubscript(markedText(word.pieces), word);
        }
      return;
    }
    for (const word of assignments) this.checkAssignment(this.held.lift(word));
    if (kind !== "simple") return;
    const lifted = words.map((word) => this.held.lift(word));
    this.checkNames(lifted);
    const readings = this.readingsOf(command, lifted);
    const uses = readings.map((reading) => this.checkReading(reading));
    if (uses.includes("program")) this.checkProgramInput(command);
    this.checkFed(command, readings);
    this.checkPrograms(command, lifted);
    for (const { origin, shown } of valuesRun(command, this.trace, this.literals))
      this.reports.add([origin], writtenProgram(shown));
    this.noteStarted(command, lifted);
    const transfer = transferOf(lifted, command.redirects);
    if (transfer !== undefined) this.transfers.push(transfer);
  }

  private readingsOf({ words, id }: Command, lifted: readonly Word[]): readonly (readonly Word[])[] {
    // Without a value the texts of variables can lead to nothing.
    const isConcerned = lifted.some(hasValue) || this.trace.flow.originOf(inputOf(id)) !== undefined;
    const others = isConcerned ? this.readings.of(words).slice(1) : [];
    const known = new Map(words.map((word, index) => [word, lifted[index]]));
    const lift = (word: ParsedWord): Word => {
      const found = known.get(word) ?? this.held.lift(word);
      known.set(word, found);
      return found;
    };
    return [lifted, ...others.map((reading) => reading.map(lift))];
  }

  private checkReading(words: readonly Word[]): InputUse {
    this.checkDeclaration(words);
    this.noteChosen(words);
    const { inputUse, assignments } = checkProgram(words, this.report, this.naming);
    for (const word of assignments) this.checkAssignment(word);
    return inputUse;
  }

  /** What a command makes of its input: arguments of another one, as xargs does, or lines for a function of mapfile. */
  private checkFed(command: Command, readings: readonly (readonly Word[])[]): void {
    const origin = this.trace.flow.originOf(inputOf(command.id));
    if (origin === undefined) return;
    for (const words of readings) {
      const fed = fedToXargs(words, origin, this.held.referenceOf(origin));
      if (fed !== undefined) this.checkReading(fed);
      const at = builtinAt(words.map((word) => word.text));
      const parameters = words.slice(at + 1).map(({ parsed }) => parsed);
      const called = callbackOf(words[at]?.text ?? "", parameters, command.id);
      for (const reading of called === undefined ? [] : this.readings.of(called))
        this.checkReading(reading.map((word) => this.held.lift(word)));
    }
  }

  private noteChosen(words: readonly Word[]): void {
    for (const { slots } of chosenPrograms(words)) slots.forEach(this.reports.note, this.reports);
  }

  /** `cd "${inputs.v}"; make`: the directory decides what runs. */
  private noteDirectories(): void {
    const { commands } = this.script;
    const slots = commands.flatMap(({ words }) => directoriesGiven(words.map((word) => this.held.lift(word))));
    if (slots.length > 0 && runsOfDirectory(commands).length > 0) slots.forEach(this.reports.note, this.reports);
  }

  /** A value that reaches a program in another language which computes what it starts. */
  private noteStarted(command: Command, words: readonly Word[]): void {
    if (!startsComputed(command)) return;
    const { flow } = this.trace;
    const held = [flow.originOf(inputOf(command.id)), flow.originOf(this.trace.allVariables())];
    for (const slot of [...words.flatMap(({ slots }) => slots), ...held])
      if (slot !== undefined) this.reports.note(slot);
  }

  private checkAssignment(word: Word): void {
    const assignment = readAssignment(word);
    if (assignment?.name === "PATH") this.checkSearchPath(word);
    if (this.isSetting(assignment?.name ?? "") && hasValue(word))
      this.report(word, settingVariable(assignment?.name ?? ""));
    if (assignment === undefined || !this.declared.evaluates(assignment.name)) return;
    const { name } = assignment;
    if (hasValue(word)) this.report(word, isProgramVariable(name) ? programVariable(name) : evaluatedVariable);
    else this.reportEvaluated(name, word, word.parsed.assigns?.value ?? word.parsed.pieces);
  }

  /** Whether a program takes commands from what the variable holds, or from files in the directory it names. */
  private isSetting(name: string): boolean {
    return name === "HOME" || (this.builds && isBuildVariable(name));
  }

  /** Reports what bash comes to when it evaluates what a variable is given. */
  private reportEvaluated(name: string, range: Span, pieces: readonly Piece[]): void {
    const refusal = isProgramVariable(name) ? programVariable(name) : evaluatedVariable;
    this.checkEvaluation({ pieces, names: this.declared.calculates(name), refusal, range });
    this.reportHeldNames(pieces, range);
  }

  /** Bash calculates with the subscript of a name that a variable holds. */
  private reportHeldNames(pieces: readonly Piece[], range: Span): void {
    const [first, ...others] = pieces;
    const texts = first?.kind === "read" ? this.trace.flow.textsOf(first.holder) : [""];
    const rest = markedText(first?.kind === "read" ? others : pieces);
    for (const text of texts) this.reportSubscript(text + rest, range);
  }

  /** A value that is more than the beginning of a directory's path, as in `PATH="${blocks.env.venv}/bin:$PATH"`. */
  private checkSearchPath({ parsed: { pieces }, slots }: Word): void {
    slots.forEach(this.reports.note, this.reports);
    for (const [index, piece] of pieces.entries()) {
      const next = pieces[index + 1];
      const isBeginning = next?.kind === "text" && next.text.startsWith("/");
      const isPath = piece.kind === "read" && piece.holder === "PATH";
      const slot = isBeginning || isPath ? undefined : this.held.slotIn(piece);
      if (slot !== undefined) this.reports.add([slot], searchPath);
    }
  }

  /** `declare name=text` parses the text as elements if the variable is an array. */
  private checkDeclaration(words: readonly Word[]): void {
    const at = words.findIndex((word, index) => index < 4 && declarations.has(word.text));
    if (at === -1) return;
    for (const word of words.slice(at + 1)) {
      const name = word.elements === undefined ? readAssignment(word)?.name : undefined;
      if (name !== undefined && this.declared.isArray(name)) this.report(word, arrayText(words[at]?.text ?? ""));
    }
  }

  private checkProgramInput(command: Command): void {
    const language = languageOf(command.words.map((word) => programName(this.held.lift(word))));
    let isFed = false;
    for (const { operator, target, body, start } of command.redirects) {
      if (!operator.startsWith("<")) continue;
      const pieces = body ?? fedBy(operator, target);
      // What a here-document feeds is all that is read.
      isFed ||= operator.startsWith("<<") && !/\d/.test(this.script.placed.text.charAt(start));
      for (const piece of pieces) {
        const slot = this.held.slotIn(piece);
        if (slot !== undefined) this.reports.add([slot], programOnStandardInput(language), pieces);
      }
    }
    if (isFed) return;
    const origin = this.trace.flow.originOf(inputOf(command.id));
    if (origin !== undefined) this.reports.add([origin], pipedProgram);
    else if (command.pipedFrom !== undefined)
      for (const word of this.script.commands[command.pipedFrom]?.words ?? [])
        this.report(this.held.lift(word), printedProgram);
  }

  /** `n='a[i]'; printf -v "$n" x`: bash calculates with the subscript of a name that a variable holds. */
  private checkNames(words: readonly Word[]): void {
    const at = builtinAt(words.map((word) => word.text));
    if (!namingBuiltins.has(words[at]?.text ?? "")) return;
    const parameters = words.slice(at + 1).map(({ parsed }) => parsed);
    for (const word of [...parameters, ...filledBy(words[at]?.text ?? "", parameters)])
      if (word.pieces[0]?.kind === "read") this.reportHeldNames(word.pieces, word);
  }

  private reportSubscript(text: string, range: Span): void {
    const subscript = subscripted.exec(text)?.[1];
    if (subscript !== undefined) this.reportNames(subscript, range, evaluatedSubscript);
  }

  /** Programs that evaluate what the shell knows nothing of. */
  private checkPrograms(command: Command, words: readonly Word[]): void {
    const names = words.map(programName);
    if (names.includes("find") && words.some((word) => /\s.*\{\}|\{\}.*\s/s.test(word.text))) {
      const origin = this.trace.flow.originOf(fileNames);
      if (origin !== undefined) this.reports.add([origin], pastedName);
    }
    const at = names.findIndex((name) => isTextTool(name) || readsProgramText(name) || /^g?make$/.test(name));
    const name = names[at];
    if (name === undefined) return;
    const origin = this.trace.flow.originOf(inputOf(command.id));
    const parameters = words.slice(at + 1);
    const isFromInput = parameters.some((word, index) => parameters[index - 1]?.text === "-f" && isStandardInput(word));
    if (origin !== undefined && (readsProgramText(name) || isFromInput))
      this.reports.add([origin], inProgramText(name));
    for (const [index, word] of parameters.entries())
      if (isTextTool(name) && parameters[index - 1]?.text === "-f") this.report(word, inProgramText(name));
    const programs = parameters.flatMap((word) => this.programsIn(word.parsed));
    const runs = isTextTool(name) ? programs.filter((text) => runsCommands(name, text)) : [];
    if (runs.length === 0) return;
    for (const word of [...parameters, ...command.assignments.map((assigned) => this.held.lift(assigned))])
      this.report(word, runByTool);
    const variables = runs.flatMap(environmentOf);
    if (runs.some(readsAnyVariable)) variables.push(this.trace.allVariables());
    // They run what stands in the files they are given, too.
    const files = parameters.map((word) => fileOf(word.parsed, this.literals) ?? "");
    const held = [origin, ...[...variables, ...files].map((holder) => this.trace.flow.originOf(holder))];
    for (const slot of held) if (slot !== undefined) this.reports.add([slot], runByTool);
  }

  /** The program's text that the word is, or that the script has written to the file it names. */
  private programsIn(word: ParsedWord): string[] {
    const option = /^(?:-[A-Za-z]*f|--file=)(?=.)/.exec(markedText(word.pieces))?.[0] ?? "";
    const file = fileOf(word, this.literals, option.length);
    return [this.literals.textOf(word), ...(file === undefined ? [] : this.trace.flow.textsOf(file))];
  }
}

/** A name, of which a part may be computed, and its subscript. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the mark of what is computed.
const subscripted = /^[A-Za-z_\u0002][\w\u0002]*\[(.*)/s;

const declarations: ReadonlySet<string> = new Set(["declare", "typeset", "local", "readonly", "export"]);
