import type { Argument, Comparison, Expression, FilterUse, Operator } from "./ast.ts";
import { unknownFilter, unknownTest } from "./filters.ts";
import { readText } from "./read-text.ts";
import type { TokenReader } from "./token-reader.ts";

/** Words that end an expression, or can't stand for a value. */
const keywords: ReadonlySet<string> = new Set("and or not if elif else in is recursive".split(" "));

export function parseExpression(tokens: TokenReader): Expression {
  return tokens.nested(() => parseChoice(tokens));
}

/** `a, b` without brackets is a tuple. */
export function parseTuple(
  tokens: TokenReader,
  parse: (tokens: TokenReader) => Expression = parseExpression,
): Expression {
  const { line } = tokens;
  const first = parse(tokens);
  if (!tokens.sees(",")) return first;
  const items = [first];
  while (tokens.skip(",")) {
    if (tokens.isAtEnd || tokens.sees(")", "=", "if", "in", "recursive")) break;
    items.push(parse(tokens));
  }
  return { kind: "tuple", line, items };
}

function parseChoice(tokens: TokenReader): Expression {
  let value = parseOr(tokens);
  while (tokens.sees("if")) {
    const { line } = tokens;
    tokens.next();
    const test = parseOr(tokens);
    const no = tokens.skip("else") ? parseExpression(tokens) : undefined;
    value = { kind: "choice", line, test, yes: value, ...(no === undefined ? {} : { no }) };
  }
  return value;
}

/** Without `... if ... else ...`: what a loop goes through is followed by an `if` of its own. */
export function parseOr(tokens: TokenReader): Expression {
  let left = parseAnd(tokens);
  while (tokens.sees("or")) {
    const { line } = tokens;
    tokens.next();
    left = { kind: "or", line, left, right: parseAnd(tokens) };
  }
  return left;
}

function parseAnd(tokens: TokenReader): Expression {
  let left = parseNot(tokens);
  while (tokens.sees("and")) {
    const { line } = tokens;
    tokens.next();
    left = { kind: "and", line, left, right: parseNot(tokens) };
  }
  return left;
}

function parseNot(tokens: TokenReader): Expression {
  const { line } = tokens;
  if (!tokens.sees("not") || tokens.peek(1)?.text === "in") return parseComparison(tokens);
  tokens.next();
  return { kind: "not", line, of: tokens.nested(() => parseNot(tokens)) };
}

const comparisons: readonly string[] = ["==", "!=", "<", "<=", ">", ">=", "in"];

function parseComparison(tokens: TokenReader): Expression {
  const { line } = tokens;
  const first = parseSum(tokens);
  const rest: [Comparison, Expression][] = [];
  for (;;) {
    if (tokens.sees("not") && tokens.peek(1)?.text === "in") {
      tokens.next();
      tokens.next();
      rest.push(["not in", parseSum(tokens)]);
    } else if (tokens.sees(...comparisons)) rest.push([tokens.next().text as Comparison, parseSum(tokens)]);
    else return rest.length === 0 ? first : { kind: "comparison", line, first, rest };
  }
}

type Parse = (tokens: TokenReader) => Expression;

function leftToRight(operand: Parse, ...operators: readonly Operator[]): Parse {
  return (tokens) => {
    let left = operand(tokens);
    while (tokens.sees(...operators)) {
      const { line } = tokens;
      const operator = tokens.next().text as Operator;
      left = { kind: "operation", line, operator, left, right: operand(tokens) };
    }
    return left;
  };
}

const parsePower = leftToRight((tokens) => parseUnary(tokens, true), "**");
const parseProduct = leftToRight(parsePower, "*", "/", "//", "%");
const parseJoined = leftToRight(parseProduct, "~");
const parseSum = leftToRight(parseJoined, "+", "-");

function parseUnary(tokens: TokenReader, withFilters: boolean): Expression {
  const { line } = tokens;
  let value: Expression;
  if (tokens.sees("-", "+")) {
    const kind = tokens.next().text === "-" ? "negative" : "positive";
    value = { kind, line, of: tokens.nested(() => parseUnary(tokens, false)) };
  } else value = parsePrimary(tokens);
  value = parsePostfix(tokens, value);
  return withFilters ? parseFilters(tokens, value) : value;
}

const constants: ReadonlyMap<string, null | boolean> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
]);

function parsePrimary(tokens: TokenReader): Expression {
  const { line } = tokens;
  const token = tokens.next();
  switch (token.kind) {
    case "name": {
      if (keywords.has(token.text)) tokens.fail(`'${token.text}' can't be a value`);
      const constant = constants.get(token.text);
      return constant === undefined
        ? { kind: "name", line, name: token.text }
        : { kind: "literal", line, value: constant };
    }
    case "number":
      return readNumber(token.text, line, tokens);
    case "string": {
      let value = readText(token.text) ?? tokens.fail("a text in quotes does not end");
      while (tokens.peek()?.kind === "string") value += readText(tokens.next().text) ?? "";
      return { kind: "literal", line, value };
    }
    case "operator":
      return parseBrackets(token.text, line, tokens);
  }
}

function readNumber(text: string, line: number, tokens: TokenReader): Expression {
  const digits = text.replaceAll("_", "");
  const value = Number(digits);
  if (Number.isNaN(value)) return tokens.fail(`'${text}' is not a number`);
  const isFloat = /^\d/.test(digits) && /[.e]/i.test(digits) && !/^0x/i.test(digits);
  if (!isFloat && !Number.isSafeInteger(value)) return tokens.fail(`${text} is too large to be kept exactly`);
  return isFloat ? { kind: "float", line, value } : { kind: "literal", line, value };
}

function parseBrackets(bracket: string, line: number, tokens: TokenReader): Expression {
  switch (bracket) {
    case "(": {
      if (tokens.skip(")")) return { kind: "tuple", line, items: [] };
      const value = parseTuple(tokens);
      tokens.expect(")");
      return value;
    }
    case "[": {
      const items: Expression[] = [];
      for (; !tokens.skip("]"); separate(tokens, "]")) items.push(parseExpression(tokens));
      return { kind: "list", line, items };
    }
    case "{": {
      const entries: [Expression, Expression][] = [];
      for (; !tokens.skip("}"); separate(tokens, "}")) {
        const key = parseExpression(tokens);
        tokens.expect(":");
        entries.push([key, parseExpression(tokens)]);
      }
      return { kind: "map", line, entries };
    }
    default:
      return tokens.fail(`'${bracket}' is not expected here`);
  }
}

function separate(tokens: TokenReader, closing: string): void {
  if (!tokens.sees(closing)) tokens.expect(",");
}

function parsePostfix(tokens: TokenReader, value: Expression): Expression {
  let result = value;
  for (;;) {
    const { line } = tokens;
    if (tokens.skip(".")) {
      const token = tokens.next();
      if (token.kind === "name") result = { kind: "attribute", line, of: result, name: token.text };
      else if (/^\d+$/.test(token.text)) {
        result = { kind: "index", line, of: result, key: { kind: "literal", line, value: Number(token.text) } };
      } else tokens.fail("a name is expected after '.'");
    } else if (tokens.skip("[")) result = parseSubscript(tokens, result, line);
    else if (tokens.sees("(")) result = { kind: "call", line, of: result, args: parseArguments(tokens) };
    else return result;
  }
}

function parseSubscript(tokens: TokenReader, of: Expression, line: number): Expression {
  const parts: (Expression | undefined)[] = [undefined];
  while (!tokens.skip("]")) {
    if (tokens.skip(":")) parts.push(undefined);
    else parts[parts.length - 1] = parseTuple(tokens);
  }
  const [key] = parts;
  if (parts.length > 3) tokens.fail("a slice has three parts at most");
  if (parts.length > 1) return { kind: "slice", line, of, parts };
  return key === undefined ? tokens.fail("there is nothing between '[' and ']'") : { kind: "index", line, of, key };
}

/** Filters and tests, which bind more tightly than any operator. */
function parseFilters(tokens: TokenReader, value: Expression): Expression {
  let result = value;
  for (;;) {
    if (tokens.skip("|")) result = { kind: "filter", of: result, ...parseFilterUse(tokens) };
    else if (tokens.skip("is")) result = parseTest(tokens, result);
    else if (tokens.sees("(")) {
      const { line } = tokens;
      result = { kind: "call", line, of: result, args: parseArguments(tokens) };
    } else return result;
  }
}

export function parseFilterUse(tokens: TokenReader): FilterUse {
  const { line } = tokens;
  let name = tokens.expectName();
  while (tokens.skip(".")) name += `.${tokens.expectName()}`;
  tokens.refuseIf(unknownFilter(name), line);
  return { line, name, args: tokens.sees("(") ? parseArguments(tokens) : [] };
}

function parseTest(tokens: TokenReader, of: Expression): Expression {
  const { line } = tokens;
  const negated = tokens.skip("not");
  const name = tokens.peek()?.kind === "name" ? tokens.next().text : tokens.fail("the name of a test is expected");
  tokens.refuseIf(unknownTest(name), line);
  return { kind: "test", line, of, negated, name, args: parseTestArguments(tokens) };
}

/** `is divisibleby 3` and `is divisibleby(3)` are the same. */
function parseTestArguments(tokens: TokenReader): readonly Argument[] {
  if (tokens.sees("(")) return parseArguments(tokens);
  const token = tokens.peek();
  const begins = token?.kind === "operator" ? tokens.sees("[", "{") : token !== undefined && !keywords.has(token.text);
  return begins ? [{ value: parsePostfix(tokens, parsePrimary(tokens)) }] : [];
}

function parseArguments(tokens: TokenReader): readonly Argument[] {
  const args: Argument[] = [];
  tokens.expect("(");
  for (; !tokens.skip(")"); separate(tokens, ")")) {
    if (tokens.skip("*")) args.push({ spread: "list", value: parseExpression(tokens) });
    else if (tokens.skip("**")) args.push({ spread: "map", value: parseExpression(tokens) });
    else if (tokens.peek()?.kind === "name" && tokens.peek(1)?.text === "=") {
      const name = tokens.next().text;
      tokens.next();
      args.push({ name, value: parseExpression(tokens) });
    } else args.push({ value: parseExpression(tokens) });
  }
  return args;
}
