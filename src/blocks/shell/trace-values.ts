import { baseOf, fileBehindOption, fileNames, fileOf } from "./file-holders.ts";
import { LiteralVariables } from "./literal-variables.ts";
import { coprocess } from "./lower-script.ts";
import { isNumeric } from "./numeric-output.ts";
import {
  assigningLaunchers,
  fetching,
  fileWriters,
  listing,
  making,
  readsEnvironment,
  sedWrites,
} from "./program-effects.ts";
import type { ProgramText } from "./program-texts.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import { type Command, literalText, markedText, type ParsedWord, type Piece, type PlacedSlot } from "./shell-syntax.ts";
import { traceBuiltin } from "./trace-builtins.ts";
import { declaredBy, inputOf, outputOf, resultOf, ValueFlow } from "./value-flow.ts";

/** A word that names the variable a command puts what it reads or prints into. */
export interface Receipt {
  readonly name: string;
  readonly word: ParsedWord;
}

/** Values that reach a script from beside its text. */
export interface Surroundings {
  readonly stdin?: PlacedSlot;
  readonly env?: ReadonlyMap<string, PlacedSlot>;
}

/** Where every command reads and writes that is not told otherwise. */
const everyInput = "<";
const everyOutput = ">";
const allVariables = "all variables";

/** Follows values through what the script assigns, reads, writes and pipes. */
export class Trace {
  readonly flow: ValueFlow = new ValueFlow();
  readonly receipts: Receipt[] = [];
  /** The words a list was given, by the name of the array or of the positional parameters. */
  readonly lists: Map<string, (readonly ParsedWord[])[]> = new Map();
  readonly commands: readonly Command[];
  /** The files that the script writes. */
  readonly written: Set<string> = new Set();
  /** By the name of a function, all that it is defined as. */
  private readonly bodies = new Map<string, number[]>();
  /** How many words the shifts of a function leave out, at the most. */
  private readonly shifting = new Map<string, number>();
  private readonly literals: LiteralVariables;
  private readonly outside: readonly string[];
  private hasAllVariables = false;
  /** Commands whose output goes to the next one in a pipe. */
  private readonly piped = new Set<number>();

  constructor(script: ScriptBuilder, texts: readonly ProgramText[], { stdin, env }: Surroundings) {
    const { flow } = this;
    this.commands = script.commands;
    this.literals = new LiteralVariables(script.commands);
    this.outside = [...(env?.keys() ?? [])];
    if (stdin !== undefined) flow.reach(everyInput, stdin);
    for (const [name, slot] of env ?? []) flow.reach(name, slot);
    for (const { defines, id, words, scope, pipedFrom } of this.commands) {
      if (pipedFrom !== undefined) this.piped.add(pipedFrom);
      if (defines !== undefined && defines !== coprocess)
        this.bodies.set(defines, [...(this.bodies.get(defines) ?? []), id]);
      if (literalText(words[0]) === "shift") this.noteShift(scope, words[1]);
    }
    for (const { pieces, holder } of script.pours) flow.pour(pieces, holder);
    for (const { group, holder } of script.inputs) flow.connect(inputOf(group), holder);
    flow.connect("BASH_ARGV0", ":0");
    for (const holder of script.indirections) flow.forEachNameIn(holder, (name) => flow.connect(name, `!${holder}`));
    for (const command of this.commands) this.trace(command);
    for (const text of texts) this.traceText(text);
    for (const [slice, whole] of script.slices)
      for (const words of this.lists.get(whole) ?? [])
        for (let first = 1; first < 6; first += 1) this.addList(slice, words.slice(first));
  }

  private noteShift(scope: string, count: ParsedWord | undefined): void {
    const words = count === undefined ? 1 : Number(literalText(count) ?? mostShifted);
    const left = (this.shifting.get(scope) ?? 0) + (Number.isInteger(words) ? words : mostShifted);
    this.shifting.set(scope, Math.min(left, mostShifted));
  }

  private trace(command: Command): void {
    this.traceStreams(command);
    if (command.kind === "loop") {
      const [name] = command.assignments;
      for (const word of command.words) {
        this.flow.pour(word.pieces, name?.assigns?.name ?? "");
        // Which of the names it may be is told by the pattern, which is a text of the variable.
        if (word.glob) this.flow.connect(fileNames, name?.assigns?.name ?? "", false);
      }
      return;
    }
    for (const word of command.assignments) this.traceAssignment(word);
    if (command.kind === "simple") this.traceProgram(command);
    for (const { operator, left, right } of command.tests) {
      if (operator === "=~" && left !== undefined && !isNarrow(markedText(right.pieces)))
        this.flow.pour(left.pieces, "BASH_REMATCH");
    }
  }

  private traceStreams(command: Command): void {
    const { flow } = this;
    const { id, parent, pipedFrom, words, kind } = command;
    flow.connect(parent === undefined ? everyInput : inputOf(parent), inputOf(id));
    if (pipedFrom !== undefined) flow.connect(outputOf(pipedFrom), inputOf(id));
    this.traceRedirects(command);
    for (const word of words) for (const reader of word.consumers) flow.connect(outputOf(id), inputOf(reader));
    if (!this.piped.has(id)) {
      flow.connect(outputOf(id), parent === undefined ? everyOutput : outputOf(parent));
      if (parent !== undefined) flow.connect(resultOf(id), resultOf(parent));
    }
    if (command.defines === coprocess) {
      flow.connect("coprocess in", inputOf(id));
      flow.connect(outputOf(id), "coprocess out");
    }
    const source = pipedFrom === undefined ? undefined : this.commands[pipedFrom];
    if (kind === "simple") for (const word of words.slice(1)) flow.pour(word.pieces, "_");
    if (kind !== "simple" || isNumeric(command, source)) return;
    flow.connect(inputOf(id), outputOf(id));
    flow.connect(outputOf(id), resultOf(id));
    const program = literalText(words[0]) ?? "";
    const task = program === "git" ? `git ${literalText(words[1]) ?? ""}` : program;
    const output = fetching.has(program) ? resultOf(id) : outputOf(id);
    for (const word of words.slice(1)) {
      flow.pour(word.pieces, output);
      if (word.glob) flow.connect(fileNames, output);
      if (making.has(task)) flow.pour(word.pieces, fileNames);
      const file = fileOf(word, this.literals);
      if (file !== undefined) flow.connect(file, outputOf(id));
      if (file !== undefined && program === "xargs") flow.connect(file, inputOf(id));
    }
    const hasPattern = words.some((word) => word.glob || /[*?]/.test(literalText(word) ?? ""));
    if (listing.has(task)) flow.connect(fileNames, outputOf(id), !hasPattern);
    if (words.some((word) => readsEnvironment.test(markedText(word.pieces))))
      flow.connect(this.allVariables(), outputOf(id), false);
  }

  private traceRedirects(command: Command): void {
    const { flow } = this;
    const { id } = command;
    const isGlobal = command.words.length === 1 && literalText(command.words[0]) === "exec";
    const inputs = isGlobal ? [inputOf(id), everyInput] : [inputOf(id)];
    const outputs = isGlobal ? [outputOf(id), everyOutput] : [outputOf(id)];
    for (const { operator, target, body } of command.redirects) {
      const file = fileOf(target, this.literals);
      const isComputed = literalText(target) === undefined;
      for (const reader of target.consumers) for (const output of outputs) flow.connect(output, inputOf(reader));
      if (operator.startsWith("<")) {
        for (const input of inputs) {
          flow.pour(body ?? fedBy(operator, target), input);
          if (file !== undefined && operator !== "<<<" && body === undefined) flow.connect(file, input);
          if (operator === "<&" && isComputed) flow.connect("coprocess out", input);
        }
      }
      if (!operator.includes(">")) continue;
      for (const piece of target.pieces) flow.pour([piece], fileNames);
      const [only, ...others] = target.pieces;
      for (const output of outputs) {
        if (file !== undefined) this.write(output, file);
        if (only?.kind === "read" && others.length === 0)
          flow.forEachTextIn(only.holder, (text) =>
            this.write(output, fileOf({ pieces: [{ kind: "text", text }] }) ?? ""),
          );
        if (operator === ">&" && isComputed) flow.connect(output, "coprocess in");
      }
    }
  }

  traceAssignment(word: ParsedWord): void {
    const { assigns, elements } = word;
    if (assigns === undefined) return;
    const { name, append, value } = assigns;
    if (elements === undefined) {
      this.flow.pour(value, name);
      // A file whose name a command makes is known by its variable, and so by the copies of it.
      if (value.length === 1 && value[0]?.kind === "output")
        this.flow.pour([{ kind: "text", text: `<${name}>` }], name);
      // `"${name[@]}"` of a plain variable is its one text; `name[2]=text` is one more.
      const one = { ...word, pieces: value, assigns: undefined };
      const isElement = markedText(word.pieces.slice(0, 1)).includes("[]");
      this.addList(name, isElement ? [...(this.lists.get(name)?.at(-1) ?? []), one] : [one]);
      return;
    }
    for (const element of elements) {
      this.flow.pour(element.pieces, name);
      if (element.glob) this.flow.connect(fileNames, name, false);
    }
    this.addList(name, append ? [...(this.lists.get(name)?.at(-1) ?? []), ...elements] : elements);
  }

  private traceProgram(command: Command): void {
    const { words, scope, id } = command;
    const at = words.findIndex((word) => !/^(?:command|builtin)$/.test(literalText(word) ?? ""));
    const program = words[at];
    if (program === undefined) return;
    const name = literalText(program) ?? "";
    const parameters = words.slice(at + 1);
    // A function may also be called by what gets its name: `retry 3 deploy x`.
    for (const [index, word] of words.entries()) {
      this.traceCall(literalText(word) ?? "", words.slice(index + 1), id);
    }
    const [only, ...others] = program.pieces;
    if (only?.kind === "read" && others.length === 0)
      this.flow.forEachNameIn(only.holder, (called) => this.traceCall(called, parameters, id));
    else if (others.length > 0) for (const called of this.bodiesLike(program)) this.traceCall(called, parameters, id);
    // bash gives it the words of a command that it can't find.
    this.traceCall("command_not_found_handle", words, id);
    const writer = words.findIndex((word) => fileWriters.has(literalText(word) ?? ""));
    const files = writer === -1 ? parameters : words.slice(writer + 1);
    for (const word of files) this.traceFile(literalText(words[writer]) ?? name, word, files, id);
    if (words.some((word) => assigningLaunchers.has(literalText(word) ?? ""))) words.forEach(this.traceVariable, this);
    traceBuiltin(this, name, parameters, { id, scope });
    // `$SUDO read x`: what is empty leaves the command to the next word.
    if (mayBeNothing(program)) traceBuiltin(this, literalText(parameters[0]) ?? "", parameters.slice(1), { id, scope });
  }

  private traceCall(called: string, parameters: readonly ParsedWord[], id: number): void {
    const bodies = this.bodies.get(called) ?? [];
    for (const body of bodies) {
      this.flow.connect(inputOf(id), inputOf(body));
      this.flow.connect(outputOf(body), outputOf(id));
      this.flow.connect(resultOf(body), resultOf(id));
    }
    if (bodies.length === 0) return;
    this.tracePositional(called, parameters);
    for (const { pieces } of parameters) this.flow.pour(pieces, "BASH_ARGV");
  }

  /** The functions that a name such as `"do_$task"` can be the name of. */
  private bodiesLike({ pieces }: ParsedWord): string[] {
    const parts = pieces.map((piece) => (piece.kind === "text" ? piece.text : "*"));
    if (!parts.every((part) => /^[\w-]*$|^\*$/.test(part))) return [];
    const like = new RegExp(`^${parts.join("").replaceAll("*", ".*")}$`);
    return [...this.bodies.keys()].filter((name) => like.test(name));
  }

  /** `env NAME=value command` */
  private traceVariable({ pieces }: ParsedWord): void {
    const [first, ...others] = pieces;
    const head = first?.kind === "text" ? /^([A-Za-z_]\w*)=/.exec(first.text) : null;
    if (first?.kind !== "text" || head?.[1] === undefined) return;
    this.flow.pour([{ kind: "text", text: first.text.slice(head[0].length) }, ...others], head[1]);
  }

  /** What programs do with the files they are given. */
  private traceFile(program: string, word: ParsedWord, parameters: readonly ParsedWord[], id: number): void {
    const file = fileOf(word, this.literals) ?? "";
    switch (program) {
      case "tee":
      case "sponge":
        this.write(outputOf(id), file);
        return;
      case "dd":
        if (/^of=/.test(markedText(word.pieces))) this.write(outputOf(id), fileBehindOption(word, this.literals) ?? "");
        else this.flow.connect(fileBehindOption(word, this.literals) ?? "", outputOf(id));
        return;
      case "cp":
      case "mv":
      case "ln":
      case "install": {
        const last = parameters.at(-1);
        const target = last === undefined || last === word ? undefined : fileOf(last, this.literals);
        if (target !== undefined) this.write(file, target);
        return;
      }
      case "sed":
        for (const [, written] of markedText(word.pieces).matchAll(sedWrites))
          this.write(outputOf(id), fileOf({ pieces: [{ kind: "text", text: written ?? "" }] }) ?? "");
        if (parameters.some((option) => /^(?:-[A-Za-z]*i|--in-place)/.test(markedText(option.pieces))))
          this.write(outputOf(id), file);
        return;
      default: {
        const named = fileBehindOption(word, this.literals);
        if (named !== undefined) this.flow.connect(named, outputOf(id));
      }
    }
  }

  private write(from: string, file: string): void {
    this.flow.connect(from, file);
    if (!file.startsWith('file "')) return;
    this.written.add(file);
    this.flow.connect(file, baseOf(file));
  }

  private traceText({ command, group, scope, parameters, furtherParameters }: ProgramText): void {
    this.flow.connect(inputOf(command), inputOf(group));
    this.flow.connect(outputOf(group), outputOf(command));
    this.flow.connect(resultOf(group), resultOf(command));
    const [first, ...others] = parameters;
    if (first !== undefined) this.flow.pour(first.pieces, `${scope}:0`);
    this.tracePositional(scope, others);
    if (furtherParameters === "input") this.pourParameters(inputOf(command), scope);
    if (furtherParameters === "names") this.pourParameters(fileNames, scope);
  }

  private pourParameters(from: string, scope: string): void {
    this.flow.connect(from, `${scope}:any`);
    this.flow.connect(from, `${scope}:@`);
  }

  tracePositional(scope: string, parameters: readonly ParsedWord[]): void {
    let fixed = !this.shifting.has(scope);
    for (const [index, word] of parameters.entries()) {
      fixed &&= !mayBeSeveral(word);
      this.flow.pour(word.pieces, fixed ? `${scope}:${index + 1}` : `${scope}:any`);
      this.flow.pour(word.pieces, `${scope}:@`);
      if (word.glob) this.pourParameters(fileNames, scope);
    }
    // Behind a shift the command is a later word.
    const left = this.shifting.get(scope) ?? 0;
    for (let first = 0; first <= left; first += 1) this.addList(`${scope}:@`, parameters.slice(first));
  }

  /** Where `declare -p` prints: into a pipe as any other command, to a substitution as what is quoted. */
  quotedOutputOf(id: number): string {
    const parent = this.commands[id]?.parent;
    return parent === undefined || this.piped.has(id) ? outputOf(id) : declaredBy(parent);
  }

  /** What every variable holds, as env and set print it. */
  allVariables(): string {
    if (this.hasAllVariables) return allVariables;
    this.hasAllVariables = true;
    for (const name of this.outside) this.flow.connect(name, allVariables, false);
    for (const { assignments, words } of this.commands)
      for (const { assigns } of [...assignments, ...words])
        if (assigns !== undefined) this.flow.connect(assigns.name, allVariables, false);
    return allVariables;
  }

  /** What the command gives to the variables that the word names. */
  receive(target: ParsedWord, pour: (name: string) => void): void {
    const text = markedText(target.pieces);
    const name = /^([A-Za-z_]\w*)(?:\[.*\])?$/s.exec(text)?.[1];
    if (name === undefined) {
      this.flow.forEachName(target.pieces, pour);
      return;
    }
    pour(name);
    const { start, end } = target;
    const read = { kind: "read", holder: name, shown: undefined, split: true, list: false, start, end } as const;
    this.addList(name, [{ ...target, pieces: [read] }]);
    this.receipts.push({ name, word: target });
  }

  private addList(name: string, words: readonly ParsedWord[]): void {
    if (words.length > mostListed) return;
    const known = this.lists.get(name);
    if (known === undefined) this.lists.set(name, [words]);
    else known.push(words);
  }
}

const mostListed = 200;
const mostShifted = 6;

/** What a redirection feeds to a command; what only names a file is no part of it. */
export function fedBy(operator: string, target: ParsedWord): readonly Piece[] {
  return operator === "<<<" ? target.pieces : target.pieces.filter((piece) => piece.kind === "output");
}

/** Whether the shell may leave the word out, since it is a variable without quotes. */
export function mayBeNothing({ pieces }: ParsedWord): boolean {
  return pieces.length > 0 && pieces.every((piece) => piece.kind === "read" && piece.split && !piece.list);
}

function mayBeSeveral({ pieces, glob }: ParsedWord): boolean {
  return (
    glob ||
    pieces.some((piece) => {
      if (piece.kind === "value") return piece.slot.context === "words";
      return piece.kind === "read" ? piece.list || piece.split : piece.kind === "output" && piece.split;
    })
  );
}

/**
 * Whether what a regex matches can hold no `$(` or backtick with a `[` before it. Its backslashes are gone, so a dot may stand for
 * any character, which alone does no harm.
 */
function isNarrow(regex: string): boolean {
  const rest = regex.replaceAll(/\[(?:\[:(?:digit|alpha|alnum|xdigit|upper|lower):\]|[A-Za-z0-9_.,:/@-])+\]/g, "0");
  if (!/^[\w\s()|+*?^{},:/@=.-]*\$?$/.test(rest)) return false;
  if (!rest.includes(".")) return true;
  return !/\||\.[()]*[.+*?{]|\([^()]*\.[^()]*\)[+*?{]/.test(rest);
}
