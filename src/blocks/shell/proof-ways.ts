import { markedText, type Piece } from "./shell-syntax.ts";

/** How far what is known of a value holds of what it becomes on its way through a script. */

/** The author's own text before and behind a value that becomes a part of a word. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

export const identifier: RegExp = /^[A-Za-z_]\w*$/;

export const alone: Around = { before: "", after: "" };

/** The texts around a piece, where all else in the word is text. */
export function aroundOf(parts: readonly Piece[], index: number): Around | null {
  const others = parts.filter((_, at) => at !== index);
  if (others.some(({ kind }) => kind !== "text")) return null;
  const textOf = (pieces: readonly Piece[]): string => markedText(pieces);
  return { before: textOf(parts.slice(0, index)), after: textOf(parts.slice(index + 1)) };
}

/** What a command reads, as opposed to what it writes. */
export function isInput(holder: string): boolean {
  return /^<\d*$/.test(holder);
}

/** Variables that get something else than what they are given, or only a part of it. */
const remade: ReadonlySet<string> = new Set([
  ...["PWD", "OLDPWD", "DIRSTACK", "BASH_REMATCH", "BASH_ARGV", "OPTARG", "REPLY", "MAPFILE", "COPROC"],
]);

/** Whether a value stays what it was on its way there: in variables and parameters, and in what a command is given to read. */
export function keepsProofs(holder: string): boolean {
  if (isInput(holder)) return true;
  return (identifier.test(holder) && !remade.has(holder)) || /^[#!]|:(?:\d+|@|any)$/.test(holder);
}
