import { checkProgram, type InputUse } from "./check-program.ts";
import { checkStandardInput } from "./check-standard-input.ts";
import { type CommandProblem, type Refusal, refuse } from "./command-problem.ts";
import { type EvaluatedNames, evaluatesContents, findEvaluatedNames } from "./evaluated-variables.ts";
import { evaluatedVariable, numericTest, variableTest } from "./refusals.ts";
import type { Report } from "./reparsing-commands.ts";
import { type Command, hasValue, type PlacedSlot, readAssignment, type Word } from "./shell-syntax.ts";

/** Looks for values where a command would evaluate them. */
export function checkCommands(text: string, commands: readonly Command[]): CommandProblem[] {
  const problems = new Map<string, CommandProblem>();
  const reportSlots = (slots: readonly PlacedSlot[], refusal: Refusal): void => {
    for (const slot of slots) {
      const key = `${slot.start} ${refusal.level ?? "error"}`;
      if (!problems.has(key)) problems.set(key, refuse(refusal, text, slot));
    }
  };
  const report: Report = (word, refusal) => reportSlots(word.slots, refusal);
  const evaluated = findEvaluatedNames(commands);
  const inputUses = commands.map((command) => checkCommand(command, evaluated, report));
  checkStandardInput(commands, inputUses, reportSlots);
  return [...problems.values()];
}

function checkCommand(command: Command, evaluated: EvaluatedNames, report: Report): InputUse {
  if (command.kind === "conditional") return checkConditional(command.words, report);
  if (command.kind === "for") {
    const name = command.assignments[0]?.text ?? "";
    if (evaluatesContents(name, evaluated)) for (const word of command.words) report(word, evaluatedVariable);
    return "data";
  }
  const { inputUse, assignments } = checkProgram(command.words, report);
  for (const word of [...command.assignments, ...assignments]) checkAssignment(word, evaluated, report);
  return inputUse;
}

function checkAssignment(word: Word, evaluated: EvaluatedNames, report: Report): void {
  const name = readAssignment(word)?.name;
  if (hasValue(word) && name !== undefined && evaluatesContents(name, evaluated)) report(word, evaluatedVariable);
}

/** `[[ ]]` reads its operators from the text only, so it is enough to look at what stands beside them. */
function checkConditional(words: readonly Word[], report: Report): InputUse {
  for (const [index, word] of words.entries()) {
    if (!hasValue(word)) continue;
    const before = words[index - 1];
    const after = words[index + 1];
    if (before?.text === "-v" || before?.text === "-R") report(word, variableTest);
    else if (isNumericOperator(before) || isNumericOperator(after)) report(word, numericTest);
  }
  return "data";
}

function isNumericOperator(word: Word | undefined): boolean {
  return word !== undefined && /^-(?:eq|ne|lt|le|gt|ge)$/.test(word.text);
}
