import { baseOf, fileOf } from "./file-holders.ts";
import { filesRun, type RunFile } from "./files-run.ts";
import type { LiteralVariables } from "./literal-variables.ts";
import {
  type Command,
  expansionMark,
  markedText,
  type ParsedWord,
  type Piece,
  type PlacedSlot,
} from "./shell-syntax.ts";
import type { Trace } from "./trace-values.ts";
import { inputOf, resultOf } from "./value-flow.ts";

export interface RunValue {
  readonly origin: PlacedSlot;
  /** The file, as the message names it. */
  readonly shown: string;
}

/** The values that the script writes to files, and that a command of its then runs there. */
export function valuesRun({ id, words, assignments }: Command, trace: Trace, literals: LiteralVariables): RunValue[] {
  const found: RunValue[] = [];
  const add = (files: readonly string[], shown: string): void => {
    const { flow } = trace;
    for (const file of files) {
      const origin = flow.originOf(file) ?? flow.originOf(baseOf(file));
      if (origin !== undefined) found.push({ origin, shown });
    }
  };
  for (const { assigns } of assignments)
    if (assigns !== undefined && /^(?:BASH_)?ENV$/.test(assigns.name))
      add([fileOf({ pieces: assigns.value }) ?? ""], `the file of ${assigns.name}`);
  for (const run of filesRun(words, literals))
    add([...(run.file === undefined ? [] : [run.file]), ...filesNamed(run, id, trace)], run.shown);
  return found;
}

/** The files that a command may run by what its variables hold, or by a pattern. */
function filesNamed({ word, pattern, fromInput }: RunFile, id: number, trace: Trace): string[] {
  const names = [...(word === undefined ? [] : namesOf(word, trace)), ...(pattern === undefined ? [] : [pattern])];
  if (fromInput === true) names.push(...trace.flow.textsOf(inputOf(id)));
  return names.flatMap((name) => {
    if (/[*?[{(]/.test(name) || name.includes(expansionMark)) return filesLike(name, trace.written);
    return fileOf({ pieces: [{ kind: "text", text: name }] }) ?? [];
  });
}

/** What the word can be, with each of the texts that the one computed piece in it can hold. */
function namesOf({ pieces, glob }: ParsedWord, { flow }: Trace): string[] {
  const computed = pieces.filter((piece) => piece.kind !== "text");
  const [only, ...others] = computed;
  if (only === undefined) return glob ? [markedText(pieces)] : [];
  const holder = holderOf(only);
  if (others.length > 0 || holder === undefined) return [];
  return flow
    .textsOf(holder)
    .map((text) => pieces.map((piece) => (piece.kind === "text" ? piece.text : text)).join(""));
}

function holderOf(piece: Piece): string | undefined {
  if (piece.kind === "output") return resultOf(piece.group);
  return piece.kind === "read" ? piece.holder : undefined;
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
