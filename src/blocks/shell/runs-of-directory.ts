import { posix } from "node:path";
import type { FileName } from "../../block/define-block.ts";
import { readFindCommands } from "./command-launchers.ts";
import { filesObeyed } from "./directory-programs.ts";
import { behindLaunchers } from "./files-run.ts";
import {
  findInterpreter,
  isShell,
  type ProgramUse,
  programName,
  readInterpreterUse,
  readShellUse,
} from "./interpreters.ts";
import { LiteralVariables } from "./literal-variables.ts";
import {
  type Command,
  expansionMark,
  hasValue,
  markedText,
  type ParsedWord,
  type Piece,
  type PlacedSlot,
  plainWord,
  valueMark,
  type Word,
} from "./shell-syntax.ts";
import { startedBy } from "./started-programs.ts";

/** Files that a program of any name could be. */
const anyProgram = /^[^.]+$|\.(?:sh|bash|py|pl|rb|[cm]?[jt]s)$|^package\.json$/;
const pythonModules = /\.py$/;
const nodeModules = /^package\.json$|\.[cm]?js$/;

/** What a script runs of the directory it works in: `./deploy`, `bash build.sh`, what `make` finds there. */
export function runsOfDirectory(commands: readonly Command[]): readonly FileName[] {
  const literals = new LiteralVariables(commands);
  const known = (word: ParsedWord): Word => ({ ...plainWord(word), text: literals.textOf(word) });
  const found: FileName[] = [];
  let runsRead = false;
  for (const { kind, assignments, words, redirects, pipedFrom } of commands) {
    for (const word of [...assignments, ...words]) {
      if (word.assigns?.name === "PATH" && searchesDirectory(word.assigns.value)) found.push(anyProgram);
      // `command=(npm test)`
      if (word.elements !== undefined) found.push(...runsOfWords(word.elements.map(known), []));
    }
    if (kind !== "simple") continue;
    const named = words.map(known);
    found.push(...runsOfWords(named, inputTexts({ redirects })));
    const files = redirects.filter(({ operator }) => operator === "<").map(({ target }) => known(target));
    if (!runsInput(named)) continue;
    found.push(...files.flatMap(relativeFile));
    runsRead ||= pipedFrom !== undefined || words.some(({ pieces }) => pieces.some(({ kind: of }) => of === "output"));
  }
  // `cat build.sh | bash`, `eval "$(cat env)"`
  if (runsRead)
    for (const { words } of commands)
      if (markedText(words[0]?.pieces ?? []) === "cat") found.push(...words.slice(1).map(known).flatMap(relativeFile));
  return found;
}

/** Whether what the command reads, or what other commands print into its arguments, is run. */
function runsInput(words: readonly Word[]): boolean {
  const [program, ...parameters] = behindLaunchers(words);
  const name = program === undefined ? "" : programName(program);
  const use = readUse(name, parameters);
  if (use === undefined) return name === "eval";
  return use.readsProgram || use.lacksCode || use.code.length > 0;
}

/** Whether a search path has a directory that is relative, or begins with the current one. */
function searchesDirectory(value: readonly Piece[]): boolean {
  const text = value
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      return piece.kind === "read" && piece.holder === "PWD" ? "." : `/${expansionMark}`;
    })
    .join("");
  return text.split(":").some((directory) => !/^[/~]/.test(directory));
}

function runsOfWords(words: readonly Word[], input: readonly string[]): readonly FileName[] {
  const [program, ...parameters] = behindLaunchers(words);
  if (program === undefined) return [];
  const name = programName(program);
  const found: FileName[] = isRelative(program) && program.text.includes("/") ? [fileName(program)] : [];
  const obeyed = filesObeyed(name, parameters);
  if (obeyed !== undefined) found.push(obeyed);
  if (name === "find") return readFindCommands(parameters).flatMap((command) => runsOfWords(command, []));
  if (name === "source" || name === ".") found.push(...relativeFile(parameters[0]));
  const use = readUse(name, parameters);
  if (use === undefined) return found;
  // Of `ls *.py | xargs python3` the script is among what is read.
  if (use.readsProgram && words.some(({ text }) => text === "xargs")) found.push(anyProgram);
  const texts = [...use.code.map(({ text }) => text), ...(use.readsProgram ? input : [])];
  if (/^(?:python|pypy)/.test(name)) return [...found, ...runsOfPython(parameters, use, texts)];
  return [...found, ...relativeFile(use.chosen), ...(isShell(name) ? [] : texts.flatMap(runsOfText))];
}

function readUse(name: string, parameters: readonly Word[]): ProgramUse | undefined {
  if (isShell(name)) return readShellUse(parameters);
  const interpreter = findInterpreter(name);
  return interpreter === undefined ? undefined : readInterpreterUse(interpreter, parameters);
}

/** Without -I or -P it imports from the directory, unless its program is a file. */
function runsOfPython(parameters: readonly Word[], use: ProgramUse, texts: readonly string[]): FileName[] {
  const isIsolated = parameters.some((word) => /^-[A-Za-z]*[IP]/.test(word.text));
  const module = parameters.findIndex((word) => /^-[A-Za-z]*m$/.test(word.text));
  const isModule = module !== -1 && parameters[module + 1] === use.chosen;
  const found: FileName[] = isModule || use.readsProgram ? [] : [...relativeFile(use.chosen)];
  const imports = isModule || texts.some((text) => importing.test(text));
  if (imports && !isIsolated) found.push(pythonModules);
  const obeyed = isModule ? filesObeyed(use.chosen?.text ?? "", parameters.slice(module + 2)) : undefined;
  return [...found, ...(obeyed === undefined ? [] : [obeyed]), ...texts.flatMap(runsOfText)];
}

/** Modules that are there before the directory is looked into. */
const importing = /^[ \t]*(?:import|from)[ \t]+(?!(?:sys|os|time|builtins)\b(?![ \t]*,))/m;

/** `require("name")` of a package that is looked for in the directory. */
const requiring = /\b(?:require\s*\(|from\b|import\b)\s*["'](?!node:)(?:\.{1,2}\/|[\w@])/;
const builtinModules =
  /["'](?:assert|child_process|crypto|fs|fs\/promises|http|https|os|path|process|stream|url|util|zlib)["']/g;

/** What a text in another language runs of the directory. */
function runsOfText(text: string): FileName[] {
  const { names, isComputed } = startedBy(text);
  const found: FileName[] = isComputed ? [anyProgram] : [];
  if (requiring.test(text.replaceAll(builtinModules, "'node:'"))) found.push(nodeModules);
  for (const name of names) {
    if (name.includes("/") && !name.startsWith("/")) found.push(posix.basename(name));
    const obeyed = filesObeyed(posix.basename(name), anySubcommand);
    if (obeyed !== undefined) found.push(obeyed);
  }
  return found;
}

/** Of a program that a text starts only the name is looked at. */
const anySubcommand: readonly { readonly text: string }[] = ["run", "test", "build", "compose"].map((text) => ({
  text,
}));

/** Whether the word is a path that begins in the directory. */
function isRelative({ text, parsed: { pieces } }: Word): boolean {
  const [first] = pieces;
  if (first?.kind === "read" && text.startsWith(expansionMark)) return first.holder === "PWD";
  return text !== "" && !/^[/~]/.test(text) && !text.startsWith(expansionMark) && !text.startsWith(valueMark);
}

function relativeFile(word: Word | undefined): FileName[] {
  return word !== undefined && isRelative(word) && !word.text.startsWith("-") ? [fileName(word)] : [];
}

/** What is computed in it may be anything. */
function fileName({ text }: Word): FileName {
  const name = posix.basename(text);
  return name.includes(expansionMark) || name.includes(valueMark) ? anyProgram : name;
}

/** What is written out for the standard input of a command. */
function inputTexts({ redirects }: Pick<Command, "redirects">): string[] {
  return redirects.flatMap(({ body, operator, target }) => {
    const pieces = body ?? (operator === "<<<" ? target.pieces : undefined);
    return pieces === undefined ? [] : [markedText(pieces)];
  });
}

/** Whether a value that reaches the command can choose a program: one that a text in another language computes. */
export function startsComputed(command: Command): boolean {
  if (command.kind !== "simple") return false;
  const [program, ...parameters] = behindLaunchers(command.words.map(plainWord));
  const use =
    program === undefined || isShell(programName(program)) ? undefined : readUse(programName(program), parameters);
  if (use === undefined) return false;
  const texts = [...use.code.map(({ text }) => text), ...(use.readsProgram ? inputTexts(command) : [])];
  return texts.some((text) => startedBy(text).isComputed);
}

/** Values that say in which directory commands run: of cd, and of what starts them elsewhere. */
export function directoriesGiven(words: readonly Word[]): readonly PlacedSlot[] {
  const moves = words.slice(0, 2).some((word) => /^(?:cd|pushd)$/.test(word.text));
  const given = words.filter((word, index) => {
    if (moves || /^--chdir=/.test(word.text)) return hasValue(word);
    return hasValue(word) && /^(?:-C|-D|--chdir)$/.test(words[index - 1]?.text ?? "");
  });
  return given.flatMap(({ slots }) => slots);
}
