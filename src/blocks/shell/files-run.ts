import { fileOf } from "./file-holders.ts";
import { findInterpreter, isShell, programName } from "./interpreters.ts";
import { plainWord } from "./program-texts.ts";
import { literalText, type ParsedWord } from "./shell-syntax.ts";

/** A file that a command runs, or reads a program from. */
export interface RunFile {
  readonly file: string;
  readonly shown: string;
}

/** Options with the name of a file that is run. */
const runOptions = /^(?:-f|--file|--makefile|--rcfile|--init-file|--playbook)$/;

const makefiles = ["Makefile", "makefile", "GNUmakefile"];

/** `./deploy.sh`, `source x`, `sudo bash x`, `make`. */
export function filesRun(words: readonly ParsedWord[]): RunFile[] {
  const found: RunFile[] = [];
  const add = (word: ParsedWord | undefined): void => {
    const file = word === undefined ? undefined : fileOf(word);
    if (file !== undefined) found.push({ file, shown: literalText(word) ?? "a file" });
  };
  for (const [index, word] of words.entries()) {
    const name = programName(plainWord(word));
    if (index === 0) add(word);
    if (runOptions.test(literalText(words[index - 1]) ?? "")) add(word);
    if (name === "make" || name === "gmake")
      for (const makefile of makefiles) found.push({ file: `file "${makefile}"`, shown: makefile });
    if (name === "source" || name === "." || isShell(name) || findInterpreter(name) !== undefined)
      add(words.slice(index + 1).find((operand) => !(literalText(operand) ?? "").startsWith("-")));
    // `sudo ./deploy.sh`
    if (index > 0 && launching.test(literalText(words[index - 1]) ?? "")) add(word);
  }
  return found;
}

const launching = /^(?:sudo|env|exec|command|nohup|time|nice|setsid|doas)$/;
