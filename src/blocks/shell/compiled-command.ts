import type { WrittenFile } from "../../block/define-block.ts";
import type { Expression, Span } from "../../expression/ast.ts";
import type { CommandProblem } from "./command-problem.ts";
import type { SuspectVariable } from "./explain-foreign-syntax.ts";

/** A command whose values are slots: nothing in `segments` depends on what the values are. */
export interface CompiledCommand {
  readonly segments: readonly (string | Slot)[];
  readonly values: readonly CommandValue[];
  /** Warnings and hints. */
  readonly notes: readonly CommandProblem[];
  /** The references whose values decide which program runs. */
  readonly chosen: readonly string[];
  /** The files that it writes values to. */
  readonly written: readonly WrittenFile[];
  /** Why no shell can read it; without a shell that does not matter. */
  readonly syntax: CommandProblem | undefined;
  /** The first construct in it that evaluates contents, as the author wrote it. */
  readonly construct: string | undefined;
  /** Variables that it does not set and that in a loop look like its element. */
  readonly loopVariables: readonly SuspectVariable[];
}

export interface CommandValue {
  readonly expression: Expression;
  readonly use: ValueUse;
  /** The first place where it stands. */
  readonly span: Span;
}

/** `integer` values are read by the shell's arithmetic, `raw` ones are pasted. */
export type ValueUse = "text" | "integer" | "raw";

/** A place in the script where a value stands; the span is that of the reference in the author's text. */
export interface Slot extends Span {
  readonly value: number;
  readonly context: SlotContext;
}

/** `words` is a bare slot that is a whole word, where a list becomes one word per element. */
export type SlotContext =
  | "words"
  | "bare"
  | "double-quoted"
  | "single-quoted"
  | "ansi-quoted"
  | "here-document"
  | "escaped-here-document"
  | "literal-here-document"
  | "arithmetic";
