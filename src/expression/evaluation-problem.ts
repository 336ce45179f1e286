import type { Span } from "./ast.ts";

export type EvaluationCode =
  | "missing-value"
  | "wrong-type"
  | "invalid-argument"
  | "invalid-pattern"
  | "division-by-zero"
  | "not-finite"
  | "limit";

/** Why an expression has no value; the span says which part of it. */
export interface EvaluationProblem extends Span {
  readonly code: EvaluationCode;
  readonly message: string;
}

/**
 * Thrown inside an evaluation only; the public functions catch it and return the problem. The message is made when the problem
 * is: default() swallows failures, and looking for the nearest of a million keys each time would be wasted.
 */
export class EvaluationFailure extends Error {
  readonly code: EvaluationCode;
  readonly #at: Span;
  readonly #describe: () => string;

  constructor(at: Span, code: EvaluationCode, describe: () => string) {
    super();
    this.code = code;
    this.#at = at;
    this.#describe = describe;
  }

  get problem(): EvaluationProblem {
    return { code: this.code, message: this.#describe(), start: this.#at.start, end: this.#at.end };
  }
}

export function fail(at: Span, code: EvaluationCode, message: string): never {
  throw new EvaluationFailure(at, code, () => message);
}
