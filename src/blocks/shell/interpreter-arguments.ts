import type { Refusal } from "./command-problem.ts";
import type { ProgramUse } from "./interpreters.ts";
import { asRunningOption } from "./program-text-options.ts";
import { asProgramName } from "./refusals.ts";
import { interpreterText, type Report } from "./reparsing-commands.ts";
import { hasValue, startsWithValue, type Word } from "./shell-syntax.ts";

const asPerlFile: Refusal = {
  takes: "plain",
  code: "value-in-code",
  level: "warning",
  where: "in the name of a file for perl -n or -p",
  why: "perl runs a name that ends in | as a command.",
  fix: (reference) => `Let the shell open the file: perl ... < "${reference}".`,
};

/** What an interpreter runs of the arguments behind its program. */
export function checkInterpreterArguments(
  name: string,
  parameters: readonly Word[],
  use: ProgramUse,
  report: Report,
): void {
  if (/^perl/.test(name) && parameters.some(({ text }) => /^-[A-Za-z0-9]*[pn]/.test(text) && !/^-[MI]/.test(text)))
    for (const word of parameters) if (hasValue(word) && !use.code.includes(word)) report(word, asPerlFile);
  const at = use.chosen === undefined ? -1 : parameters.indexOf(use.chosen);
  if (!/^(?:python|pypy)/.test(name) || !/^-[A-Za-z]*m$/.test(parameters[at - 1]?.text ?? "")) return;
  const module = use.chosen?.text ?? "";
  for (const [index, word] of parameters.entries()) {
    if (index <= at || !hasValue(word)) continue;
    const before = parameters[index - 1]?.text ?? "";
    if (module === "timeit" || (module === "pdb" && before === "-c")) report(word, interpreterText("python"));
    else if (module === "unittest") report(word, asProgramName);
    else if (module === "pytest" && startsWithValue(word) && !/^-/.test(before))
      report(word, asRunningOption("pytest"));
  }
}
