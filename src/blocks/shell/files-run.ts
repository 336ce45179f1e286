import { readLaunch } from "./command-launchers.ts";
import { fileOf } from "./file-holders.ts";
import { findInterpreter, isShell, programName, readInterpreterUse, readShellUse } from "./interpreters.ts";
import type { LiteralVariables } from "./literal-variables.ts";
import { literalText, type ParsedWord, plainWord, type Word } from "./shell-syntax.ts";

/** A file that a command runs, or reads a program from. */
export interface RunFile {
  readonly file?: string;
  readonly shown: string;
  /** The word that names it. */
  readonly word?: ParsedWord;
  /** A pattern for its name, where find or another program chooses it. */
  readonly pattern?: string;
  /** Whether the names come through the standard input, as those of xargs. */
  readonly fromInput?: boolean;
}

/** Options with the name of a file that is run. */
const runOptions = /^(?:-f|--file|--makefile|--rcfile|--init-file|--playbook)$/;
const makefiles = ["Makefile", "makefile", "GNUmakefile"];
const hooked = /^(?:am|checkout|clone|commit|gc|merge|pull|push|rebase|switch|worktree)$/;
const mostLaunches = 10;
const mostShells = 5;

/** `./deploy.sh`, `source x`, `sudo bash x`, `make`. */
export function filesRun(words: readonly ParsedWord[], literals: LiteralVariables): RunFile[] {
  const found: RunFile[] = [];
  const named = words.findIndex((word) => /^-i?name$/.test(literalText(word) ?? ""));
  const takesNames = words.some((word) => literalText(word) === "xargs");
  const add = (word: ParsedWord | undefined): void => {
    const file = word === undefined ? undefined : fileOf(word, literals);
    if (word === undefined || file === undefined) return;
    const pasted = literalText(word)?.includes("{}") === true;
    const pattern = pasted ? { pattern: literalText(words[named + 1]) ?? "*" } : {};
    found.push({ file, shown: literalText(word) ?? "a file", word, ...pattern, fromInput: pasted && takesNames });
  };
  const [program, ...parameters] = behindLaunchers(words.map(plainWord));
  if (program === undefined) return [];
  add(program.parsed);
  const name = programName(program);
  if (name === "source" || name === ".") add(parameters[0]?.parsed);
  if (name === "make" || name === "gmake")
    for (const makefile of makefiles) found.push({ file: `file "${makefile}"`, shown: makefile });
  if (name === "git" && parameters.some((word) => hooked.test(word.text)))
    found.push({ shown: "a hook of git", pattern: ".git/hooks/*" });
  let shells = 0;
  for (const [index, word] of parameters.entries()) {
    if (runOptions.test(parameters[index - 1]?.text ?? "")) add(word.parsed);
    if (!isShell(programName(word)) || shells === mostShells) continue;
    shells += 1;
    add(chosenBy(programName(word), parameters.slice(index + 1)));
  }
  const chosen = chosenBy(name, parameters);
  add(chosen);
  if (takesNames && chosen === undefined && (isShell(name) || findInterpreter(name) !== undefined))
    found.push({ shown: "a file", fromInput: true });
  return found;
}

/** The script that a shell or an interpreter of the name is given. */
function chosenBy(name: string, parameters: readonly Word[]): ParsedWord | undefined {
  const interpreter = isShell(name) ? undefined : findInterpreter(name);
  if (!isShell(name) && interpreter === undefined) return undefined;
  const use = interpreter === undefined ? readShellUse(parameters) : readInterpreterUse(interpreter, parameters);
  const operand = parameters.find((word) => !word.text.startsWith("-"));
  return (use.chosen ?? (use.code.length === 0 ? operand : undefined))?.parsed;
}

/** The command that launchers such as sudo, env and timeout start. */
export function behindLaunchers(words: readonly Word[]): readonly Word[] {
  let command = words;
  for (let launches = 0; launches < mostLaunches; launches += 1) {
    const [first, ...parameters] = command;
    const launch = first === undefined ? undefined : readLaunch(programName(first), parameters);
    if (launch === undefined || launch.command.length === 0) return command;
    command = launch.command;
  }
  return command;
}
