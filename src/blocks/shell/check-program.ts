import { isTextTool } from "./awk-programs.ts";
import { type Launch, launcherNames, readFindCommands, readLaunch } from "./command-launchers.ts";
import { checkInterpreterArguments } from "./interpreter-arguments.ts";
import {
  findInterpreter,
  isShell,
  isStandardInput,
  type ProgramUse,
  programName,
  readInterpreterUse,
  readShellUse,
} from "./interpreters.ts";
import { checkTextOptions, textProgramNames } from "./program-text-options.ts";
import { asCommand, asProgramName, asScriptName } from "./refusals.ts";
import {
  asLauncherOption,
  asOption,
  interpreterText,
  programText,
  type Report,
  remoteCommand,
  rules,
} from "./reparsing-commands.ts";
import { fedMark, hasValue, isLiteral, readAssignment, valueMark, type Word } from "./shell-syntax.ts";

/** How a program treats its standard input: as program text, or as data. */
export type InputUse = "program" | "data";

export interface ProgramCheck {
  readonly inputUse: InputUse;
  /** `NAME=value` among the arguments of env, export and the like. */
  readonly assignments: readonly Word[];
}

/** What is known of a value in the name of a command. */
export interface CommandNames {
  /** All texts that the word can be. */
  textsOf(word: Word): readonly string[] | undefined;
  /** How the name begins, where a value only ends it and can't make one of these of it. */
  beginningOf(word: Word, names: Iterable<string>): string | undefined;
}

const mostLaunches = 20;

/** Finds the program a command runs, behind whatever launches it, and checks its arguments. */
export function checkProgram(
  words: readonly Word[],
  report: Report,
  names: CommandNames,
  launchesBefore = 0,
): ProgramCheck {
  const assignments: Word[] = [];
  const done = (inputUse: InputUse): ProgramCheck => ({ inputUse, assignments });
  let command = words;
  let xargs: Launch | undefined;
  let launcher = "";
  let mayBeOption: Word | undefined;
  for (let launches = launchesBefore; ; launches += 1) {
    const first = command[0];
    if (first === undefined) return done("data");
    if (launches > mostLaunches) {
      for (const word of command) report(word, asCommand);
      return done("data");
    }
    const parameters = command.slice(1);
    // What it was given is tried in its place; see command-readings.ts.
    if (first.list !== undefined) return done("data");
    if (choosesCommand(first)) {
      const texts = names.textsOf(first);
      if (texts !== undefined && first !== mayBeOption) {
        const checks = texts.map((text) =>
          checkProgram([writtenOut(first, text), ...parameters], report, names, launches + 1),
        );
        for (const check of checks) assignments.push(...check.assignments);
        return done(checks.some(({ inputUse }) => inputUse === "program") ? "program" : "data");
      }
      const head = first === mayBeOption ? undefined : names.beginningOf(first, commandNames());
      if (head !== undefined) {
        command = [writtenOut(first, head), ...parameters];
        continue;
      }
      const named = onlyNamesProgram(first, parameters) && first !== mayBeOption;
      report(first, named ? asProgramName : asCommand);
      // It may name an interpreter, so what it reads counts as program text.
      return done("program");
    }
    if (hasComputedPart(programName(first))) report(first, asScriptName);
    if (first === mayBeOption) report(first, asLauncherOption(launcher));
    const name = programName(first);
    const launch = readLaunch(name, parameters);
    if (launch === undefined) {
      if (declarations.has(name)) {
        for (const word of parameters) if (readAssignment(word) !== undefined) assignments.push(word);
      }
      const use =
        name === "find" ? checkFind(parameters, report, names, launches) : checkArguments(first, parameters, report);
      return done(use.readsProgram || (xargs !== undefined && pastesInput(xargs, use)) ? "program" : "data");
    }
    checkLaunch(name, launch, report);
    for (const word of launch.assignments) assignments.push(word);
    if (name === "xargs") xargs = launch;
    if (launch.command.length === 0) return done(launch.readsProgram || xargs !== undefined ? "program" : "data");
    command = launch.command;
    launcher = name;
    mayBeOption = launch.mayBeOption.at(-1);
  }
}

/** The word as if its text had been written out. */
function writtenOut(word: Word, text: string): Word {
  const parsed = { ...word.parsed, pieces: [{ kind: "text", text } as const] };
  return { ...word, text, slots: [], known: true, parsed };
}

/** The names of commands that make something of their arguments. */
function commandNames(): readonly string[] {
  return [...rules.keys(), ...launcherNames, ...interpreterNames, ...textProgramNames];
}

const interpreterNames: readonly string[] = [
  ...["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "tcsh", "csh", "fish", "busybox", "python", "pypy"],
  ...["node", "nodejs", "bun", "tsx", "deno", "perl", "ruby", "irb", "php", "lua", "luajit", "Rscript", "osascript"],
  ...["julia", "elixir", "groovy", "scala", "octave", "raku", "guile", "expect", "tclsh", "pwsh", "vim", "nvim", "ex"],
  ...["emacs", "at", "batch", "crontab", "find", "make", "git", "npx", "xargs", "tar", "rsync"],
];

const declarations: ReadonlySet<string> = new Set(["export", "readonly", "declare", "typeset", "local"]);

/** A value before or behind a slash only names a file; on its own, or in braces that become words, it can be `eval`. */
function choosesCommand(word: Word): boolean {
  if (word.slots.some((slot) => slot.held?.split)) return true;
  if (word.text.includes(fedMark) && !word.quoted) return true;
  const computed = word.text.includes(valueMark) || word.text.includes(fedMark);
  return computed && (!word.text.includes("/") || word.text.includes("{"));
}

function hasComputedPart(name: string): boolean {
  return name.includes(valueMark) || name.includes(fedMark);
}

function onlyNamesProgram(word: Word, parameters: readonly Word[]): boolean {
  // A list there would be several words, and `eval` could be one of them.
  for (const slot of word.slots) if (slot.context === "words") slot.context = "bare";
  if (word.slots.some((slot) => slot.held?.split)) return false;
  if (word.text === fedMark && !word.quoted) return false;
  return (word.text === valueMark || word.text === fedMark) && parameters.every((parameter) => parameter.known);
}

function checkLaunch(name: string, launch: Launch, report: Report): void {
  for (const word of launch.code) if (hasValue(word)) report(word, programText(name));
  for (const word of launch.mayBeOption) if (word !== launch.command[0]) report(word, asLauncherOption(name));
  // A list there would be words, and the first of them the command.
  for (const word of launch.before) for (const slot of word.slots) if (slot.context === "words") slot.context = "bare";
}

/** Whether xargs puts what it reads into program text: `xargs -I{} sh -c 'echo {}'`, or `xargs sh -c`. */
function pastesInput(xargs: Launch, use: ProgramUse): boolean {
  const replaces = xargs.before.some((word) => /^(?:-[A-Za-z0-9]*[Ii]|--replace)/.test(word.text));
  return use.lacksCode || (replaces && (use.code.length > 0 || use.chosen?.text.includes("{}") === true));
}

const noProgram: ProgramUse = { code: [], mayBeOption: [], readsProgram: false, lacksCode: false };
const readingProgram: ProgramUse = { ...noProgram, readsProgram: true };

function checkFind(parameters: readonly Word[], report: Report, names: CommandNames, launches: number): ProgramUse {
  checkTextOptions("find", parameters, report);
  const checks = readFindCommands(parameters).map((command) => checkProgram(command, report, names, launches + 1));
  return checks.some((check) => check.inputUse === "program") ? readingProgram : noProgram;
}

function checkArguments(program: Word, parameters: readonly Word[], report: Report): ProgramUse {
  const name = programName(program);
  const rule = rules.get(name);
  if (rule !== undefined) {
    rule(parameters, report);
    if (readsProgramByRule(name, parameters)) return readingProgram;
    return { ...noProgram, lacksCode: isTextTool(name) && parameters.every((word) => /^-[^ef]*$/.test(word.text)) };
  }
  const use = readUse(name, parameters);
  if (use !== undefined) {
    reportCode(name, use, report);
    for (const word of use.mayBeOption) report(word, asOption(name));
    checkInterpreterArguments(name, parameters, use, report);
    if (use.chosen !== undefined && isModule(name, parameters, use.chosen)) report(use.chosen, asProgramName);
    else if (use.chosen !== undefined && hasComputedPart(programName(use.chosen))) report(use.chosen, asScriptName);
    return use;
  }
  if (!isLiteral(program) || isPattern(program)) {
    reportCodeOption(parameters, report);
    if (parameters.length === 0 && namesShell(program)) return readingProgram;
  }
  if (!program.quoted && /\{.*,.*\}/s.test(program.text)) for (const word of parameters) report(word, asCommand);
  checkTextOptions(name, parameters, report);
  return textPrograms.has(name) ? noProgram : checkUnknownLauncher(parameters, report);
}

function readsProgramByRule(name: string, parameters: readonly Word[]): boolean {
  if (name === "source" || name === ".") return parameters.some((word) => isStandardInput(word));
  if (name === "ssh") return isShellOnInput(remoteCommand(parameters));
  return name === "parallel" || (name === "su" && !parameters.some((word) => /^-[a-z]*c|^--command/.test(word.text)));
}

/** Whether a remote command is a shell without a program: nothing at all, `bash`, `sudo bash -s`. */
function isShellOnInput(command: string): boolean {
  const words = command.trim().split(/\s+/);
  const last = words.findLastIndex((word) => isShell(word.slice(word.lastIndexOf("/") + 1)));
  return command.trim() === "" || (last !== -1 && words.slice(last + 1).every((word) => /^-[a-bd-z]*$/.test(word)));
}

function readUse(name: string, parameters: readonly Word[]): ProgramUse | undefined {
  if (isShell(name)) return readShellUse(parameters);
  const interpreter = findInterpreter(name);
  return interpreter === undefined ? undefined : readInterpreterUse(interpreter, parameters);
}

/** `python3 -m name`: a module that any directory on its path may hold. */
function isModule(name: string, parameters: readonly Word[], chosen: Word): boolean {
  return (
    !isShell(name) && hasValue(chosen) && /^-[A-Za-z]*m$/.test(parameters[parameters.indexOf(chosen) - 1]?.text ?? "")
  );
}

function reportCode(name: string, use: ProgramUse, report: Report): void {
  for (const word of use.code)
    if (hasValue(word)) report(word, isShell(name) ? programText(name) : interpreterText(name));
}

/** `"$BASH"`, `/bin/b?sh` */
function namesShell(word: Word): boolean {
  const [only] = word.parsed.pieces;
  return isPattern(word) || (only?.kind === "read" && /^(?:BASH|SHELL)$/.test(only.holder));
}

/** Whether the name of a file decides what the word becomes, as in `/bin/b?sh`. */
function isPattern(word: Word): boolean {
  return !word.quoted && /[*?[]/.test(word.text) && word.text !== "[";
}

/** `"$SHELL" -c "..."`: a program that is not known from the text, with an option that mostly means code. */
function reportCodeOption(parameters: readonly Word[], report: Report): void {
  for (const [index, word] of parameters.entries()) {
    const before = parameters[index - 1]?.text ?? "";
    if (hasValue(word) && /^-[A-Za-z]*[ce]$/.test(before)) report(word, programText("sh"));
  }
}

/** Programs that only look at their arguments as text, so that the name of a shell among them means nothing. */
const textPrograms: ReadonlySet<string> = new Set(["echo", "cat", "grep", "egrep", "fgrep", "rg", "ag"]);
const mostInterpreters = 10;

/** `docker exec box sh -c "..."`: any program may run a shell that is named among its arguments. */
function checkUnknownLauncher(parameters: readonly Word[], report: Report): ProgramUse {
  let readsProgram = false;
  let found = 0;
  for (const [index, word] of parameters.entries()) {
    const name = programName(word);
    if (!isShell(name) && findInterpreter(name) === undefined) continue;
    const use = readUse(name, parameters.slice(index + 1));
    if (use !== undefined) reportCode(name, use, report);
    readsProgram ||= use?.readsProgram === true;
    found += 1;
    if (found === mostInterpreters) break;
  }
  return readsProgram ? readingProgram : noProgram;
}
