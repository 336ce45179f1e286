import { err, ok, type Result } from "../util/result.ts";
import type { Expression, SyntaxFault, SyntaxProblem } from "./ast.ts";
import { Parser } from "./parser.ts";
import { SyntaxFailure } from "./syntax-failure.ts";
import { tokenize } from "./tokens.ts";
import type { Vars } from "./vars.ts";
import { findTooDeep } from "./walk.ts";

/** Every parsed expression is lower than this, so that whoever walks one may recurse. */
const highestTree = 500;

/** More than anybody mends at once. */
const mostProblems = 20;

/** Parses a text that as a whole is one expression, as a condition is. Spans are offsets into the text. */
export function parseExpression(source: string, vars?: Vars): Result<Expression, SyntaxFault> {
  const tokens = tokenize(source);
  if (!tokens.ok) return tokens;
  return parseWith(
    (problems) => new Parser(tokens.value, problems, vars).whole(),
    (expression) => expression,
  );
}

/** Runs a parse, turns what is wrong into a value, and refuses a tree that is too high. */
export function parseWith<T>(
  parse: (problems: SyntaxProblem[]) => T,
  expressionOf: (parsed: T) => Expression,
): Result<T, SyntaxFault> {
  const problems: SyntaxProblem[] = [];
  try {
    const parsed = parse(problems);
    const expression = expressionOf(parsed);
    const tooHigh = findTooDeep(expression, highestTree);
    if (tooHigh !== undefined) return err(tooManyOperators(tooHigh));
    const [first, ...others] = problems.slice(0, mostProblems);
    return first === undefined ? ok(parsed) : err({ ...first, others, recovered: expression });
  } catch (failure) {
    if (!(failure instanceof SyntaxFailure)) throw failure;
    // After another problem, what can't be read any further is most likely an echo of it.
    const [first = failure.problem, ...others] = problems.slice(0, mostProblems);
    return err({ ...first, others });
  }
}

function tooManyOperators(at: Expression): SyntaxProblem {
  return {
    code: "expression-too-deep",
    message: `This expression chains more than ${highestTree} operators.`,
    fix: "Use a list: x in [a, b], sum([a, b]), join([a, b]).",
    start: at.start,
    end: at.end,
  };
}
