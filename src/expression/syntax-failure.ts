import type { SyntaxProblem } from "./ast.ts";

/** Thrown inside the tokenizer and the parser only; their public functions catch it and return the problem. */
export class SyntaxFailure extends Error {
  readonly problem: SyntaxProblem;

  constructor(problem: SyntaxProblem) {
    super(problem.message);
    this.problem = problem;
  }
}
