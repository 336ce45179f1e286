import { readLaunch } from "./command-launchers.ts";
import { fileOf } from "./file-holders.ts";
import { findInterpreter, isShell, programName, readInterpreterUse, readShellUse } from "./interpreters.ts";
import type { LiteralVariables } from "./literal-variables.ts";
import { plainWord } from "./program-texts.ts";
import { literalText, type ParsedWord, type Word } from "./shell-syntax.ts";

/** A file that a command runs, or reads a program from. */
export interface RunFile {
  readonly file: string;
  readonly shown: string;
  /** Whether it is a pattern for the names of files. */
  readonly glob: boolean;
  /** The variable that holds its name. */
  readonly holder?: string;
}

/** Options with the name of a file that is run. */
const runOptions = /^(?:-f|--file|--makefile|--rcfile|--init-file|--playbook)$/;
const makefiles = ["Makefile", "makefile", "GNUmakefile"];
const mostLaunches = 10;
const mostShells = 5;

/** `./deploy.sh`, `source x`, `sudo bash x`, `make`. */
export function filesRun(words: readonly ParsedWord[], literals: LiteralVariables): RunFile[] {
  const found: RunFile[] = [];
  const add = (word: ParsedWord | undefined): void => {
    const file = word === undefined ? undefined : fileOf(word, literals);
    const [only, ...others] = word?.pieces ?? [];
    const holder = only?.kind === "read" && others.length === 0 ? only.holder : undefined;
    const { glob = false } = word ?? {};
    if (file !== undefined)
      found.push({
        glob,
        file,
        shown: literalText(word) ?? "a file",
        ...(holder === undefined ? {} : { holder }),
      });
  };
  const [program, ...parameters] = behindLaunchers(words.map(plainWord));
  if (program === undefined) return [];
  add(program.parsed);
  const name = programName(program);
  if (name === "source" || name === ".") add(parameters[0]?.parsed);
  if (name === "make" || name === "gmake")
    for (const makefile of makefiles) found.push({ file: `file "${makefile}"`, shown: makefile, glob: false });
  let shells = 0;
  for (const [index, word] of parameters.entries()) {
    if (runOptions.test(parameters[index - 1]?.text ?? "")) add(word.parsed);
    if (!isShell(programName(word)) || shells === mostShells) continue;
    shells += 1;
    add(chosenBy(programName(word), parameters.slice(index + 1)));
  }
  add(chosenBy(name, parameters));
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
function behindLaunchers(words: readonly Word[]): readonly Word[] {
  let command = words;
  for (let launches = 0; launches < mostLaunches; launches += 1) {
    const [first, ...parameters] = command;
    const launch = first === undefined ? undefined : readLaunch(programName(first), parameters);
    if (launch === undefined || launch.command.length === 0) return command;
    command = launch.command;
  }
  return command;
}
