import type { Refusal } from "./command-problem.ts";

/** Programs of awk and sed that run commands. */
export function isTextTool(name: string): boolean {
  return isAwk(name) || /^g?sed$/.test(name);
}

function isAwk(name: string): boolean {
  return /^[gmn]?awk$/.test(name);
}

const address = String.raw`(?:\d+(?:~\d+)?|\$|\+\d+|/(?:[^/\\\n]|\\.)*/[IM]*)`;
/** `e`, `$e`, `1,3e`, `/./e` */
const sedCommand = new RegExp(String.raw`(?:^|[;{}\n])\s*(?:${address}(?:\s*,\s*${address})?)?\s*!?\s*e(?=$|[\s;}])`);
/** `s/a/b/e`, with other flags and other delimiters. */
const sedSubstitution = /(?<![A-Za-z])s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiIMm\d]*e/s;

/** Whether a program runs a command that is not written out in it: `system(x)`, `x | getline`, `print | x`; sed's `e`. */
export function runsCommands(name: string, program: string): boolean {
  if (!isAwk(name)) return sedCommand.test(program) || sedSubstitution.test(program);
  if (/\bsystem\s*\(\s*(?!"[^"]*"\s*\))/.test(program)) return true;
  if (/(?:^|[^"\s|])\s*\|&?\s*getline/.test(program)) return true;
  if (/\|&?\s*"\s*(?:\/\S*\/)?(?:ba|da|k|z)?sh\b/.test(program)) return true;
  // A text with something behind it is put together with that.
  if (/\bprintf?\b[^;}\n]*\|&?\s*"(?:[^"\\]|\\.)*"[ \t]*[\w$(]/.test(program)) return true;
  return /\bprintf?\b[^;}\n]*\|&?\s*(?!getline|")[\w$(]/.test(program);
}

/** The variables that an awk program takes from its environment. */
export function environmentOf(program: string): string[] {
  return [...program.matchAll(/ENVIRON\["(\w+)"\]/g)].map(([, name = ""]) => name);
}

/** Whether it takes variables from there whose names it computes. */
export function readsAnyVariable(program: string): boolean {
  return /\bENVIRON\b(?!\[")/.test(program);
}

export const runByTool: Refusal = {
  takes: "fixed",
  code: "value-in-code",
  where: "in what an awk or sed program gets that runs commands it computes",
  why: "system(), a pipe, getline and sed's e run text as a shell command.",
  fix: () => "Let the program only print, and run the command in the script.",
};
