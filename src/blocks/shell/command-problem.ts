import type { Span } from "../../expression/ast.ts";
import type { Held } from "./shell-syntax.ts";

/** A problem in a command's text; the offsets are into that text. */
export interface CommandProblem extends Span {
  readonly code: string;
  readonly level: "error" | "warning" | "hint";
  readonly message: string;
  readonly why?: string;
  readonly fix?: string;
  /** The index of the value that stands there. */
  readonly value?: number | undefined;
}

/** Why one of our values may not stand in some place. `fix` is given the reference as the author wrote it. */
export interface Refusal {
  readonly code: string;
  readonly level?: "error" | "warning" | "hint";
  /** Continues "`${inputs.v}` stands ...". */
  readonly where: string;
  readonly why: string;
  readonly fix: (reference: string) => string;
  /** Of which values it does not hold; see accepted-values.ts. Without it, of none. */
  readonly takes?: Taken;
  /** Whether the fix for a variable starts where the variable gets its value. */
  readonly fixesReference?: boolean;
}

/**
 * The kinds of places for values of which something is known. `number`: bash calculates. `plain`: any that is known.
 * `argument`: one that can't become an option. `setting`: as an argument of env, where `NAME=text` means something. `file`: in the
 * name of a file. `fixed`: numbers, and texts that the author has written out. `format`: without a percent sign. `shell`: the text of
 * a shell. `program`: the text of another language, which is named.
 */
export type Taken =
  | "number"
  | "plain"
  | "argument"
  | "setting"
  | "file"
  | "fixed"
  | "format"
  | "shell"
  | { readonly program: string };

/** `held` is given where a variable stands for the value it holds. */
export function refuse(refusal: Refusal, text: string, span: Span & { readonly held?: Held }): CommandProblem {
  const { held } = span;
  // A value from beside the command has no range in it.
  const isOutside = held !== undefined && span.start === span.end;
  const reference = isOutside ? held.reference : (held?.shown ?? text.slice(span.start, span.end));
  return {
    code: refusal.code,
    level: refusal.level ?? "error",
    message: `${reference} stands ${refusal.where}.`,
    why: held === undefined || isOutside ? refusal.why : `${held.name} holds ${held.reference}. ${refusal.why}`,
    fix: refusal.fix(held !== undefined && refusal.fixesReference ? held.reference : reference),
    start: span.start,
    end: span.end,
  };
}
