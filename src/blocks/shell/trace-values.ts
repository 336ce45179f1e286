import { isNumberFormat, isNumeric } from "./numeric-output.ts";
import type { DefaultAssignment } from "./scan.ts";
import { type Command, fedMark, outputName, type Redirect, readAssignment, type Word } from "./shell-syntax.ts";
import { type Carrier, ValueFlow } from "./value-flow.ts";

/** A word that names the variable a command puts what it reads or prints into. */
export interface Receipt {
  readonly name: string;
  readonly word: Word;
}

export interface Trace {
  readonly flow: ValueFlow;
  readonly receipts: readonly Receipt[];
  /** The words a list was given, by the name of the array or of the positional parameters. */
  readonly lists: ReadonlyMap<string, readonly (readonly Word[])[]>;
}

/** The place in a flow that is a command's standard input. */
export function inputOf(index: number): string {
  return `<${index}`;
}

function outputOf(index: number): string {
  return `>${index}`;
}

const everyInput = "<";

/**
 * Follows values through what the script assigns, reads and pipes. The order of the commands and the values a condition lets
 * through are not looked at, so a variable that ever holds a value holds it everywhere.
 */
export function traceValues(commands: readonly Command[], defaults: readonly DefaultAssignment[]): Trace {
  const tracer = new Tracer(commands);
  for (const { name, reads } of defaults) tracer.flow.pour({ slots: [], reads }, name);
  commands.forEach((command, index) => {
    tracer.trace(command, index);
  });
  return tracer;
}

const declarations: ReadonlySet<string> = new Set(["declare", "typeset", "local", "export", "readonly"]);

/** Programs that print something else than their arguments. */
const fetching: ReadonlySet<string> = new Set(["curl", "wget", "git", "gh", "aws", "docker", "kubectl", "ssh"]);

class Tracer implements Trace {
  readonly flow: ValueFlow = new ValueFlow();
  readonly receipts: Receipt[] = [];
  readonly lists: Map<string, (readonly Word[])[]> = new Map();
  private readonly indexes = new Map<Command, number>();
  private readonly parents: readonly (number | undefined)[];
  private readonly bodies = new Map<string, number>();
  private readonly shifting = new Set<string>();
  private readonly consuming = new Map<number, number>();

  constructor(commands: readonly Command[]) {
    this.parents = findParents(commands);
    for (const [index, command] of commands.entries()) {
      this.indexes.set(command, index);
      if (command.defines !== undefined) this.bodies.set(command.defines, index);
      if (command.words[0]?.text === "shift") this.shifting.add(command.scope);
    }
  }

  trace(command: Command, index: number): void {
    this.traceStreams(command, index);
    if (command.kind === "for") {
      this.receive(command.assignments[0], command.words);
      return;
    }
    for (const word of command.assignments) this.traceAssignment(word);
    if (command.kind === "simple") this.traceProgram(command, index);
    if (command.kind === "conditional") this.traceMatch(command.words);
  }

  private traceStreams(command: Command, index: number): void {
    const { flow } = this;
    const parent = this.parents[index];
    flow.connect(parent === undefined ? everyInput : inputOf(parent), inputOf(index));
    const source = command.pipedFrom === undefined ? undefined : this.indexes.get(command.pipedFrom);
    if (source !== undefined) flow.connect(outputOf(source), inputOf(index));
    const global = command.words.length === 1 && command.words[0]?.text === "exec";
    for (const redirect of command.redirects) {
      const fed = fedCarrier(redirect);
      flow.pour(fed, inputOf(index));
      if (global) flow.pour(fed, everyInput);
    }
    for (const word of [...command.words, ...command.redirects.map(({ target }) => target)]) {
      for (const { from, to } of word.consumers) {
        for (let reader = from; reader < to; reader += 1) {
          // A reader deeper inside has its own command to read from.
          const innerEnd = this.consuming.get(reader);
          if (innerEnd === undefined) flow.connect(outputOf(index), inputOf(reader));
          else reader = innerEnd - 1;
        }
        if (to > from) this.consuming.set(from, to);
      }
    }
    if (parent !== undefined) flow.connect(outputOf(index), outputOf(parent));
    if (isNumeric(command)) return;
    if (command.kind !== "group") flow.connect(inputOf(index), outputOf(index));
    if (fetching.has(command.words[0]?.text ?? "")) return;
    for (const word of command.words) {
      flow.pour(word, outputOf(index));
      if (command.scope !== "") flow.pour(word, outputName(command.scope));
    }
  }

  private traceAssignment(word: Word): void {
    const assignment = readAssignment(word);
    if (assignment === undefined) return;
    this.flow.pour(word, assignment.name);
    if (word.elements === undefined) return;
    const known = this.lists.get(assignment.name);
    // What is added to a list is not its first word, unless the list was empty.
    if (!/^\w+(?:\[\])?\+=/.test(word.text) || (known?.at(-1)?.length ?? 0) === 0)
      this.addList(assignment.name, word.elements);
  }

  private traceProgram({ words, scope }: Command, index: number): void {
    const at = words.findIndex((word) => word.text !== "command" && word.text !== "builtin");
    const program = words[at]?.text ?? "";
    const parameters = words.slice(at + 1);
    const body = this.bodies.get(program);
    if (body !== undefined) {
      this.flow.connect(inputOf(index), inputOf(body));
      this.flow.connect(outputOf(body), outputOf(index));
      if (scope !== "") this.flow.connect(outputName(program), outputName(scope));
      this.tracePositional(program, parameters);
    }
    if (declarations.has(program)) this.traceDeclaration(parameters);
    if (program === "read") this.traceReading(parameters, "REPLY", index);
    if (program === "mapfile" || program === "readarray") this.traceReading(parameters, "MAPFILE", index);
    if (program === "getopts") this.flow.connectRead(`${scope}:@`, "OPTARG");
    if (program === "printf" && parameters[0]?.text === "-v" && !isNumberFormat(parameters[2]?.text ?? ""))
      this.receive(parameters[1], parameters.slice(2));
    if (program === "set") {
      const operands = parameters.findIndex((word) => !/^[-+]./.test(word.text) || word.text === "--");
      const ended = parameters[operands]?.text === "--" ? 1 : 0;
      if (operands !== -1) this.tracePositional(scope, parameters.slice(operands + ended));
    }
  }

  private traceDeclaration(parameters: readonly Word[]): void {
    const isReference = parameters.some((word) => /^-[A-Za-z]*n/.test(word.text));
    for (const word of parameters) {
      this.traceAssignment(word);
      const assignment = isReference ? readAssignment(word) : undefined;
      if (assignment === undefined) continue;
      this.flow.connect(assignment.name, assignment.value);
      this.flow.connect(assignment.value, assignment.name);
    }
  }

  private traceReading(parameters: readonly Word[], unnamed: string, index: number): void {
    const named = parameters.filter((word) => nameOf(word) !== undefined);
    for (const word of named) {
      this.flow.connect(inputOf(index), nameOf(word) ?? "");
      this.receipts.push({ name: nameOf(word) ?? "", word });
    }
    if (named.length === 0) this.flow.connect(inputOf(index), unnamed);
  }

  private tracePositional(scope: string, parameters: readonly Word[]): void {
    let fixed = !this.shifting.has(scope);
    for (const [index, word] of parameters.entries()) {
      fixed &&= !mayBeSeveral(word);
      this.flow.pour(word, fixed ? `${scope}:${index + 1}` : `${scope}:any`);
      this.flow.pour(word, `${scope}:@`);
    }
    // Behind a shift the command is a later word.
    const heads = this.shifting.has(scope) ? 3 : 1;
    for (let first = 0; first < heads; first += 1) this.addList(`${scope}:@`, parameters.slice(first));
  }

  /** The groups of `[[ text =~ regex ]]` are pieces of the text, unless the regex lets only harmless ones through. */
  private traceMatch(words: readonly Word[]): void {
    for (const [index, { text }] of words.entries()) {
      const subject = words[index - 1];
      if (text === "=~" && subject !== undefined && !isNarrow(words[index + 1]?.text ?? "."))
        this.flow.pour(subject, "BASH_REMATCH");
    }
  }

  private receive(target: Word | undefined, words: readonly Word[]): void {
    const name = target === undefined ? undefined : nameOf(target);
    if (target === undefined || name === undefined) return;
    for (const word of words) this.flow.pour(word, name);
    this.receipts.push({ name, word: target });
  }

  private addList(name: string, words: readonly Word[]): void {
    const known = this.lists.get(name);
    if (known === undefined) this.lists.set(name, [words]);
    else known.push(words);
  }
}

/** Which group each command stands in. */
function findParents(commands: readonly Command[]): (number | undefined)[] {
  const parents: (number | undefined)[] = new Array(commands.length).fill(undefined);
  const open: { readonly index: number; readonly from: number; readonly to: number }[] = [];
  for (let index = commands.length - 1; index >= 0; index -= 1) {
    while (index < (open.at(-1)?.from ?? 0)) open.pop();
    const around = open.at(-1);
    if (around !== undefined && index < around.to) parents[index] = around.index;
    const command = commands[index];
    if (command?.kind === "group") open.push({ index, ...command.members });
  }
  return parents;
}

/** What a redirection feeds to a command; what only names a file is no part of it. */
export function fedCarrier({ operator, target, body, bodyReads }: Redirect): Carrier {
  if (operator === "<<<") return target;
  if (operator !== "<") return { slots: body, reads: bodyReads };
  const slots = target.text.includes(fedMark) ? target.slots : [];
  return { slots, reads: target.reads.filter((read) => read.fed) };
}

function nameOf(word: Word): string | undefined {
  return /^([A-Za-z_][A-Za-z0-9_]*)(?:\[.*\])?$/s.exec(word.text)?.[1];
}

function mayBeSeveral(word: Word): boolean {
  return word.slots.some((slot) => slot.context === "words") || word.reads.some((read) => read.list || read.split);
}

/**
 * Whether what a regex matches can hold no `$(` or backtick with a `[` before it. Its backslashes are gone, so a dot may stand for
 * any character, which alone does no harm.
 */
function isNarrow(regex: string): boolean {
  const rest = regex.replaceAll(/\[(?:\[:(?:digit|alpha|alnum|xdigit|upper|lower):\]|[A-Za-z0-9_.,:/@-])+\]/g, "0");
  if (!/^[\w\s()|+*?^{},:/@=.-]*\$?$/.test(rest)) return false;
  return !rest.includes(".") || !/\||\.[()]*[.+*?{]/.test(rest);
}
