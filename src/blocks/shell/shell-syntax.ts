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
}

export interface PlacedSlot extends Span {
  readonly value: number;
  context: SlotContext;
}

export interface Redirect {
  readonly operator: string;
  readonly target: Word;
  /** The values in a here-document's body, which is scanned after the command. */
  readonly body: PlacedSlot[];
}

export interface Command {
  readonly kind: "simple" | "conditional" | "for" | "group";
  readonly start: number;
  readonly end: number;
  readonly assignments: readonly Word[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** For a group: the commands in it, as a range of the scan's list. */
  readonly members: { readonly from: number; readonly to: number };
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
