import type { Expression, Span } from "../../expression/ast.ts";
import { parseEmbedded, startsReference } from "../../expression/parse-template.ts";
import { type CommandProblem, type Refusal, refuse, ScanStop } from "./command-problem.ts";
import type { CommandValue, SlotContext, ValueUse } from "./compiled-command.ts";
import { explainTemplate, type SuspectVariable } from "./explain-foreign-syntax.ts";
import { printsNumber } from "./numeric-output.ts";
import { feedsArithmetic } from "./refusals.ts";
import {
  type Command,
  type CommandRange,
  expansionMark,
  fedMark,
  outputName,
  type PlacedSlot,
  type VariableRead,
  valueMark,
  type Word,
} from "./shell-syntax.ts";

const deepest = 100;
const mostProblems = 50;

/** What a value must be to stand where the scan is: any text, an integer, or nothing at all. */
type Demand = "text" | "integer" | Refusal;

/** A variable whose contents bash evaluates where it stands. */
export interface Evaluation {
  readonly read: VariableRead;
  readonly refusal: Refusal;
  /** The array whose subscript it is in; the keys of an associative one are plain text. */
  readonly array: string | undefined;
}

/** `${name:=text}`, or reads gathered under one name. */
export interface DefaultAssignment {
  readonly name: string;
  readonly reads: readonly VariableRead[];
}

/** A word while it is being read. */
export interface OpenWord {
  readonly start: number;
  readonly firstSlot: number;
  readonly firstRead: number;
  readonly firstConsumer: number;
  elements: Word[] | undefined;
  text: string;
  quoted: boolean;
}

/**
 * One pass over a command's text. Everything is copied as it stands, except what is replaced explicitly; so a mistake in the
 * scan can misjudge how a value is spelled, but never change the author's text.
 */
export class Scan {
  readonly text: string;
  position = 0;
  /** The end of what may be read now: of the text, or of the here-document's body that is being scanned. */
  limit: number;
  readonly segments: (string | PlacedSlot)[] = [];
  readonly values: CommandValue[] = [];
  readonly slots: PlacedSlot[] = [];
  readonly problems: CommandProblem[] = [];
  /** Variables that look like references of ours, unless the script assigns them. */
  readonly suspects: SuspectVariable[] = [];
  readonly commands: Command[] = [];
  readonly reads: VariableRead[] = [];
  readonly evaluations: Evaluation[] = [];
  readonly defaults: DefaultAssignment[] = [];
  /** The function whose body is being read. */
  scope = "";
  private readonly consumers: CommandRange[] = [];
  private readonly noted = new Set<number>();
  /** Where the first `&` stands that leaves a command in the background. */
  background: number | undefined;
  /** How many here-documents are announced whose body has not come yet; a newline would start it. */
  pendingBodies = 0;
  private readonly valueIndex = new Map<string, number>();
  private demand: Demand = "text";
  private copied = 0;
  private depth = 0;
  private readonly scanList: (scan: Scan) => void;

  /** `scanList` reads commands up to the `)` that closes a substitution. */
  constructor(text: string, scanList: (scan: Scan) => void) {
    this.text = text;
    this.limit = text.length;
    this.scanList = scanList;
  }

  /** The character at the position, empty at the end. */
  peek(ahead = 0): string {
    const at = this.position + ahead;
    return at < this.limit ? this.text.charAt(at) : "";
  }

  startsWith(expected: string): boolean {
    return this.position + expected.length <= this.limit && this.text.startsWith(expected, this.position);
  }

  /** Takes the character at the position and those after it, up to a special one. In `literal` text nothing is expanded. */
  takeRun(word: OpenWord, special: ReadonlySet<string>, literal = false): void {
    const start = this.position;
    let end = start + 1;
    while (end < this.limit && !special.has(this.text.charAt(end))) end += 1;
    const run = this.text.slice(start, end);
    for (let at = run.indexOf("{{"); at !== -1; at = run.indexOf("{{", at + 1)) {
      this.report(explainTemplate(this.text, start + at, literal));
    }
    word.text += run;
    this.position = end;
  }

  /** Puts a problem, if any, on the list. On top of many, one more note is left out and one more error ends the scan. */
  report(problem: CommandProblem | undefined): void {
    if (problem === undefined) return;
    const full = this.problems.length >= mostProblems;
    if (!full || problem.level === "error") this.problems.push(problem);
    if (full && problem.level === "error")
      this.stop("too-many-problems", problem.start, problem.start + 2, "There are more problems.", false);
  }

  suspect(variable: SuspectVariable | undefined): void {
    if (variable !== undefined && this.suspects.length < mostProblems) this.suspects.push(variable);
  }

  /** Puts `replacement` where the next `length` characters stand. */
  replace(length: number, replacement: string | PlacedSlot): void {
    this.flush();
    this.segments.push(replacement);
    this.position += length;
    this.copied = this.position;
  }

  /** Ends the segment before the position. */
  flush(): void {
    if (this.position > this.copied) this.segments.push(this.text.slice(this.copied, this.position));
    this.copied = this.position;
  }

  atReference(ahead = 0): boolean {
    return (
      this.peek(ahead) === "$" && this.peek(ahead + 1) === "{" && startsReference(this.text, this.position + ahead)
    );
  }

  /** `$${inputs.v}`: the author wants the text `${inputs.v}`. */
  atEscapedReference(): boolean {
    return this.peek() === "$" && this.atReference(1);
  }

  /** Takes the escaped reference's text and puts it there in the spelling of its place. */
  takeEscapedReference(word: OpenWord | undefined, spell: (literal: string) => string): void {
    const start = this.position + 1;
    const parsed = parseEmbedded(this.text, start, { filters: ["raw"] });
    if (!parsed.ok) this.report({ level: "error", ...parsed.error });
    const end = parsed.ok && parsed.value.end <= this.limit ? parsed.value.end : start + 2;
    const literal = this.text.slice(start, end);
    if (word !== undefined) word.text += literal;
    this.replace(end - this.position, spell(literal));
  }

  /** Takes the reference at the position and puts a slot there, or a problem on the list. */
  takeReference(word: OpenWord | undefined, context: SlotContext): void {
    const start = this.position;
    const parsed = parseEmbedded(this.text, start, { filters: ["raw"] });
    if (!parsed.ok) {
      this.report({ level: "error", ...parsed.error });
      this.position = Math.min(Math.max(parsed.error.end, start + 2), this.limit);
      if (word !== undefined) word.text += expansionMark;
      return;
    }
    const { expression, end, filter } = parsed.value;
    if (end > this.limit) this.stopUnbalanced(start, "This reference goes beyond the here-document it stands in.");
    if (filter === "raw") {
      if (word !== undefined) word.text += expansionMark;
      this.placeSlot(expression, "raw", context === "words" ? "bare" : context, { start, end });
      return;
    }
    const integer = this.demand === "integer";
    if (word !== undefined) word.text += integer ? expansionMark : valueMark;
    if (typeof this.demand === "object") {
      this.problems.push(refuse(this.demand, this.text, { start, end }));
      this.position = end;
      return;
    }
    // An integer is harmless wherever it ends up, so the checks of commands don't get to see it.
    if (integer) this.placeSlot(expression, "integer", "arithmetic", { start, end });
    else this.slots.push(this.placeSlot(expression, "text", context, { start, end }));
  }

  private placeSlot(expression: Expression, use: ValueUse, context: SlotContext, span: Span): PlacedSlot {
    const slot: PlacedSlot = { value: this.indexOfValue(expression, use, span), context, ...span };
    this.replace(span.end - span.start, slot);
    return slot;
  }

  private indexOfValue(expression: Expression, use: ValueUse, span: Span): number {
    const key = `${use} ${this.text.slice(span.start, span.end)}`;
    const known = this.valueIndex.get(key);
    if (known !== undefined) return known;
    this.values.push({ expression, use, span });
    this.valueIndex.set(key, this.values.length - 1);
    return this.values.length - 1;
  }

  /** Runs `scan` where values have to meet a demand, if one is given; a refusal around it stays. */
  demanding(demand: Demand | undefined, scan: () => void): void {
    const before = this.demand;
    if (typeof before !== "object") this.demand = demand ?? before;
    scan();
    this.demand = before;
  }

  /** Runs `scan` one level deeper. */
  nested(scan: () => void): void {
    this.depth += 1;
    if (this.depth > deepest) {
      this.stop("nested-too-deep", this.position, this.position + 1, `More than ${deepest} levels of nesting.`, false);
    }
    scan();
    this.depth -= 1;
  }

  /** Notes that a variable's contents stand where the word's next mark will. */
  noteRead(word: OpenWord, name: string, span: Span, kind: { split: boolean; list: boolean }): void {
    this.reads.push({ name, start: span.start, end: span.end, at: word.text.length, fed: false, ...kind });
  }

  /** Gives the reads from `first` on the place of a mark that stands for all of them. */
  moveReads(first: number, place: { at: number; fed?: boolean; split?: boolean }): void {
    for (let index = first; index < this.reads.length; index += 1) {
      const read = this.reads[index];
      if (read !== undefined) this.reads[index] = { ...read, list: false, ...place };
    }
  }

  /** Puts one read in the place of those from `first` on, so that nesting does not multiply them. */
  gatherReads(first: number, start: number): void {
    if (this.reads.length - first < 2) return;
    const name = outputName(`the command at ${start}`);
    this.defaults.push({ name, reads: this.reads.slice(first) });
    const [read] = this.reads.splice(first);
    if (read !== undefined) this.reads.push({ ...read, name, start, end: this.position });
  }

  /** Notes that bash evaluates the reads from `first` on. */
  noteEvaluations(first: number, refusal: Refusal, array?: string): void {
    for (let index = first; index < this.reads.length; index += 1) {
      const read = this.reads[index];
      if (read !== undefined) this.evaluations.push({ read, refusal, array });
    }
  }

  /** Notes that what the commands from `from` on print stands here; any of them may be a function. */
  private noteOutputs(from: number, span: Span): void {
    for (let index = from; index < this.commands.length; index += 1) {
      const program = this.commands[index]?.words[0]?.text;
      // What an inner substitution prints is noted there.
      if (program === undefined || this.noted.has(index)) continue;
      this.noted.add(index);
      const kind = { at: -1, fed: true, split: false, list: false };
      this.reads.push({ name: outputName(program), start: span.start, end: span.end, ...kind });
    }
  }

  /** Takes `$(...)`, `<(...)` or `>(...)`. */
  takeSubstitution(word: OpenWord | undefined): void {
    const firstSlot = this.slots.length;
    const firstRead = this.reads.length;
    const from = this.commands.length;
    const start = this.position;
    const firstConsumer = this.consumers.length;
    const isRead = this.peek() === ">";
    this.position += 2;
    const feedsNumber = this.demand === "integer";
    this.demanding(feedsNumber ? feedsArithmetic : "text", () => this.nested(() => this.scanList(this)));
    const to = this.commands.length;
    this.consumers.length = firstConsumer;
    if (isRead) this.consumers.push({ from, to });
    if (printsNumber(this.commands, from, to)) {
      for (let index = firstSlot; index < this.slots.length; index += 1) {
        const slot = this.slots[index];
        if (slot !== undefined) slot.counted = true;
      }
      this.reads.length = firstRead;
    } else {
      if (this.slots.length === firstSlot) this.noteOutputs(from, { start, end: this.position });
      this.gatherReads(firstRead, start);
      this.moveReads(firstRead, { at: word?.text.length ?? -1, fed: true, split: false });
    }
    if (word !== undefined) word.text += this.slots.length > firstSlot ? fedMark : expansionMark;
  }

  openWord(): OpenWord {
    return {
      start: this.position,
      firstSlot: this.slots.length,
      firstRead: this.reads.length,
      firstConsumer: this.consumers.length,
      elements: undefined,
      text: "",
      quoted: false,
    };
  }

  closeWord(word: OpenWord): Word {
    return {
      start: word.start,
      end: this.position,
      text: word.text,
      quoted: word.quoted,
      slots: since(this.slots, word.firstSlot),
      reads: since(this.reads, word.firstRead),
      consumers: since(this.consumers, word.firstConsumer),
      elements: word.elements,
    };
  }

  skipBlanks(): void {
    for (;;) {
      const character = this.peek();
      if (character === " " || character === "\t") this.position += 1;
      else if (character === "\\" && this.peek(1) === "\n") this.position += 2;
      else return;
    }
  }

  stopUnbalanced(start: number, message: string): never {
    this.stop("unbalanced-command", start, this.limit, message, false);
  }

  stopAmbiguous(start: number, message: string, fix: string, end: number = this.position): never {
    this.stop("ambiguous-command", start, Math.max(end, start + 1), message, true, fix);
  }

  private stop(code: string, start: number, end: number, message: string, ambiguous: boolean, fix?: string): never {
    const problem: CommandProblem = {
      code,
      level: "error",
      message,
      ...(fix === undefined ? {} : { fix }),
      start,
      end,
    };
    throw new ScanStop(problem, ambiguous);
  }
}

function since<T>(list: readonly T[], first: number): readonly T[] {
  return list.length === first ? [] : list.slice(first);
}
