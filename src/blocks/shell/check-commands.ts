import type { WrittenFile } from "../../block/define-block.ts";
import type { Span } from "../../expression/ast.ts";
import { environmentOf, isTextTool, runByTool, runsCommands } from "./awk-programs.ts";
import { checkProgram, type InputUse } from "./check-program.ts";
import { valuesRun } from "./check-run-files.ts";
import { chosenPrograms } from "./chosen-programs.ts";
import { type CommandProblem, type Refusal, refuse } from "./command-problem.ts";
import { DeclaredVariables, isBuildVariable, isProgramVariable, startsBuild } from "./evaluated-variables.ts";
import { fileNames, fileOf, nameOfFile } from "./file-holders.ts";
import { isStandardInput, programName } from "./interpreters.ts";
import { HeldValues } from "./lift-words.ts";
import { LiteralVariables } from "./literal-variables.ts";
import { namingBuiltins } from "./lower-script.ts";
import { findOpenConstruct } from "./open-constructs.ts";
import { inProgramText, readsProgramText } from "./program-text-options.ts";
import { isTextScope, lowerProgramTexts } from "./program-texts.ts";
import {
  arrayText,
  asProgramName,
  duplicatedDescriptor,
  evaluatedSubscript,
  evaluatedVariable,
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
import { runsOfDirectory, startsComputed } from "./runs-of-directory.ts";
import type { Evaluation, ScriptBuilder } from "./script-builder.ts";
import {
  type Command,
  expansionMark,
  hasValue,
  markedText,
  type ParsedWord,
  type Piece,
  type PlacedSlot,
  readAssignment,
  type Word,
} from "./shell-syntax.ts";
import { fedBy, mayBeNothing, type Surroundings, Trace } from "./trace-values.ts";
import { type Transfer, transferOf } from "./transfers.ts";
import { aliasOf, inputOf, resultOf } from "./value-flow.ts";
import { WrittenTexts } from "./written-texts.ts";

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
export function checkCommands(script: ScriptBuilder, surroundings: Surroundings = {}): ScriptCheck {
  const texts = lowerProgramTexts(script);
  const declared = new DeclaredVariables(script.commands);
  const construct = findOpenConstruct(script, declared);
  const isOutside = surroundings.stdin !== undefined || (surroundings.env?.size ?? 0) > 0;
  if (script.placed.slots.length === 0 && !isOutside) return { problems: [], construct, chosen: [], written: [] };
  const check = new CommandsCheck(script, new Trace(script, texts, surroundings), declared, surroundings);
  check.run();
  return { problems: [...check.problems.values()], construct, chosen: [...check.chosen], written: check.written() };
}

/** How many of a list's definitions are tried with the arguments that follow it. */
const mostDefinitions = 5;
const mostWords = 20;
const deepestList = 4;

class CommandsCheck {
  readonly problems: Map<string, CommandProblem> = new Map();
  readonly chosen: Set<string> = new Set();
  private readonly script: ScriptBuilder;
  private readonly env: ReadonlyMap<string, PlacedSlot>;
  private readonly trace: Trace;
  private readonly held: HeldValues;
  private readonly declared: DeclaredVariables;
  private readonly literals: LiteralVariables;
  private readonly texts: WrittenTexts;
  /** Whether a program runs that takes variables such as CC for commands. */
  private readonly builds: boolean;
  private readonly transfers: Transfer[] = [];
  private readonly checkedLists = new Set<string>();
  /** Whether the command that is checked stands in a text that another one runs. */
  private inText = false;

  constructor(script: ScriptBuilder, trace: Trace, declared: DeclaredVariables, { env = new Map() }: Surroundings) {
    this.script = script;
    this.env = env;
    this.trace = trace;
    this.held = new HeldValues(script.placed.text, trace.flow);
    this.declared = declared;
    this.literals = new LiteralVariables(script.commands);
    this.texts = new WrittenTexts(script.commands, this.literals);
    this.builds = script.commands.some(({ words }) => words.slice(0, 4).some(startsBuild));
  }

  run(): void {
    for (const command of this.script.commands) this.checkCommand(command);
    for (const evaluation of this.script.evaluations) this.checkEvaluation(evaluation);
    for (const [name, slot] of this.env) if (this.isSetting(name)) this.reportSlots([slot], settingVariable(name));
    this.noteDirectories();
    for (const { name, word } of this.trace.receipts) {
      if (this.declared.evaluates(name)) this.reportNames(name, word, evaluatedVariable);
    }
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

  private readonly report: Report = (word, refusal) => {
    // Who writes `sh -c '"$1" --version' _ "${inputs.tool}"` means to run the argument.
    const isMeant = refusal === asProgramName && this.inText;
    this.reportSlots(word.slots, isMeant ? { ...refusal, level: "hint" } : refusal);
  };

  private reportSlots(slots: readonly PlacedSlot[], refusal: Refusal): void {
    for (const slot of slots) {
      // What is warned of here is a value that a program may run, or that chooses what it runs.
      if (refusal.level === "warning") this.noteSlot(slot);
      const key = `${slot.start} ${refusal.level ?? "error"}`;
      if (!this.problems.has(key)) this.problems.set(key, refuse(refusal, this.script.placed.text, slot));
    }
  }

  /** Reports the variables that arithmetic in a word's text names. */
  private reportNames(text: string, word: Pick<Word, "start" | "end">, refusal: Refusal): void {
    const slot = this.held.namedIn(text, word);
    if (slot !== undefined) this.reportSlots([slot], refusal);
  }

  private checkEvaluation({ pieces, names, refusal, direct, array, range }: Evaluation): void {
    if (array !== undefined && this.declared.isAssociative(array)) return;
    for (const piece of pieces) {
      const slot = names ? this.held.evaluatedIn(piece) : this.held.slotIn(piece);
      if (slot === undefined) continue;
      this.reportSlots([slot], slot.held === undefined ? (direct ?? refusal) : refusal);
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
    this.checkDeclaration(lifted);
    this.checkNames(lifted);
    if (this.checkWords(lifted) === "program") this.checkProgramInput(command);
    this.checkPrograms(command, lifted);
    for (const { origin, shown } of valuesRun(command, this.trace, this.literals))
      this.reportSlots([origin], writtenProgram(shown));
    this.noteStarted(command, lifted);
    const transfer = transferOf(lifted, command.redirects);
    if (transfer !== undefined) this.transfers.push(transfer);
  }

  private checkWords(words: readonly Word[]): InputUse {
    let use: InputUse = "data";
    for (const candidate of this.candidates(words)) {
      this.noteChosen(candidate);
      const { inputUse, assignments, runsList } = checkProgram(candidate, this.report);
      for (const word of assignments) this.checkAssignment(word);
      const used = runsList === undefined ? inputUse : this.checkList(runsList.name, runsList.parameters);
      if (used === "program") use = "program";
    }
    return use;
  }

  private noteChosen(words: readonly Word[]): void {
    for (const { slots } of chosenPrograms(words)) slots.forEach(this.noteSlot, this);
  }

  private noteSlot(slot: PlacedSlot): void {
    this.chosen.add(this.held.referenceOf(slot));
  }

  /** `cd "${inputs.v}"; make`: the directory decides what runs. */
  private noteDirectories(): void {
    const { commands } = this.script;
    const slots = commands.flatMap(({ words }) => directoriesGiven(words.map((word) => this.held.lift(word))));
    if (slots.length > 0 && runsOfDirectory(commands).length > 0) slots.forEach(this.noteSlot, this);
  }

  /** A value that reaches a program in another language which computes what it starts. */
  private noteStarted(command: Command, words: readonly Word[]): void {
    if (!startsComputed(command)) return;
    const { flow } = this.trace;
    const held = [flow.originOf(inputOf(command.id)), flow.originOf(this.trace.allVariables())];
    for (const slot of [...words.flatMap(({ slots }) => slots), ...held]) if (slot !== undefined) this.noteSlot(slot);
  }

  /** The command as it is written, and with the texts that a variable in the place of its name is known to hold. */
  private candidates(words: readonly Word[]): readonly (readonly Word[])[] {
    const [first, ...parameters] = words;
    const [only, ...others] = first?.parsed.pieces ?? [];
    if (first === undefined || only === undefined || others.length > 0) return [words];
    if (only.kind === "text") return [words, ...this.namedBy(aliasOf(only.text), first, parameters)];
    if (only.kind === "output") return [words, ...this.namedBy(resultOf(only.group), first, parameters)];
    if (only.kind !== "read" || only.list) return [words];
    const without = mayBeNothing(first.parsed) && first.slots.length === 0 ? [parameters] : [];
    return [words, ...without, ...this.namedBy(only.holder, first, parameters)];
  }

  private namedBy(holder: string, first: Word, parameters: readonly Word[]): readonly (readonly Word[])[] {
    const texts = this.trace.flow.textsOf(holder).slice(0, mostDefinitions);
    return texts.map((text) => [...splitText(text, first), ...parameters]);
  }

  /** `"${command[@]}" more`: what was put into the list is the program with its first arguments. */
  private checkList(name: string, parameters: readonly Word[], depth = 0): InputUse {
    const definitions = this.trace.lists.get(name) ?? [];
    const known = this.checkedLists.has(name);
    this.checkedLists.add(name);
    let use: InputUse = "data";
    for (const [index, definition] of definitions.entries()) {
      if (known && (index >= mostDefinitions || parameters.length === 0)) break;
      const words = definition.slice(0, known ? mostWords : undefined).map((word) => this.held.lift(word));
      const whole = [...words, ...parameters];
      this.noteChosen(whole);
      const { inputUse, runsList } = checkProgram(whole, this.report);
      if (inputUse === "program") use = "program";
      if (runsList !== undefined && depth < deepestList)
        if (this.checkList(runsList.name, runsList.parameters, depth + 1) === "program") use = "program";
    }
    return use;
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
    this.checkEvaluation({ pieces, names: this.declared.calculates(name), refusal: evaluatedVariable, range });
  }

  /** A value that is more than the beginning of a directory's path, as in `PATH="${blocks.env.venv}/bin:$PATH"`. */
  private checkSearchPath({ parsed: { pieces }, slots }: Word): void {
    slots.forEach(this.noteSlot, this);
    for (const [index, piece] of pieces.entries()) {
      const next = pieces[index + 1];
      const isBeginning = next?.kind === "text" && next.text.startsWith("/");
      const isPath = piece.kind === "read" && piece.holder === "PATH";
      const slot = isBeginning || isPath ? undefined : this.held.slotIn(piece);
      if (slot !== undefined) this.reportSlots([slot], searchPath);
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
    for (const { operator, target, body } of command.redirects) {
      if (!operator.startsWith("<")) continue;
      for (const piece of body ?? fedBy(operator, target)) {
        const slot = this.held.slotIn(piece);
        if (slot !== undefined) this.reportSlots([slot], programOnStandardInput);
      }
    }
    const origin = this.trace.flow.originOf(inputOf(command.id));
    if (origin !== undefined) this.reportSlots([origin], pipedProgram);
    else if (command.pipedFrom !== undefined)
      for (const word of this.script.commands[command.pipedFrom]?.words ?? [])
        this.report(this.held.lift(word), printedProgram);
  }

  /** `n='a[i]'; printf -v "$n" x`: bash calculates with the subscript of a name that a variable holds. */
  private checkNames(words: readonly Word[]): void {
    const at = words.findIndex((word) => !/^(?:command|builtin)$/.test(word.text));
    if (!namingBuiltins.has(words[at]?.text ?? "")) return;
    for (const word of words.slice(at + 1)) {
      const [first, ...others] = word.parsed.pieces;
      if (first?.kind !== "read") continue;
      for (const text of this.trace.flow.textsOf(first.holder)) this.reportSubscript(text + markedText(others), word);
    }
  }

  private reportSubscript(text: string, range: Span): void {
    const subscript = /^[A-Za-z_]\w*\[(.*)/s.exec(text)?.[1];
    if (subscript !== undefined) this.reportNames(subscript, range, evaluatedSubscript);
  }

  /** Programs that evaluate what the shell knows nothing of. */
  private checkPrograms(command: Command, words: readonly Word[]): void {
    const names = words.map(programName);
    if (names.includes("find") && words.some((word) => /\s.*\{\}|\{\}.*\s/s.test(word.text))) {
      const origin = this.trace.flow.originOf(fileNames);
      if (origin !== undefined) this.reportSlots([origin], pastedName);
    }
    const at = names.findIndex((name) => isTextTool(name) || readsProgramText(name) || /^g?make$/.test(name));
    const name = names[at];
    if (name === undefined) return;
    const origin = this.trace.flow.originOf(inputOf(command.id));
    const parameters = words.slice(at + 1);
    const isFromInput = parameters.some((word, index) => parameters[index - 1]?.text === "-f" && isStandardInput(word));
    if (origin !== undefined && (readsProgramText(name) || isFromInput))
      this.reportSlots([origin], inProgramText(name));
    for (const [index, word] of parameters.entries())
      if (isTextTool(name) && parameters[index - 1]?.text === "-f") this.report(word, inProgramText(name));
    const programs = parameters.flatMap((word) => this.programsIn(word.parsed));
    const runs = isTextTool(name) ? programs.filter((text) => runsCommands(name, text)) : [];
    if (runs.length === 0) return;
    for (const word of [...parameters, ...command.assignments.map((assigned) => this.held.lift(assigned))])
      this.report(word, runByTool);
    const variables = runs.flatMap(environmentOf);
    const held = [origin, ...variables.map((variable) => this.trace.flow.originOf(variable))];
    for (const slot of held) if (slot !== undefined) this.reportSlots([slot], runByTool);
  }

  /** The program's text that the word is, or that the script has written to the file it names. */
  private programsIn(word: ParsedWord): string[] {
    const file = fileOf(word, this.literals);
    const written = file === undefined ? undefined : this.texts.contentsOf(file);
    return [this.literals.textOf(word), ...(written === undefined ? [] : [written])];
  }
}

/** Values that say in which directory commands run: of cd, and of what starts them elsewhere. */
function directoriesGiven(words: readonly Word[]): readonly PlacedSlot[] {
  const moves = words.slice(0, 2).some((word) => /^(?:cd|pushd)$/.test(word.text));
  const given = words.filter((word, index) => {
    if (moves || /^--chdir=/.test(word.text)) return hasValue(word);
    return hasValue(word) && /^(?:-C|-D|--chdir)$/.test(words[index - 1]?.text ?? "");
  });
  return given.flatMap(({ slots }) => slots);
}

const declarations: ReadonlySet<string> = new Set(["declare", "typeset", "local", "readonly", "export"]);

/** The words that a text becomes where the shell splits it. */
function splitText(text: string, { start, end, parsed }: Word): Word[] {
  const made = { start, end, quoted: false, slots: [], elements: undefined, list: undefined, known: true, parsed };
  return text
    .trim()
    .split(/\s+/)
    .map((part) => ({ ...made, text: part }));
}
