import { checkProgram, type InputUse } from "./check-program.ts";
import { type CommandProblem, type Refusal, refuse } from "./command-problem.ts";
import {
  type EvaluatedNames,
  evaluatesContents,
  findAssociativeArrays,
  findEvaluatedNames,
} from "./evaluated-variables.ts";
import { HeldValues } from "./lift-held-values.ts";
import {
  evaluatedNumber,
  evaluatedVariable,
  numericTest,
  pipedProgram,
  printedProgram,
  programOnStandardInput,
  variableTest,
} from "./refusals.ts";
import type { Report } from "./reparsing-commands.ts";
import type { Scan } from "./scan.ts";
import { type Command, hasValue, type PlacedSlot, readAssignment, type Word } from "./shell-syntax.ts";
import { fedCarrier, inputOf, type Trace, traceValues } from "./trace-values.ts";

/** Looks for values, and for variables that hold one, where a command would evaluate them. */
export function checkCommands(scan: Scan): CommandProblem[] {
  const check = new CommandsCheck(scan);
  check.run();
  return [...check.problems.values()];
}

/** How many of a list's definitions are tried with the arguments that follow it. */
const mostDefinitions = 5;
const mostWords = 20;

class CommandsCheck {
  readonly problems: Map<string, CommandProblem> = new Map();
  private readonly scan: Scan;
  private readonly trace: Trace;
  private readonly held: HeldValues;
  private readonly evaluated: EvaluatedNames;
  private readonly checkedLists = new Set<string>();

  constructor(scan: Scan) {
    this.scan = scan;
    this.trace = traceValues(scan.commands, scan.defaults);
    this.held = new HeldValues(scan.text, this.trace.flow);
    this.evaluated = findEvaluatedNames(scan.commands);
  }

  run(): void {
    const { commands } = this.scan;
    if (this.scan.slots.length === 0) return;
    for (const [index, command] of commands.entries()) {
      if (this.checkCommand(this.held.liftCommand(command)) === "program") this.checkProgramInput(command, index);
    }
    const associative = findAssociativeArrays(commands);
    for (const { read, refusal, array } of this.scan.evaluations) {
      const slot = array !== undefined && associative.has(array) ? undefined : this.held.slotOf(read);
      if (slot !== undefined) this.reportSlots([slot], refusal);
    }
    for (const { name, word } of this.trace.receipts) {
      if (evaluatesContents(name, this.evaluated)) this.reportName(name, word, evaluatedVariable);
    }
  }

  private readonly report: Report = (word, refusal) => this.reportSlots(word.slots, refusal);

  private reportSlots(slots: readonly PlacedSlot[], refusal: Refusal): void {
    for (const slot of slots) {
      const key = `${slot.start} ${refusal.level ?? "error"}`;
      if (!this.problems.has(key)) this.problems.set(key, refuse(refusal, this.scan.text, slot));
    }
  }

  /** Reports a word in which a variable stands by its bare name, if that holds a value. */
  private reportName(name: string, { start, end }: Word, refusal: Refusal): void {
    const read = { name, start, end, at: -1, fed: false, split: false, list: false };
    const slot = this.held.slotOf(read);
    if (slot !== undefined) this.reportSlots([slot], refusal);
  }

  /** Reports the variables that arithmetic in a word's text names. */
  private reportNames(text: string, word: Word, refusal: Refusal): void {
    for (const [name] of text.matchAll(/\b[A-Za-z_]\w*/g)) this.reportName(name, word, refusal);
  }

  private checkCommand(command: Command): InputUse {
    if (command.kind === "conditional") return this.checkConditional(command.words);
    if (command.kind === "for") {
      const name = command.assignments[0]?.text ?? "";
      if (evaluatesContents(name, this.evaluated))
        for (const word of command.words) this.report(word, evaluatedVariable);
      return "data";
    }
    const { inputUse, assignments, runsList } = checkProgram(command.words, this.report);
    for (const word of [...command.assignments, ...assignments]) this.checkAssignment(word);
    if (command.words[0]?.text === "let")
      for (const word of command.words.slice(1)) this.reportNames(word.text, word, evaluatedNumber);
    return runsList === undefined ? inputUse : this.checkList(runsList.name, runsList.parameters);
  }

  /** `"${command[@]}" more`: what was put into the list is the program with its first arguments. */
  private checkList(name: string, parameters: readonly Word[]): InputUse {
    const definitions = this.trace.lists.get(name) ?? [];
    const known = this.checkedLists.has(name);
    this.checkedLists.add(name);
    let use: InputUse = "data";
    for (const [index, definition] of definitions.entries()) {
      if (known && (index >= mostDefinitions || parameters.length === 0)) break;
      const words = definition.slice(0, known ? mostWords : undefined).map((word) => this.held.liftWord(word));
      if (checkProgram([...words, ...parameters], this.report).inputUse === "program") use = "program";
    }
    return use;
  }

  private checkAssignment(word: Word): void {
    const assignment = readAssignment(word);
    if (assignment === undefined || !evaluatesContents(assignment.name, this.evaluated)) return;
    if (hasValue(word)) this.report(word, evaluatedVariable);
    else this.reportNames(assignment.value, word, evaluatedNumber);
  }

  /** `[[ ]]` reads its operators from the text only, so it is enough to look at what stands beside them. */
  private checkConditional(words: readonly Word[]): InputUse {
    for (const [index, word] of words.entries()) {
      const before = words[index - 1];
      if (before?.text === "-v" || before?.text === "-R") {
        if (hasValue(word)) this.report(word, variableTest);
        this.reportNames(/\[.*/s.exec(word.text)?.[0] ?? "", word, variableTest);
      } else if (isNumericOperator(before) || isNumericOperator(words[index + 1])) {
        if (hasValue(word)) this.report(word, numericTest);
        this.reportNames(word.text, word, numericTest);
      }
    }
    return "data";
  }

  private checkProgramInput(command: Command, index: number): void {
    for (const redirect of command.redirects) this.reportSlots(fedCarrier(redirect).slots, programOnStandardInput);
    const origin = this.trace.flow.originOf(inputOf(index));
    if (origin !== undefined) this.reportSlots([origin], pipedProgram);
    else if (command.pipedFrom !== undefined)
      for (const word of command.pipedFrom.words) this.report(word, printedProgram);
  }
}

function isNumericOperator(word: Word | undefined): boolean {
  return word !== undefined && /^-(?:eq|ne|lt|le|gt|ge)$/.test(word.text);
}
