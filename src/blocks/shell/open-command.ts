import { refuse } from "./command-problem.ts";
import { evaluatedSubscript, insideSubscript } from "./refusals.ts";
import type { Scan } from "./scan.ts";
import { type Command, expansionMark, type Redirect, type Word } from "./shell-syntax.ts";

/** A command while its words are being read; it has begun when it has a start. */
export interface OpenCommand {
  kind: Command["kind"];
  start: number | undefined;
  members: Command["members"];
  defines: string | undefined;
  assignments: Word[];
  words: Word[];
  redirects: Redirect[];
  pipedFrom: Command | undefined;
  joined: boolean;
}

/** A compound command that is still open. */
export interface Frame {
  readonly kind: "(" | "{" | "if" | "loop" | "case";
  readonly start: number;
  readonly firstMember: number;
  readonly pipedFrom: Command | undefined;
  readonly joined: boolean;
  /** In a `case`: whether a pattern comes next. */
  inPattern: boolean;
  /** For a function's body: its name, and the function around it. */
  readonly defines: string | undefined;
  readonly outerScope: string;
}

/** Words that end a compound command, with what they end. */
export const closers: ReadonlyMap<string, Frame["kind"]> = new Map([
  ["}", "{"],
  ["fi", "if"],
  ["done", "loop"],
  ["esac", "case"],
]);
export const keywords: ReadonlySet<string> = new Set([
  ...closers.keys(),
  ...["{", "if", "while", "until", "for", "select", "case", "[[", "function", "coproc", "time"],
  ...["then", "else", "elif", "do", "!"],
]);

const declarations: ReadonlySet<string> = new Set(["declare", "typeset", "local", "export", "readonly"]);

export function emptyCommand(pipedFrom: Command | undefined, joined: boolean): OpenCommand {
  const members = { from: 0, to: 0 };
  const lists = { assignments: [], words: [], redirects: [] };
  return { kind: "simple", start: undefined, members, defines: undefined, ...lists, pipedFrom, joined };
}

/** Whether `name=(...)` may stand among the arguments. */
export function takesAssignments(words: readonly Word[]): boolean {
  return words.slice(0, 4).some((word) => declarations.has(word.text));
}

/** `2` in `2>file`, `{fd}` in `{fd}>file`. */
export function isDescriptor(word: Word): boolean {
  return !word.quoted && /^(?:\d+|\{\w+\})$/.test(word.text);
}

/** `{a[n]}>file` puts the descriptor's number into an array's element. */
export function refuseDescriptor({ text, problems, evaluations }: Scan, { slots, reads }: Word): void {
  for (const slot of slots) problems.push(refuse(insideSubscript, text, slot));
  for (const read of reads) evaluations.push({ read, refusal: evaluatedSubscript, array: undefined });
}

/** What `for name; do` goes through. */
export function parametersWord(scan: Scan): Word {
  const word = scan.closeWord(scan.openWord());
  const read = { name: `${scan.scope}:@`, start: scan.position, end: scan.position, at: 0, fed: false };
  return { ...word, text: expansionMark, reads: [{ ...read, split: false, list: true }] };
}
