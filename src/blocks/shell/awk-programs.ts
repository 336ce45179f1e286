import type { Refusal } from "./command-problem.ts";

export function isAwk(name: string): boolean {
  return /^[gmn]?awk$/.test(name);
}

/** Whether an awk program runs a command that is not written out in it: `system(x)`, `x | getline`, `print | x`. */
export function runsCommands(program: string): boolean {
  if (/\bsystem\s*\(\s*(?!"[^"]*"\s*\))/.test(program)) return true;
  if (/(?:^|[^"\s|])\s*\|&?\s*getline/.test(program)) return true;
  return /\bprintf?\b[^;}\n]*\|&?\s*(?!getline|")[\w$(]/.test(program);
}

export const runByAwk: Refusal = {
  code: "value-in-code",
  where: "in what an awk program gets that runs commands it computes",
  why: "system(), a pipe and getline run text as a shell command.",
  fix: () => "Let awk only print, and run the command in the script.",
};
