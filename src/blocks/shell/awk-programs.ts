import type { Refusal } from "./command-problem.ts";

/** Programs of awk and sed that run commands. */
export function isTextTool(name: string): boolean {
  return isAwk(name) || /^g?sed$/.test(name);
}

function isAwk(name: string): boolean {
  return /^[gmn]?awk$/.test(name);
}

/** Whether a program runs a command that is not written out in it: `system(x)`, `x | getline`, `print | x`; sed's `e`. */
export function runsCommands(name: string, program: string): boolean {
  if (!isAwk(name)) return /(?:^|[;{}\n])\s*\d*e\b|s(\W)(?:(?!\1).)*\1(?:(?!\1).)*\1[gip\d]*e/s.test(program);
  if (/\bsystem\s*\(\s*(?!"[^"]*"\s*\))/.test(program)) return true;
  if (/(?:^|[^"\s|])\s*\|&?\s*getline/.test(program)) return true;
  if (/\|&?\s*"\s*(?:\/\S*\/)?(?:ba|da|k|z)?sh\b/.test(program)) return true;
  return /\bprintf?\b[^;}\n]*\|&?\s*(?!getline|")[\w$(]/.test(program);
}

/** The variables that an awk program takes from its environment. */
export function environmentOf(program: string): string[] {
  return [...program.matchAll(/ENVIRON\["(\w+)"\]/g)].map(([, name = ""]) => name);
}

export const runByTool: Refusal = {
  code: "value-in-code",
  where: "in what an awk or sed program gets that runs commands it computes",
  why: "system(), a pipe, getline and sed's e run text as a shell command.",
  fix: () => "Let the program only print, and run the command in the script.",
};
