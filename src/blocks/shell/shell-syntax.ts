import type { Span } from "../../expression/ast.ts";
import type { Proof } from "../../expression/proof.ts";
import type { SlotContext } from "./compiled-command.ts";

/**
 * A script as the checks see it: commands with their words, each word a list of pieces. It is made from the syntax tree by
 * lower-script.ts; what holds a value is found by trace-values.ts.
 */
export interface Command extends Span {
  /** Its index in the script's list of commands. */
  readonly id: number;
  readonly kind: "simple" | "loop" | "test" | "group";
  readonly assignments: readonly ParsedWord[];
  /** Of a loop: what its variable goes through. */
  readonly words: readonly ParsedWord[];
  readonly redirects: readonly ParsedRedirect[];
  readonly tests: readonly Test[];
  /** The group it stands in; the output and the input of a group are those of its members. */
  readonly parent: number | undefined;
  readonly pipedFrom: number | undefined;
  /** The function, or the text of a program, that it stands in; empty outside of any. */
  readonly scope: string;
  /** The function whose body it is. */
  readonly defines: string | undefined;
  readonly branch: Branch;
}

/** A part of the script that may not run, or runs in a process of its own: what happens there holds only inside of it. */
export interface Branch {
  readonly outer: Branch | undefined;
}

export interface ParsedWord extends Span {
  readonly pieces: readonly Piece[];
  readonly quoted: boolean;
  /** Whether the shell replaces it by the names of files. */
  readonly glob: boolean;
  readonly assigns: WordAssignment | undefined;
  /** In `name=(a b)`: the elements. */
  readonly elements: readonly ParsedWord[] | undefined;
  /** The groups of its `>(...)`, which read what the word's command writes. */
  readonly consumers: readonly number[];
}

export interface WordAssignment {
  readonly name: string;
  readonly append: boolean;
  readonly value: readonly Piece[];
}

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly slot: PlacedSlot }
  | ReadPiece
  /** What the commands of a substitution print. */
  | ({ readonly kind: "output"; readonly group: number; readonly split: boolean } & Span)
  /** A number, or what no value can reach. */
  | { readonly kind: "unknown" };

/** The contents of a variable, of positional parameters, or of what a name in them leads to. */
export interface ReadPiece extends Span {
  readonly kind: "read";
  readonly holder: string;
  /** How the author wrote it, where the range does not show it. */
  readonly shown: string | undefined;
  readonly split: boolean;
  /** Whether it gives all elements, as `${a[@]}` and `$@`. */
  readonly list: boolean;
  /** What it leaves out, where that is written out. */
  readonly removes?: Removal;
  /** Whether it gives a part of what is held, or makes something else of it. */
  readonly altered?: true;
}

/** `%.txt` of `${name%.txt}`. */
export interface Removal {
  readonly operator: string;
  readonly pattern: string;
}

export interface ParsedRedirect extends Span {
  readonly operator: string;
  readonly target: ParsedWord;
  /** The body of a here-document. */
  readonly body: readonly Piece[] | undefined;
}

/** A primary of `[[ ]]`. */
export interface Test {
  readonly operator: string;
  readonly left: ParsedWord | undefined;
  readonly right: ParsedWord;
}

export interface PlacedSlot extends Span {
  readonly value: number;
  context: SlotContext;
  /** Set where something stands that holds a value. */
  readonly held?: Held;
  /** Set for a part of a value in which bash finds nothing to run when it calculates with it. */
  readonly narrow?: boolean;
  /** What holds of what is held, or of a value from beside the command. */
  readonly proof?: Proof;
}

/** A variable or an output, and the reference whose value it holds. */
export interface Held {
  readonly name: string;
  /** How it is written, where the range does not show it. */
  readonly shown?: string;
  readonly reference: string;
  /** Whether the shell splits it into words. */
  readonly split: boolean;
  /** The index of the value; absent when it comes from beside the command. */
  readonly value?: number;
}

/**
 * A word once it is known what holds a value. Pieces that are not known from the text stand in its text as one of the marks below,
 * which no text of the author's holds.
 */
export interface Word extends Span {
  readonly text: string;
  readonly quoted: boolean;
  readonly slots: readonly PlacedSlot[];
  readonly elements: readonly Word[] | undefined;
  /** The variable whose elements are the words that stand here. */
  readonly list: string | undefined;
  /** Whether it can only be one of the texts that the author has written. */
  readonly known: boolean;
  readonly parsed: ParsedWord;
}

export const valueMark = "\u0000";
/** Output of commands that holds a value: `$(echo ${inputs.v})`. */
export const fedMark = "\u0001";
/** `$HOME`, `$(date)`: the shell's own. */
export const expansionMark = "\u0002";

/** Text of the author's without the characters that are marks. */
export function withoutMarks(text: string): string {
  return text.replaceAll(marks, "?");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the marks.
const marks = /[\u0000-\u0002]/g;

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

/** What stands before the first piece that is computed. */
export function headOf({ text }: Word): string {
  const at = text.search(marks);
  return at === -1 ? text : text.slice(0, at);
}

/** `-$x`, `--$x`: which option it is is computed. */
export function isComputedOption(word: Word): boolean {
  return !isLiteral(word) && /^--?$/.test(headOf(word));
}

export interface Assignment {
  readonly name: string;
  readonly value: string;
}

const assignmentShape = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/;

/** The parts of `NAME=text`, where the name is known from the text. */
export function readAssignment(word: { readonly text: string }): Assignment | undefined {
  const match = assignmentShape.exec(word.text);
  return match?.[1] === undefined ? undefined : { name: match[1], value: word.text.slice(match[0].length) };
}

/** The text of a word that holds nothing but text. */
export function literalText(word: Pick<ParsedWord, "pieces"> | undefined): string | undefined {
  if (word === undefined) return undefined;
  let text = "";
  for (const piece of word.pieces) {
    if (piece.kind !== "text") return undefined;
    text += piece.text;
  }
  return text;
}

/** The text of a word, with a mark for each piece that is computed. */
export function markedText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === "text" ? piece.text : expansionMark)).join("");
}

/** A word before it is known which variables hold a value. */
export function plainWord(parsed: ParsedWord): Word {
  const slots = parsed.pieces.flatMap((piece) => (piece.kind === "value" ? [piece.slot] : []));
  const text =
    literalText(parsed) ??
    parsed.pieces
      .map((piece) => {
        if (piece.kind === "text") return piece.text;
        return piece.kind === "value" ? valueMark : expansionMark;
      })
      .join("");
  const { start, end, quoted } = parsed;
  return { start, end, text, quoted, slots, elements: undefined, list: undefined, known: false, parsed };
}

/** How the scope of a text begins that another shell runs. */
export const textScope: string = "text ";

export function isTextScope(scope: string): boolean {
  return scope.startsWith(textScope);
}
