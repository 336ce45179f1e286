import { err, ok, type Result } from "../util/result.ts";
import {
  type EmbeddedExpression,
  type SyntaxFault,
  type SyntaxProblem,
  type Template,
  type TemplatePart,
  writtenRoots,
} from "./ast.ts";
import { parseWith } from "./parse-expression.ts";
import { Parser } from "./parser.ts";
import { type EmbeddedTokens, tokenizeEmbedded } from "./tokens.ts";
import type { Vars } from "./vars.ts";

const mostProblems = 50;

/** What is wrong with the expressions of a text. */
export interface TemplateFault {
  readonly problems: readonly SyntaxProblem[];
  /** What could be read of it. It can be checked further, never evaluated. */
  readonly recovered: Template;
}

/** Splits a value into text and expressions. Every `${` is ours here; all problems are reported at once. */
export function parseTemplate(source: string, vars?: Vars): Result<Template, TemplateFault> {
  const parts: TemplatePart[] = [];
  const problems: SyntaxProblem[] = [];
  let text = "";
  let offset = 0;
  while (problems.length < mostProblems) {
    const dollar = source.indexOf("${", offset);
    if (dollar === -1) break;
    if (dollar > offset && source[dollar - 1] === "$") {
      text += `${source.slice(offset, dollar - 1)}\${`;
      offset = dollar + 2;
      continue;
    }
    text += source.slice(offset, dollar);
    const part = readPart(source, dollar, vars);
    const { result } = part;
    if (!result.ok) problems.push(...problemsOf(result.error).map(withLiteralHint));
    const expression = result.ok ? result.value.expression : result.error.recovered;
    if (expression !== undefined) {
      if (text !== "") parts.push(text);
      text = "";
      parts.push(...partsOf(result.ok ? result.value : { expression, start: dollar, end: part.end }));
    }
    offset = part.end;
  }
  if (problems.length > 0) return err({ problems, recovered: { parts } });
  text += source.slice(offset);
  if (text !== "") parts.push(text);
  return ok({ parts });
}

interface Part {
  readonly result: Result<EmbeddedExpression, SyntaxFault>;
  /** Where to read on, also after a problem. */
  readonly end: number;
}

/** A var that is a text with values in it becomes a part of the text around it, so that each value still stands by itself. */
function partsOf(part: EmbeddedExpression): readonly TemplatePart[] {
  const { kind, origin } = part.expression;
  if (kind !== "text" || origin === undefined || part.expression.template.parts.length < 2) return [part];
  const { start, end } = part;
  return part.expression.template.parts.map((inner) => (typeof inner === "string" ? inner : { ...inner, start, end }));
}

function readPart(source: string, offset: number, vars: Vars | undefined): Part {
  const embedded = tokenizeEmbedded(source, offset);
  if (embedded.ok) return { result: parseTokens(embedded.value, { vars }), end: embedded.value.end };
  const brace = source.indexOf("}", offset);
  if (brace === -1) return { result: embedded, end: source.length };
  // Up to the next brace is most likely what was meant as one expression, so that is where the problem is looked for.
  const end = brace + 1;
  const nearby = tokenizeEmbedded(source.slice(0, end), offset);
  return { result: nearby.ok ? embedded : nearby, end };
}

/** The problems of one expression, in the order of the text. */
export function problemsOf({ others = [], recovered: _, ...first }: SyntaxFault): readonly SyntaxProblem[] {
  return [first, ...others];
}

/** `${HOME}` in a value is most likely meant for something else that reads the text later. */
function withLiteralHint(problem: SyntaxProblem): SyntaxProblem {
  return problem.code === "unknown-root"
    ? { ...problem, fix: `${problem.fix} To write a literal \${ use $\${.` }
    : problem;
}

export interface EmbeddedOptions {
  /** Filters that may end the expression, as in `${inputs.text | raw}`. */
  readonly filters?: readonly "raw"[];
  readonly vars?: Vars | undefined;
}

/** Parses the `${...}` that starts at `offset`, up to its own `}`. Spans are offsets into the whole source. */
export function parseEmbedded(
  source: string,
  offset: number,
  options: EmbeddedOptions = {},
): Result<EmbeddedExpression, SyntaxFault> {
  if (!source.startsWith("${", offset)) {
    return err({ code: "missing-brace", message: "Expected ${ here.", start: offset, end: offset + 1 });
  }
  const embedded = tokenizeEmbedded(source, offset);
  return embedded.ok ? parseTokens(embedded.value, options) : embedded;
}

function parseTokens(
  { tokens, start, end }: EmbeddedTokens,
  { filters = [], vars }: EmbeddedOptions,
): Result<EmbeddedExpression, SyntaxFault> {
  return parseWith(
    (problems) => ({ ...new Parser(tokens, problems, vars).wholeWithFilter(filters), start, end }),
    (parsed) => parsed.expression,
  );
}

/** `${this[0]}`, `${run[0]}` and `${vars[0]}` are arrays of bash. */
const unindexed: readonly string[] = ["this", "run", "vars"];
const indexable = writtenRoots.filter((root) => !unindexed.includes(root)).join("|");
const reference = new RegExp(String.raw`\$\{[ \t\r\n]*(?:(?:${indexable})[.[]|(?:${unindexed.join("|")})\.)`, "y");

const blockReference = /\$\{[ \t\r\n]*block\./y;

/** Whether a `${` stands at `offset` and is a reference of ours, in a text that others use `${` in too. */
export function startsReference(source: string, offset: number, vars?: Vars): boolean {
  reference.lastIndex = offset;
  if (reference.test(source)) return true;
  blockReference.lastIndex = offset;
  return vars?.knowsBlock === true && blockReference.test(source);
}

/** A template that is one expression and nothing else keeps that expression's type. */
export function isWholeExpression(template: Template): boolean {
  return template.parts.length === 1 && typeof template.parts[0] === "object";
}

export function hasExpressions(template: Template): boolean {
  return template.parts.some((part) => typeof part === "object");
}
