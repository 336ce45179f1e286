import { builtinAt } from "./builtin-options.ts";
import { expandLists, type Lists } from "./list-words.ts";
import type { LiteralVariables } from "./literal-variables.ts";
import { coprocess } from "./lower-script.ts";
import { type Command, literalText, markedText, type ParsedWord } from "./shell-syntax.ts";
import { wordsOf } from "./text-words.ts";
import type { FileTrace } from "./trace-files.ts";
import { inputOf, outputOf, resultOf, type ValueFlow } from "./value-flow.ts";

/** A command whose words hold a list: what it runs is known when all lists are. */
export interface ListCall {
  readonly words: readonly ParsedWord[];
  readonly command: Pick<Command, "id" | "scope">;
}

const mostShifted = 6;
const mostRounds = 3;
const mostCalls = 10_000;

/** Follows values into functions, and into what lists call. */
export class CallTrace {
  private readonly flow: ValueFlow;
  private readonly lists: Lists;
  private readonly files: FileTrace;
  /** By the name of a function, all that it is defined as. */
  private readonly bodies = new Map<string, number[]>();
  /** How many words the shifts of a function leave out, at the most. */
  private readonly shifting = new Map<string, number>();

  constructor(
    flow: ValueFlow,
    lists: Lists,
    files: FileTrace,
    { commands, literals }: { readonly commands: readonly Command[]; readonly literals: LiteralVariables },
  ) {
    this.flow = flow;
    this.lists = lists;
    this.files = files;
    const isShiftHeld = commands.some((command) => holdsShift(command));
    for (const { defines, id, words, scope } of commands) {
      if (defines !== undefined && defines !== coprocess)
        this.bodies.set(defines, [...(this.bodies.get(defines) ?? []), id]);
      const texts = words.slice(0, 5).map((word) => literals.textOf(word));
      const at = builtinAt(texts);
      const isComputed = isShiftHeld && words[at]?.pieces.some((piece) => piece.kind !== "text");
      if (texts[at] === "shift" || isComputed) this.noteShift(scope, words[at + 1]);
    }
  }

  private noteShift(scope: string, count: ParsedWord | undefined): void {
    const words = count === undefined ? 1 : Number(literalText(count) ?? mostShifted);
    const left = (this.shifting.get(scope) ?? 0) + (Number.isInteger(words) ? words : mostShifted);
    this.shifting.set(scope, Math.min(left, mostShifted));
  }

  /** The functions that a command of these words calls; `program` is where its name stands. */
  traceWords(words: readonly ParsedWord[], program: number, id: number): void {
    // A function may also be called by what gets its name: `retry 3 deploy x`.
    for (const [index, word] of words.entries()) this.traceCall(literalText(word) ?? "", words.slice(index + 1), id);
    const first = words[program];
    const [only, ...others] = first?.pieces ?? [];
    const parameters = words.slice(program + 1);
    if (first !== undefined && only?.kind === "read" && others.length === 0) {
      this.flow.forEachNameIn(only.holder, (called) => this.traceCall(called, parameters, id));
      this.flow.forEachTextIn(only.holder, (text) => {
        const [called, ...given] = wordsOf(text, first);
        if (given.length > 0) this.traceCall(literalText(called) ?? "", [...given, ...parameters], id);
      });
    } else if (first !== undefined && others.length > 0)
      for (const called of this.bodiesLike(first)) this.traceCall(called, parameters, id);
    // bash gives it the words of a command that it can't find.
    this.traceCall("command_not_found_handle", words, id);
  }

  traceCall(called: string, parameters: readonly ParsedWord[], id: number): void {
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

  tracePositional(scope: string, parameters: readonly ParsedWord[]): void {
    let fixed = !this.shifting.has(scope);
    for (const [index, word] of parameters.entries()) {
      fixed &&= !mayBeSeveral(word);
      this.flow.pour(word.pieces, fixed ? `${scope}:${index + 1}` : `${scope}:any`, "words");
      this.flow.pour(word.pieces, `${scope}:@`, "words");
      for (const holder of [`${scope}:any`, `${scope}:@`]) this.files.connectNames(word, holder, "whole");
    }
    // Behind a shift the command is a later word.
    const left = this.shifting.get(scope) ?? 0;
    for (let first = 0; first <= left; first += 1) this.lists.add(`${scope}:@`, parameters.slice(first));
  }

  pourParameters(from: string, scope: string): void {
    this.flow.connect(from, `${scope}:any`);
    this.flow.connect(from, `${scope}:@`);
  }

  /** `"${command[@]}" more`: a list's words are a command like any other, which may fill further lists. */
  traceLists(calls: readonly ListCall[], trace: (call: ListCall) => void): void {
    let left = mostCalls;
    let known = -1;
    for (let round = 0; round < mostRounds && this.lists.count !== known; round += 1) {
      known = this.lists.count;
      const seen = new Set<string>();
      for (const { words, command } of calls) {
        for (const expanded of expandLists(words, this.lists, seen)) {
          if (left === 0) return;
          left -= 1;
          trace({ words: expanded, command });
        }
      }
    }
  }
}

/** Whether a variable is given the word `shift`. */
function holdsShift({ words, assignments, kind }: Command): boolean {
  const given = kind === "loop" ? words : assignments;
  return given.some(({ pieces }) => /(?:^|[\s=])shift(?:\s|$)/.test(markedText(pieces)));
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
