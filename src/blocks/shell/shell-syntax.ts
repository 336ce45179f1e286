import type { Span } from "../../expression/ast.ts";
import type { SlotContext } from "./compiled-command.ts";

/**
 * What a scan finds: simple commands as words, enough to tell which program gets which argument. Pieces that are not known from
 * the text stand in a word's text as one of the marks below; an author's text with a NUL never gets this far.
 */
export const valueMark = "\u0000";
/** Output of commands that are given a value: `$(echo ${inputs.v})`. */
export const fedMark = "\u0001";
/** `$HOME`, `$(date)`: the shell's own. */
export const expansionMark = "\u0002";

export interface Word extends Span {
  /** Without its quotes. */
  readonly text: string;
  readonly quoted: boolean;
  /** Every value in it, at any depth. */
  readonly slots: readonly PlacedSlot[];
  /** The variables whose contents it gives, at any depth. */
  readonly reads: readonly VariableRead[];
  /** The commands in its `>(...)`, which read what the word's command writes. */
  readonly consumers: readonly CommandRange[];
  /** In `name=(a b)`: the elements. */
  readonly elements: readonly Word[] | undefined;
}

export interface PlacedSlot extends Span {
  readonly value: number;
  context: SlotContext;
  /** Whether it only reaches a command that prints a number. */
  counted?: boolean;
  /** Set where a variable stands that holds a value. */
  readonly held?: Held;
}

/** A variable and the reference whose value it holds. */
export interface Held {
  readonly name: string;
  readonly reference: string;
  /** Whether the shell splits it into words where it stands. */
  readonly split: boolean;
}

/** What a function prints is followed like a variable of this name. */
export function outputName(program: string): string {
  return `output of ${program}`;
}

/** A place that gives a variable's contents. A positional parameter's name starts with its function's and a colon. */
export interface VariableRead extends Span {
  readonly name: string;
  /** Where its mark stands in the word's text; -1 where it has none of its own. */
  readonly at: number;
  /** Whether it is an argument of a command whose output stands there. */
  readonly fed: boolean;
  /** Whether the shell splits what it gives into words. */
  readonly split: boolean;
  /** Whether it gives all elements, as `${a[@]}` and `$@`. */
  readonly list: boolean;
}

/** A range of the scan's list of commands. */
export interface CommandRange {
  readonly from: number;
  readonly to: number;
}

export interface Redirect {
  readonly operator: string;
  readonly target: Word;
  /** The values in a here-document's body, which is scanned after the command. */
  readonly body: PlacedSlot[];
  readonly bodyReads: VariableRead[];
}

export interface Command {
  readonly kind: "simple" | "conditional" | "for" | "group";
  readonly start: number;
  readonly end: number;
  readonly assignments: readonly Word[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** For a group: the commands in it, as a range of the scan's list. */
  readonly members: CommandRange;
  /** The function whose body it is. */
  readonly defines: string | undefined;
  /** The function it stands in; empty outside of any. */
  readonly scope: string;
  /** The command before it in its pipeline. */
  readonly pipedFrom: Command | undefined;
  /** Whether its exit code is looked at by what follows (`&&`, `||`) or it follows such an operator. */
  readonly joined: boolean;
  readonly topLevel: boolean;
}

export function hasValue(word: Word): boolean {
  return word.slots.length > 0;
}

/** Whether nothing in the word is computed. */
export function isLiteral(word: Word): boolean {
  return ![valueMark, fedMark, expansionMark].some((mark) => word.text.includes(mark));
}

/** Whether a value decides how the word begins, and so whether a program takes it for an option. */
export function startsWithValue(word: Word): boolean {
  return word.text.startsWith(valueMark) || word.text.startsWith(fedMark);
}

export interface Assignment {
  readonly name: string;
  readonly value: string;
}

const assignmentShape = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/;

/** The parts of `NAME=text`, where the name is known from the text. */
export function readAssignment(word: Word): Assignment | undefined {
  const match = assignmentShape.exec(word.text);
  return match?.[1] === undefined ? undefined : { name: match[1], value: word.text.slice(match[0].length) };
}
