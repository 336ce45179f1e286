import { readFindCommands, readLaunch } from "./command-launchers.ts";
import { filesObeyed } from "./directory-programs.ts";
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
  /** Which files it takes, by the last part of their names, as make does. */
  readonly names?: RegExp;
  /** The same by their whole paths. */
  readonly paths?: RegExp;
}

/** Options with the name of a file that is run: of any program, and by the program, attached or in the next argument. */
const anyRunOption = /^--(?:makefile|rcfile|init-file|playbook)$/;
const runOptions: readonly (readonly [names: RegExp, option: RegExp])[] = [
  [/^g?make$/, /^(?:-[A-Za-z]*?f|--(?:file|makefile)=?)/],
  [/^(?:g?sed|[gmn]?awk)$/, /^(?:-[nrEsuz]*f|--file=?)/],
  [/^(?:psql|mysql|php[0-9.]*|just|gnuplot)$/, /^(?:-f|--(?:file|justfile)=?)/],
  [/^gdb$/, /^(?:-x|--?command=?)/],
  [/^sqlite3$/, /^-init$/],
  [/^ssh$/, /^-F/],
  [/^cmake$/, /^-[PC]$/],
  [/^(?:g?vim?|nvim|ex)$/, /^-[Su]/],
  [/^(?:node|nodejs|bun|tsx|ts-node)$/, /^(?:-r|--(?:require|import|loader|experimental-loader|preload)=?)/],
  [/^hash$/, /^-p$/],
  [/^java$/, /^(?=[^-].*\.java$)/],
];

export const makefiles: readonly string[] = ["Makefile", "makefile", "GNUmakefile"];
const building = /^(?:g?make|cmake|ctest|ninja)$/;
const gitHook =
  /^(?:(?:pre|post)-applypatch|applypatch-msg|(?:pre|post)-commit|pre-merge-commit|(?:prepare-)?commit-msg|pre-(?:rebase|push|receive)|post-(?:checkout|merge|rewrite|receive|update|index-change)|reference-transaction|fsmonitor-watchman)$/;
const mostLaunches = 10;
const mostShells = 5;
const mostFinds = 3;

/** `./deploy.sh`, `source x`, `sudo bash x`, `make`. */
export function filesRun(words: readonly ParsedWord[], literals: LiteralVariables): RunFile[] {
  const found: RunFile[] = [];
  const named = words.findIndex((word) => /^-i?name$/.test(literalText(word) ?? ""));
  const takesNames = words.some((word) => literalText(word) === "xargs");
  const add = (word: ParsedWord | undefined, from = 0): void => {
    const file = word === undefined ? undefined : fileOf(word, literals, from);
    if (word === undefined || file === undefined) return;
    const pasted = literalText(word)?.includes("{}") === true;
    const pattern = pasted ? { pattern: literalText(words[named + 1]) ?? "*" } : {};
    const whole = from === 0 ? { word } : {};
    found.push({ file, shown: literalText(word) ?? "a file", ...whole, ...pattern, fromInput: pasted && takesNames });
  };
  const addCommand = (command: readonly Word[], depth = 0): void => {
    const [program, ...parameters] = behindLaunchers(command);
    if (program === undefined) return;
    add(program.parsed);
    const name = programName(program);
    if (name === "source" || name === ".") add(parameters[0]?.parsed);
    if (name === "find" && depth < mostFinds)
      for (const inner of readFindCommands(parameters)) addCommand(inner, depth + 1);
    found.push(...filesTaken(name, parameters));
    const option = runOptions.find(([names]) => names.test(name))?.[1];
    let shells = 0;
    for (const [index, word] of parameters.entries()) {
      const head = option?.exec(word.text)?.[0];
      if (head !== undefined && head.length < word.text.length) add(word.parsed, head.length);
      else if (head !== undefined) add(parameters[index + 1]?.parsed);
      else if (anyRunOption.test(parameters[index - 1]?.text ?? "")) add(word.parsed);
      if (!isShell(programName(word)) || shells === mostShells) continue;
      shells += 1;
      add(chosenBy(programName(word), parameters.slice(index + 1)));
    }
    const chosen = chosenBy(name, parameters);
    add(chosen);
    if (takesNames && chosen === undefined && (isShell(name) || findInterpreter(name) !== undefined))
      found.push({ shown: "a file", fromInput: true });
  };
  addCommand(words.map(plainWord));
  return found;
}

/** What a program takes without being told: makefiles, hooks and settings of git, start files of a shell. */
function filesTaken(name: string, parameters: readonly Word[]): RunFile[] {
  const found: RunFile[] = [];
  if (building.test(name)) {
    const names = filesObeyed(name, parameters);
    if (names !== undefined) found.push({ shown: `what ${name} runs`, names });
  }
  if (name === "git") {
    found.push(
      { shown: "a hook of git", paths: /(?:^|\/)\.git\/hooks\/[^/]+$/ },
      { shown: "a hook of git", names: gitHook },
    );
    found.push(
      { shown: "settings of git", paths: /(?:^|\/)\.git\/config$/ },
      { shown: "settings of git", names: /^\.gitconfig$/ },
    );
  }
  if (name === "ssh") found.push({ shown: "settings of ssh", paths: /(?:^|\/)\.ssh\/config$/ });
  if (name === "run-parts") {
    const directory = parameters.find(({ text }) => !text.startsWith("-"))?.text;
    found.push({ shown: "a file that run-parts runs", pattern: `${directory ?? ""}/*` });
  }
  if (isShell(name)) {
    const options = parameters.filter(({ text }) => text.startsWith("-")).map(({ text }) => text);
    if (options.some((text) => /^-[a-z]*i/.test(text))) found.push({ shown: ".bashrc", names: /^\.(?:bash|zsh)rc$/ });
    if (options.some((text) => /^-[a-z]*l|^--login$/.test(text)))
      found.push({ shown: "a start file of the shell", names: /^\.(?:profile|bash_profile|bash_login|zprofile)$/ });
  }
  const module = parameters.findIndex(({ text }) => /^-[A-Za-z]*m$/.test(text));
  if (/^(?:python|pypy)/.test(name) && module !== -1) found.push(...moduleFile(parameters[module + 1], ".py"));
  for (const word of /^perl/.test(name) ? parameters : [])
    if (/^-M\w/.test(word.text)) found.push(...moduleFile({ ...word, text: word.text.slice(2) }, ".pm"));
  return found;
}

function moduleFile(word: Word | undefined, ending: string): RunFile[] {
  const name = /^[\w.:]+/.exec(word?.text ?? "")?.[0];
  if (name === undefined) return [];
  const file = `${name.replaceAll(/\.|::/g, "/")}${ending}`;
  return [{ file: `file "${file}"`, shown: file }];
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
