import type { Command, Redirect, Word } from "./shell-syntax.ts";

/** A command while its words are being read; it has begun when it has a start. */
export interface OpenCommand {
  kind: Command["kind"];
  start: number | undefined;
  members: Command["members"];
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
}

const declarations: ReadonlySet<string> = new Set(["declare", "typeset", "local", "export", "readonly"]);

export function emptyCommand(pipedFrom: Command | undefined, joined: boolean): OpenCommand {
  const members = { from: 0, to: 0 };
  return { kind: "simple", start: undefined, members, assignments: [], words: [], redirects: [], pipedFrom, joined };
}

/** Whether `name=(...)` may stand among the arguments. */
export function takesAssignments(words: readonly Word[]): boolean {
  return words.slice(0, 4).some((word) => declarations.has(word.text));
}

/** `2` in `2>file`, `{fd}` in `{fd}>file`. */
export function isDescriptor(word: Word): boolean {
  return !word.quoted && /^(?:\d+|\{\w+\})$/.test(word.text);
}
