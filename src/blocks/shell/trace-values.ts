import type { Span } from "../../expression/ast.ts";
import { builtinAt, readBuiltin } from "./builtin-options.ts";
import { fileNames, fileOf } from "./file-holders.ts";
import { Lists, listOf } from "./list-words.ts";
import { LiteralVariables } from "./literal-variables.ts";
import { coprocess } from "./lower-script.ts";
import { matchedBy } from "./matched-text.ts";
import { isNumeric, JoinedErrors } from "./numeric-output.ts";
import { assigningLaunchers, fetching, listing, readsDirectory, readsEnvironment } from "./program-files.ts";
import type { ProgramText } from "./program-texts.ts";
import type { ScriptBuilder } from "./script-builder.ts";
import { type Command, literalText, markedText, type ParsedWord, type Piece, type PlacedSlot } from "./shell-syntax.ts";
import { wordsOf } from "./text-words.ts";
import { traceBuiltin } from "./trace-builtins.ts";
import { CallTrace, type ListCall } from "./trace-calls.ts";
import { FileTrace, programStarted } from "./trace-files.ts";
import { declaredBy, inputOf, outputOf, type ProofOfSlot, resultOf, ValueFlow } from "./value-flow.ts";
import { WrittenTexts } from "./written-texts.ts";

/** A variable that a command puts what it reads or prints into. */
export interface Receipt {
  readonly name: string;
  /** What names it, or the command if that is not told. */
  readonly range: Span;
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

const printing: ReadonlySet<string> = new Set(["echo", "printf"]);

/** Follows values through what the script assigns, reads, writes and pipes. */
export class Trace {
  readonly flow: ValueFlow;
  readonly receipts: Receipt[] = [];
  /** The words a list was given, by the name of the array or of the positional parameters. */
  readonly lists: Lists = new Lists();
  readonly commands: readonly Command[];
  readonly files: FileTrace;
  private readonly calls: CallTrace;
  private readonly listCalls: ListCall[] = [];
  private readonly literals: LiteralVariables;
  private readonly outside: readonly string[];
  private hasAllVariables = false;
  private readonly joinedErrors: JoinedErrors;
  /** Commands whose output goes to the next one in a pipe. */
  private readonly piped = new Set<number>();

  constructor(
    script: ScriptBuilder,
    texts: readonly ProgramText[],
    { stdin, env }: Surroundings,
    proofOfSlot?: ProofOfSlot,
  ) {
    const flow = new ValueFlow(proofOfSlot);
    this.flow = flow;
    flow.splitsAnywhere = /\bIFS\b/.test(script.placed.text);
    this.commands = script.commands;
    for (const { assigns } of script.commands.flatMap(({ assignments }) => assignments))
      if (assigns?.name === "IFS") flow.splitAt(literalText({ pieces: assigns.value }) ?? "");
    this.literals = new LiteralVariables(script.commands);
    this.files = new FileTrace(flow, this.literals);
    this.outside = [...(env?.keys() ?? [])];
    if (stdin !== undefined) flow.reach(everyInput, stdin, stdin.proof);
    for (const [name, slot] of env ?? []) flow.reach(name, slot, slot.proof);
    this.joinedErrors = new JoinedErrors(script.commands, script.joinedErrors);
    this.calls = new CallTrace(flow, this.lists, this.files, { commands: this.commands, literals: this.literals });
    for (const { pipedFrom } of this.commands) if (pipedFrom !== undefined) this.piped.add(pipedFrom);
    for (const { pieces, names } of script.evaluations) this.mention(pieces, names === true);
    for (const { pieces, holder } of script.pours) flow.pour(pieces, holder);
    for (const { group, holder } of script.inputs) flow.connect(inputOf(group), holder);
    flow.connect("BASH_ARGV0", ":0");
    for (const holder of script.indirections) flow.forEachNameIn(holder, (name) => flow.connect(name, `!${holder}`));
    for (const command of this.commands) this.trace(command);
    this.files.moveDirectories();
    this.tracePrinted();
    for (const text of texts) this.traceText(text);
    for (const [slice, whole] of script.slices)
      for (const words of this.lists.get(whole))
        for (let first = 1; first < 6; first += 1) this.lists.add(slice, words.slice(first));
    this.calls.traceLists(this.listCalls, ({ words, command }) => this.traceProgram(words, command));
  }

  /** What a script calculates with may be a variable that it gives a value under a computed name. */
  private mention(pieces: readonly Piece[], names: boolean): void {
    for (const piece of pieces) {
      if (piece.kind === "read") this.flow.mention(piece.holder);
      else if (piece.kind === "text" && names)
        for (const [name] of piece.text.matchAll(/[A-Za-z_]\w*/g)) this.flow.mention(name);
    }
  }

  /** What is put together of several texts is known as one, too: what echo and printf print, and a group of them. */
  private tracePrinted(): void {
    const texts = new WrittenTexts(this.commands, this.literals);
    for (const command of this.commands.toReversed()) {
      const isPrinting = command.kind === "group" || /^(?:echo|printf)$/.test(literalText(command.words[0]) ?? "");
      if (isPrinting && literalText(command.words[1]) === "-v") {
        this.tracePrintedTo(texts, command.words);
        continue;
      }
      const printed = isPrinting ? texts.outputOf(command) : undefined;
      if (printed === undefined) continue;
      for (const holder of [outputOf(command.id), resultOf(command.id)])
        this.flow.pour([{ kind: "text", text: printed.source }], holder);
    }
  }

  /** `printf -v name '%s.sh' text` */
  private tracePrintedTo(texts: WrittenTexts, [, , target, ...parameters]: readonly ParsedWord[]): void {
    const name = literalText(target) ?? "";
    this.flow.pour([{ kind: "text", text: texts.format(parameters) }], name);
    for (const word of parameters) this.files.connectNames(word, name);
  }

  private trace(command: Command): void {
    this.traceStreams(command);
    if (command.kind === "loop") {
      const [name] = command.assignments;
      for (const word of command.words) {
        this.flow.pour(word.pieces, name?.assigns?.name ?? "", "words");
        // Which of the names it may be is told by the pattern, which is a text of the variable.
        this.files.connectNames(word, name?.assigns?.name ?? "");
      }
      return;
    }
    for (const word of command.assignments) this.traceAssignment(word);
    if (command.kind === "simple") {
      this.mention(command.words[0]?.pieces ?? [], false);
      this.traceProgram(command.words, command);
      if (command.words.some((word) => listOf(word) !== undefined))
        this.listCalls.push({ words: command.words, command });
    }
    for (const { operator, left, right } of command.tests) {
      const matched = operator === "=~" ? matchedBy(markedText(right.pieces)) : "numbers";
      if (left !== undefined && matched !== "numbers")
        this.flow.pour(left.pieces, "BASH_REMATCH", matched === "narrow" ? "narrow" : "whole");
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
    if (kind !== "simple" || (isNumeric(command, source) && !this.joinedErrors.has(command))) return;
    flow.connect(inputOf(id), outputOf(id));
    flow.connect(outputOf(id), resultOf(id));
    this.traceOutput(command);
  }

  /** What a program prints: its arguments, the files they name, names of files, variables, the directory. */
  private traceOutput({ id, words, redirects }: Command): void {
    const { flow } = this;
    const task = programStarted(words)?.name ?? "";
    const output = fetching.has(task.replace(/ .*/s, "")) ? resultOf(id) : outputOf(id);
    for (const word of words.slice(1)) {
      // Only what prints its arguments prints an option.
      if (!/^-/.test(literalText(word) ?? "") || printing.has(task)) flow.pour(word.pieces, output);
      this.files.connectNames(word, output, "whole");
      const file = fileOf(word, this.literals);
      if (file !== undefined) flow.connect(file, outputOf(id));
      if (file !== undefined && literalText(words[0]) === "xargs") flow.connect(file, inputOf(id));
    }
    const texts = words.map((word) => markedText(word.pieces));
    const hasPattern = words.some((word, index) => word.glob || /[*?]/.test(texts[index] ?? ""));
    if (listing.has(task)) flow.connect(fileNames, outputOf(id), hasPattern ? "part" : "whole");
    for (const { body } of redirects) if (body !== undefined) texts.push(markedText(body));
    if (texts.some((text) => readsEnvironment.test(text))) flow.connect(this.allVariables(), outputOf(id), "part");
    if (texts.some((text) => readsDirectory.test(text))) flow.connect("PWD", resultOf(id), "part");
    if (task === "compgen" && texts.some((text) => /^-[a-z]*[ve]$/.test(text)))
      for (const name of this.outside) flow.pour([{ kind: "text", text: name }], outputOf(id));
    // These print the directory that they go to.
    const isShown = redirects.length === 0 && /^(?:pushd|popd|cd -)$/.test(task === "cd" ? texts.join(" ") : task);
    if (isShown) for (const name of ["PWD", "OLDPWD", "DIRSTACK"]) flow.connect(name, outputOf(id), "part");
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
      for (const output of outputs) {
        this.files.forEachFile(target, (written) => this.files.write(output, written));
        if (operator === ">&" && isComputed) flow.connect(output, "coprocess in");
      }
    }
  }

  traceAssignment(word: ParsedWord): void {
    const { assigns, elements } = word;
    if (assigns === undefined) return;
    const { name, append, value } = assigns;
    if (elements === undefined) {
      this.flow.pour(value, name, "whole", append);
      // A file whose name a command makes is known by its variable, and so by the copies of it.
      if (value.length === 1 && value[0]?.kind === "output")
        this.flow.pour([{ kind: "text", text: `<${name}>` }], name);
      // `"${name[@]}"` of a plain variable is its one text; `name[2]=text` is one more.
      const one = { ...word, pieces: value, assigns: undefined };
      const isElement = markedText(word.pieces.slice(0, 1)).includes("[]");
      this.lists.add(name, isElement ? [...(this.lists.get(name).at(-1) ?? []), one] : [one]);
      return;
    }
    for (const element of elements) {
      this.flow.pour(element.pieces, name, "words");
      this.files.connectNames(element, name);
    }
    this.lists.add(name, append ? [...(this.lists.get(name).at(-1) ?? []), ...elements] : elements);
  }

  /** What a command of these words calls, assigns and writes. */
  traceProgram(words: readonly ParsedWord[], { id, scope }: Pick<Command, "id" | "scope">): void {
    const at = builtinAt(words.map((word) => literalText(word) ?? ""));
    const program = words[at];
    if (program === undefined) return;
    const name = literalText(program) ?? "";
    const parameters = words.slice(at + 1);
    for (const text of this.textsOf(program)) {
      const called = { ...program, pieces: [{ kind: "text", text } as const] };
      this.traceProgram([...words.slice(0, at), called, ...parameters], { id, scope });
    }
    this.calls.traceWords(words, at, id);
    this.files.traceCommand({ id, words, redirects: this.commands[id]?.redirects ?? [] });
    if (words.some((word) => assigningLaunchers.has(literalText(word) ?? ""))) words.forEach(this.traceVariable, this);
    traceBuiltin(this, name, parameters, { id, scope });
    const [only, ...others] = program.pieces;
    if (only?.kind === "read" && others.length === 0)
      this.flow.forEachTextIn(only.holder, (text) => {
        const [first, ...given] = wordsOf(text, program);
        traceBuiltin(this, literalText(first) ?? "", [...given, ...parameters], { id, scope });
      });
    // `/usr/bin/printenv`, `timeout 3 pwd`
    const started = programStarted(words);
    if (started !== undefined && started.name !== name)
      traceBuiltin(
        this,
        started.name,
        started.parameters.map((word) => word.parsed),
        { id, scope },
      );
    // `$SUDO read x`: what is empty leaves the command to the next word.
    if (mayBeNothing(program)) traceBuiltin(this, literalText(parameters[0]) ?? "", parameters.slice(1), { id, scope });
  }

  /** The texts that a word with one value can be, where they are known. */
  private textsOf({ pieces }: ParsedWord): readonly string[] {
    const at = pieces.findIndex((piece) => piece.kind === "value");
    const piece = pieces[at];
    if (piece?.kind !== "value" || pieces.some(({ kind }, index) => index !== at && kind !== "text")) return [];
    const [before, after] = [markedText(pieces.slice(0, at)), markedText(pieces.slice(at + 1))];
    return this.flow.proofOfSlot(piece.slot)?.texts?.map((text) => before + text + after) ?? [];
  }

  /** `env NAME=value command` */
  private traceVariable({ pieces }: ParsedWord): void {
    const [first, ...others] = pieces;
    const head = first?.kind === "text" ? /^([A-Za-z_]\w*)=/.exec(first.text) : null;
    if (first?.kind !== "text" || head?.[1] === undefined) return;
    this.flow.pour([{ kind: "text", text: first.text.slice(head[0].length) }, ...others], head[1]);
  }

  private traceText({ command, group, scope, parameters, furtherParameters }: ProgramText): void {
    this.flow.connect(inputOf(command), inputOf(group));
    this.flow.connect(outputOf(group), outputOf(command));
    this.flow.connect(resultOf(group), resultOf(command));
    const [first = this.renamed(command), ...others] = parameters;
    if (first !== undefined) this.flow.pour(first.pieces, `${scope}:0`);
    this.tracePositional(scope, others);
    if (furtherParameters === "input") this.calls.pourParameters(inputOf(command), scope);
    if (furtherParameters === "names") this.calls.pourParameters(fileNames, scope);
  }

  /** `exec -a name bash -c ...`: what is `$0` there. */
  private renamed(id: number): ParsedWord | undefined {
    const words = this.commands[id]?.words ?? [];
    const at = words.findIndex((word) => literalText(word) === "exec");
    if (at === -1) return undefined;
    return readBuiltin("exec", words.slice(at + 1)).options.find(({ letter }) => letter === "a")?.argument;
  }

  tracePositional(scope: string, parameters: readonly ParsedWord[]): void {
    this.calls.tracePositional(scope, parameters);
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
    for (const name of this.outside) this.flow.connect(name, allVariables, "part");
    for (const { assignments, words } of this.commands)
      for (const { assigns } of [...assignments, ...words])
        if (assigns !== undefined) this.flow.connect(assigns.name, allVariables, "part");
    return allVariables;
  }

  /** What a command gives to a variable without being told its name. */
  receiveUnnamed(name: string, id: number): void {
    const command = this.commands[id];
    if (command !== undefined) this.receipts.push({ name, range: command });
  }

  /** What the command gives to the variables that the word names. */
  receive(target: ParsedWord, pour: (name: string) => void): void {
    const text = markedText(target.pieces);
    const name = /^([A-Za-z_]\w*)(?:\[.*\])?$/s.exec(text)?.[1];
    if (name === undefined) {
      this.flow.forEachName(target.pieces, (named) => {
        pour(named);
        this.receipts.push({ name: named, range: target });
      });
      return;
    }
    pour(name);
    const { start, end } = target;
    const read = { kind: "read", holder: name, shown: undefined, split: true, list: false, start, end } as const;
    this.lists.add(name, [{ ...target, pieces: [read] }]);
    this.receipts.push({ name, range: target });
  }
}

/** What a redirection feeds to a command; what only names a file is no part of it. */
export function fedBy(operator: string, target: ParsedWord): readonly Piece[] {
  return operator === "<<<" ? target.pieces : target.pieces.filter((piece) => piece.kind === "output");
}

/** Whether the shell may leave the word out, since it is a variable without quotes. */
export function mayBeNothing({ pieces }: ParsedWord): boolean {
  return pieces.length > 0 && pieces.every((piece) => piece.kind === "read" && piece.split && !piece.list);
}
