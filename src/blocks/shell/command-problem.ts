import type { Span } from "../../expression/ast.ts";
import type { Held } from "./shell-syntax.ts";

/** A problem in a command's text; the offsets are into that text. */
export interface CommandProblem extends Span {
  readonly code: string;
  readonly level: "error" | "warning" | "hint";
  readonly message: string;
  readonly why?: string;
  readonly fix?: string;
}

/** Why one of our values may not stand in some place. `fix` is given the reference as the author wrote it. */
export interface Refusal {
  readonly code: string;
  readonly level?: "error" | "warning";
  /** Continues "`${inputs.v}` stands ...". */
  readonly where: string;
  readonly why: string;
  readonly fix: (reference: string) => string;
  /** Whether the fix for a variable starts where the variable gets its value. */
  readonly fixesReference?: boolean;
}

/** `held` is given where a variable stands for the value it holds. */
export function refuse(refusal: Refusal, text: string, span: Span & { readonly held?: Held }): CommandProblem {
  const reference = text.slice(span.start, span.end);
  const { held } = span;
  return {
    code: refusal.code,
    level: refusal.level ?? "error",
    message: `${reference} stands ${refusal.where}.`,
    why: held === undefined ? refusal.why : `${held.name} holds ${held.reference}. ${refusal.why}`,
    fix: refusal.fix(held !== undefined && refusal.fixesReference ? held.reference : reference),
    start: span.start,
    end: span.end,
  };
}

/**
 * Ends a scan from any depth. `unbalanced` text is refused always; `ambiguous` text, which shells read in different ways, only
 * when a value stands in it.
 */
export class ScanStop extends Error {
  readonly problem: CommandProblem;
  readonly ambiguous: boolean;

  constructor(problem: CommandProblem, ambiguous: boolean) {
    super(problem.message);
    this.problem = problem;
    this.ambiguous = ambiguous;
  }
}
