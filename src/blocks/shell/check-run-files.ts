import { variantsOf } from "./command-variants.ts";
import { isEvaluatedVariable } from "./evaluated-variables.ts";
import { baseOf, fileOf, nameOfFile } from "./file-holders.ts";
import { computedPart, expandBraces, nameWith } from "./file-names.ts";
import { behindLaunchers, filesRun, type RunFile } from "./files-run.ts";
import { findInterpreter, isShell, programName } from "./interpreters.ts";
import type { LiteralVariables } from "./literal-variables.ts";
import { isRunSetting } from "./program-text-options.ts";
import {
  type Command,
  expansionMark,
  literalText,
  markedText,
  type ParsedWord,
  type Piece,
  type PlacedSlot,
  plainWord,
} from "./shell-syntax.ts";
import type { Trace } from "./trace-values.ts";
import { inputOf } from "./value-flow.ts";

export interface RunValue {
  readonly origin: PlacedSlot;
  /** The file, as the message names it. */
  readonly shown: string;
}

/** Where the contents of a file are held that a command runs. */
export interface RunHolders {
  readonly holders: readonly string[];
  readonly shown: string;
  /** The word that names it. */
  readonly word: ParsedWord | undefined;
}

/** The values that the script writes to files, and that a command of its then runs there. */
export function valuesRun(command: Command, trace: Trace, literals: LiteralVariables): RunValue[] {
  const { flow } = trace;
  const runs = variantsOf(command.words, trace).flatMap((words) => holdersRun({ ...command, words }, trace, literals));
  const named = [...filesAssigned(command, literals), ...filesImported(command, runs, trace)];
  const all = [...runs, ...named.map(({ file = "", shown }) => ({ holders: [file, baseOf(file)], shown }))];
  return all.flatMap(({ holders, shown }) => {
    const origin = holders.map((holder) => flow.originOf(holder)).find((found) => found !== undefined);
    return origin === undefined ? [] : [{ origin, shown }];
  });
}

/** What a command runs. Without a trace only what its words tell. */
export function holdersRun(
  { id, words }: Pick<Command, "id" | "words">,
  trace: Trace | undefined,
  literals: LiteralVariables,
): RunHolders[] {
  return filesRun(words, literals).map((run) => {
    const files = [
      ...(run.file === undefined ? [] : [run.file]),
      ...(trace === undefined ? [] : filesNamed(run, id, trace)),
    ];
    // A file of that name in another directory may be the same one, if this one is not known.
    const holders = files.flatMap((file) => (isHeld(file, trace) ? [file] : [baseOf(file)]));
    return { holders, shown: run.shown, word: run.word };
  });
}

function isHeld(file: string, trace: Trace | undefined): boolean {
  return trace !== undefined && (trace.flow.originOf(file) !== undefined || trace.flow.textsOf(file).length > 0);
}

/** The files that a command may run by what its variables hold, or by a pattern. */
function filesNamed({ word, pattern, fromInput, names: wanted, paths }: RunFile, id: number, trace: Trace): string[] {
  const { written } = trace.files;
  const names = [...(word === undefined ? [] : namesOf(word, trace)), ...(pattern === undefined ? [] : [pattern])];
  if (fromInput === true) names.push(...trace.flow.textsOf(inputOf(id)));
  const taken = [...(wanted === undefined && paths === undefined ? [] : written)].filter(
    (file) => wanted?.test(nameOfFile(file) ?? "") || paths?.test(file.slice(6, -1)),
  );
  const named = names.flatMap((name) => {
    if (/[*?[{(]/.test(name) || name.includes(expansionMark) || name === pattern) return filesLike(name, written);
    return fileOf({ pieces: [{ kind: "text", text: name }] }) ?? [];
  });
  return [...taken, ...named];
}

/** What the word can be, with each of the texts that the one computed piece in it can hold. */
function namesOf({ pieces, glob }: ParsedWord, { flow }: Trace): string[] {
  const computed = computedPart(pieces);
  if (computed !== undefined)
    return flow.textsOf(computed.holder).map((text) => nameWith(pieces, computed.piece, text));
  const text = markedText(pieces);
  const names = text.includes(expansionMark) ? [text] : expandBraces(text);
  return glob || names.length > 1 ? names : [];
}

/** Those of the files whose names a pattern can match, in whatever directory it is looked for. */
function filesLike(pattern: string, files: ReadonlySet<string>): string[] {
  const parts = pattern.replace(/^(?:\.\/)+/, "").split(/\[[^\]]*\]|[?*+@!]?\([^)]*\)|\{[^}]*\}|\*+|\?/);
  const like = new RegExp(`(?:^|/)${parts.map(escapeRegExp).join("[^/]*")}$`);
  return [...files].filter((file) => like.test(file.slice(6, -1)) || /<[^/]*$/.test(file));
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(expansionMark, ".*");
}

/** `GIT_SSH_COMMAND="sh $PWD/ssh.sh"`, `env BASH_ENV=./env.sh`, `git -c core.editor=./edit.sh`: each word may name a file. */
function filesAssigned({ assignments, words }: Command, literals: LiteralVariables): RunFile[] {
  return [...assignments, ...words].flatMap(({ pieces }) => {
    const [first, ...others] = pieces;
    const [head, name] = (first?.kind === "text" && /^([\w.-]+)=/.exec(first.text)) || [];
    if (first?.kind !== "text" || head === undefined || name === undefined) return [];
    if (!isEvaluatedVariable(name) && !isRunSetting(name) && name !== "include.path") return [];
    const value: Piece[] = [{ kind: "text", text: first.text.slice(head.length) }, ...others];
    return splitPieces(value).flatMap((part) => {
      const file = fileOf({ pieces: part }, literals);
      return file === undefined ? [] : [{ file, shown: `the file of ${name}` }];
    });
  });
}

/** Pieces, apart where there is a space in a text. */
function splitPieces(pieces: readonly Piece[]): Piece[][] {
  const parts: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece.kind !== "text") {
      parts.at(-1)?.push(piece);
      continue;
    }
    for (const [index, text] of piece.text.split(/\s+/).entries()) {
      if (index > 0) parts.push([]);
      if (text !== "") parts.at(-1)?.push({ kind: "text", text });
    }
  }
  return parts;
}

const importing =
  /\b(?:import|from)\s+([\w.]+)|(?:\b(?:require|import|do|source|load|execfile)|\bexec\s*\(\s*open|\.read)[\s("'`]+([\w./-]+)/g;

/** The files that a program in another language loads: `import settings`, `require("./conf")`, `.read x.sql`. */
function filesImported(
  { words, redirects, pipedFrom }: Command,
  runs: readonly RunHolders[],
  { flow, commands }: Trace,
): RunFile[] {
  const [program] = behindLaunchers(words.map(plainWord));
  const name = program === undefined ? "" : programName(program);
  if (isShell(name) || (findInterpreter(name) === undefined && name !== "sqlite3")) return [];
  const piped = pipedFrom === undefined ? [] : (commands[pipedFrom]?.words ?? []);
  const texts = [...words, ...piped].map((word) => literalText(word) ?? "");
  for (const { body } of redirects) if (body !== undefined) texts.push(markedText(body));
  for (const { holders } of runs) texts.push(...holders.flatMap((holder) => flow.textsOf(holder)));
  return texts.flatMap((text) =>
    [...text.matchAll(importing)].flatMap(([, module, path]) => {
      const files = module === undefined ? loadedAs(path ?? "") : [`${module.replaceAll(".", "/")}.py`];
      return files.map((file) => ({ file: fileOf({ pieces: [{ kind: "text", text: file }] }) ?? "", shown: file }));
    }),
  );
}

/** A file of data is no program. */
function loadedAs(path: string): string[] {
  return /\.(?:json|ya?ml)$/.test(path) ? [] : [path, `${path}.js`, `${path}.mjs`, `${path}.rb`];
}
