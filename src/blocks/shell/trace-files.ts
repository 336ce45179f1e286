import { baseOf, fileBehindOption, fileNames, fileOf } from "./file-holders.ts";
import { computedPart, expandBraces, nameWith } from "./file-names.ts";
import { behindLaunchers } from "./files-run.ts";
import { isStandardInput, programName } from "./interpreters.ts";
import type { LiteralVariables } from "./literal-variables.ts";
import {
  copiesFiles,
  filesNamedIn,
  filesWritten,
  fileWriters,
  isProgramLanguage,
  makesComputed,
  makesNames,
  namesMade,
} from "./program-files.ts";
import { type Command, literalText, markedText, type ParsedWord, plainWord, type Word } from "./shell-syntax.ts";
import { inputOf, outputOf, type ValueFlow, type Way } from "./value-flow.ts";

/** The program that a command starts behind its launchers, by its name without a path. */
export interface Started {
  /** For git with its task. */
  readonly name: string;
  readonly parameters: readonly Word[];
}

export function programStarted(words: readonly ParsedWord[]): Started | undefined {
  const [program, ...parameters] = behindLaunchers(words.map(plainWord));
  if (program === undefined) return undefined;
  const name = programName(program);
  return { name: name === "git" ? `git ${parameters[0]?.text ?? ""}` : name, parameters };
}

const mostMoved = 20;

/** Follows values into files, and the names of files to where they come back. */
export class FileTrace {
  /** The files that the script writes. */
  readonly written: Set<string> = new Set();
  private readonly flow: ValueFlow;
  private readonly literals: LiteralVariables;
  private readonly moved: (readonly [source: string, target: string])[] = [];

  constructor(flow: ValueFlow, literals: LiteralVariables) {
    this.flow = flow;
    this.literals = literals;
  }

  write(from: string, file: string): void {
    this.flow.connect(from, file);
    if (!file.startsWith('file "')) return;
    this.written.add(file);
    this.flow.connect(file, baseOf(file));
  }

  /** For each file that the word can name: with braces, and with what its one computed piece can hold. */
  forEachFile(word: ParsedWord, apply: (file: string) => void, from = 0): void {
    const name = literalText(word);
    for (const text of name === undefined ? [] : expandBraces(name.slice(from))) this.applyTo(text, apply);
    const file = name === undefined ? fileOf(word, this.literals, from) : undefined;
    if (file !== undefined) apply(file);
    const computed = computedPart(word.pieces);
    if (computed === undefined) return;
    this.flow.forEachTextIn(computed.holder, (text) =>
      this.applyTo(nameWith(word.pieces, computed.piece, text).slice(from), apply),
    );
  }

  private applyTo(text: string, apply: (file: string) => void): void {
    const file = fileOf({ pieces: [{ kind: "text", text }] });
    if (file !== undefined) apply(file);
  }

  /** The word may be the names of files: it is a pattern, or a variable that can hold one. */
  connectNames({ pieces, glob }: ParsedWord, holder: string, way: Way = "part"): void {
    if (glob) this.flow.connect(fileNames, holder, way);
    // A file may have the name of a variable, which bash looks up when it calculates with what the pattern gives.
    if (glob && way === "part")
      this.flow.forEachNameIn(fileNames, (name) => this.flow.pour([{ kind: "text", text: name }], holder));
    for (const piece of pieces)
      if (piece.kind === "read" && piece.split && !piece.list)
        this.flow.forEachTextIn(piece.holder, (text) => {
          if (/[*?[]/.test(text)) this.flow.connect(fileNames, holder, way);
        });
  }

  traceCommand({ id, words, redirects }: Pick<Command, "id" | "words" | "redirects">): void {
    const started = programStarted(words.flatMap(expanded));
    if (started === undefined) return;
    const { name, parameters } = started;
    for (const { word, from } of filesWritten(name, parameters))
      this.forEachFile(word, (file) => this.write(outputOf(id), file), from);
    for (const { word } of namesMade(name, parameters)) this.flow.pour(word.pieces, fileNames);
    if (makesNames(name) && words.some((word) => literalText(word) === "xargs"))
      this.flow.connect(inputOf(id), fileNames);
    if (copiesFiles(name)) this.traceCopy(parameters, id);
    else this.traceWriter(words, id);
    if (isProgramLanguage(name)) this.traceLanguage(name, parameters, redirects, id);
    for (const { parsed } of parameters) {
      const named = fileBehindOption(parsed, this.literals);
      if (named !== undefined && !/^of=/.test(markedText(parsed.pieces))) this.flow.connect(named, outputOf(id));
    }
  }

  /** `docker exec box tee file` */
  private traceWriter(words: readonly ParsedWord[], id: number): void {
    const at = words.findIndex((word, index) => index > 0 && fileWriters.has(literalText(word) ?? ""));
    if (at === -1) return;
    const name = literalText(words[at]) ?? "";
    const parameters = words.slice(at + 1).map(plainWord);
    if (copiesFiles(name)) this.traceCopy(parameters, id);
    for (const { word, from } of filesWritten(name, parameters))
      this.forEachFile(word, (file) => this.write(outputOf(id), file), from);
  }

  private traceCopy(parameters: readonly Word[], id: number): void {
    const operands = parameters.filter(({ text }) => !text.startsWith("-"));
    const target = operands.at(-1);
    for (const source of operands.slice(0, -1)) {
      if (target === undefined) return;
      if (this.moved.length < mostMoved) this.moved.push([source.text, target.text]);
      this.forEachFile(target.parsed, (file) => {
        if (isStandardInput(source)) this.write(inputOf(id), file);
        else this.forEachFile(source.parsed, (from) => this.write(from, file));
      });
    }
  }

  /** Files that programs of awk, sed, Python and the like write. */
  private traceLanguage(name: string, parameters: readonly Word[], redirects: Command["redirects"], id: number): void {
    const texts = parameters.map(({ parsed }) => markedText(parsed.pieces));
    for (const { body } of redirects) if (body !== undefined) texts.push(markedText(body));
    for (const text of texts) {
      for (const written of filesNamedIn(name, text)) this.applyTo(written, (file) => this.write(outputOf(id), file));
      if (makesComputed(text)) for (const { parsed } of parameters) this.flow.pour(parsed.pieces, fileNames);
    }
    const isInPlace = name.endsWith("sed") && texts.some((text) => /^(?:-[A-Za-z]*i|--in-place)/.test(text));
    if (isInPlace)
      for (const { parsed } of parameters) this.forEachFile(parsed, (file) => this.write(outputOf(id), file));
  }

  /** What stands in a directory that is moved or copied stands in its new place, too. */
  moveDirectories(): void {
    for (const [source, target] of this.moved)
      for (const file of [...this.written]) {
        const name = file.slice(6, -1);
        if (name.startsWith(`${source}/`)) this.write(file, `file "${target}${name.slice(source.length)}"`);
      }
  }
}

/** The words that one with braces becomes. */
function expanded(word: ParsedWord): readonly ParsedWord[] {
  const text = literalText(word);
  if (text === undefined || !text.includes("{") || word.quoted) return [word];
  return expandBraces(text).map((part) => ({ ...word, pieces: [{ kind: "text", text: part }] }));
}
