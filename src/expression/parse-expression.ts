import { err, ok, type Result } from "../util/result.ts";
import type { Expression, SyntaxProblem } from "./ast.ts";
import { Parser } from "./parser.ts";
import { SyntaxFailure } from "./syntax-failure.ts";
import { tokenize } from "./tokens.ts";
import type { Vars } from "./vars.ts";
import { findTooDeep } from "./walk.ts";

/** Every parsed expression is lower than this, so that whoever walks one may recurse. */
const highestTree = 500;

/** Parses a text that as a whole is one expression, as a condition is. Spans are offsets into the text. */
export function parseExpression(source: string, vars?: Vars): Result<Expression, SyntaxProblem> {
  const tokens = tokenize(source);
  if (!tokens.ok) return tokens;
  return parseWith(
    () => new Parser(tokens.value, vars).whole(),
    (expression) => expression,
  );
}

/** Runs a parse, turns its failure into a value, and refuses a tree that is too high. */
export function parseWith<T>(parse: () => T, expressionOf: (parsed: T) => Expression): Result<T, SyntaxProblem> {
  try {
    const parsed = parse();
    const tooHigh = findTooDeep(expressionOf(parsed), highestTree);
    return tooHigh === undefined ? ok(parsed) : err(tooManyOperators(tooHigh));
  } catch (failure) {
    if (failure instanceof SyntaxFailure) return err(failure.problem);
    throw failure;
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
