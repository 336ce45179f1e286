import { err, ok, type Result } from "../util/result.ts";
import type { Span, SyntaxProblem } from "./ast.ts";
import { SyntaxFailure } from "./syntax-failure.ts";

/**
 * The tokenizer never judges: a character that is no part of the language becomes a symbol like any other, and the parser says
 * what is wrong with it. That way the end of a `${...}` is found even when what stands in it is nonsense. Only what makes that
 * end unknowable (an open string, a missing `}`) and the limits fail here.
 */
export type Token = NumberToken | WordToken | StringToken | SymbolToken | EndToken;

interface NumberToken extends Span {
  readonly kind: "number";
  readonly text: string;
}

export interface WordToken extends Span {
  readonly kind: "word";
  readonly text: string;
}

/** A quoted string, its escapes already read. Without `${...}` it has one text part or none. */
export interface StringToken extends Span {
  readonly kind: "string";
  readonly parts: readonly (string | EmbeddedTokens)[];
}

interface SymbolToken extends Span {
  readonly kind: "symbol";
  readonly text: string;
}

interface EndToken extends Span {
  readonly kind: "end";
}

/** What stands between a `${` and its `}`; the span includes both, the tokens end with an end token. */
export interface EmbeddedTokens extends Span {
  readonly tokens: readonly Token[];
}

const longestSource = 20_000;
export const deepestNesting = 100;

/** The tokens of a whole text, with an end token last. */
export function tokenize(source: string): Result<readonly Token[], SyntaxProblem> {
  if (source.length > longestSource) return err(tooLong(0, source.length));
  return attempt(() => {
    const tokens: Token[] = [];
    readTokens(source, 0, { closing: false, depth: 0, limit: source.length, tokens });
    return tokens;
  });
}

/** The tokens of the `${...}` that starts at `offset`. */
export function tokenizeEmbedded(source: string, offset: number): Result<EmbeddedTokens, SyntaxProblem> {
  return attempt(() => readEmbedded(source, offset, 0, Math.min(source.length, offset + longestSource)));
}

function attempt<T>(read: () => T): Result<T, SyntaxProblem> {
  try {
    return ok(read());
  } catch (failure) {
    if (failure instanceof SyntaxFailure) return err(failure.problem);
    throw failure;
  }
}

interface Reading {
  /** Whether the tokens end at a `}` of their own or with the text. */
  readonly closing: boolean;
  readonly depth: number;
  readonly limit: number;
  readonly tokens: Token[];
}

const whitespace = /[ \t\r\n]+/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const number = /[0-9]+(?:\.[0-9]+)?/y;
const symbol = /\$\$\{|\$\{|===|!==|==|!=|<=|>=|=>|=<|=!|<>|&&|\|\||\*\*|\/\/|:-|\?\?|./suy;

function match(pattern: RegExp, source: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0];
}

/** Reads tokens until the closing brace or the end of the text; returns the offset of that end. */
function readTokens(source: string, from: number, reading: Reading): number {
  let offset = from;
  let openBraces = 0;
  for (;;) {
    offset += match(whitespace, source, offset)?.length ?? 0;
    if (offset >= reading.limit) {
      reading.tokens.push({ kind: "end", start: reading.limit, end: reading.limit });
      return reading.limit;
    }
    const character = source[offset] as string;
    if (character === "'" || character === '"') {
      const token = readString(source, offset, reading);
      reading.tokens.push(token);
      offset = token.end;
      continue;
    }
    const token = readPlainToken(source, offset);
    if (token.kind === "symbol") {
      if (token.text === "}" && openBraces === 0 && reading.closing) {
        reading.tokens.push({ kind: "end", start: offset, end: offset });
        return offset;
      }
      if (token.text === "}") openBraces--;
      if (token.text === "{" || token.text === "${") openBraces++;
    }
    reading.tokens.push(token);
    offset = token.end;
  }
}

function readPlainToken(source: string, start: number): NumberToken | WordToken | SymbolToken {
  const digits = match(number, source, start);
  if (digits !== undefined) return { kind: "number", text: digits, start, end: start + digits.length };
  const letters = match(word, source, start);
  if (letters !== undefined) return { kind: "word", text: letters, start, end: start + letters.length };
  const text = match(symbol, source, start) as string;
  return { kind: "symbol", text, start, end: start + text.length };
}

function readEmbedded(source: string, start: number, depth: number, limit: number): EmbeddedTokens {
  if (depth >= deepestNesting) throw new SyntaxFailure(tooDeep(start, start + 2));
  const tokens: Token[] = [];
  const end = readTokens(source, start + 2, { closing: true, depth: depth + 1, limit, tokens });
  if (end < limit) return { tokens, start, end: end + 1 };
  if (limit < source.length) throw new SyntaxFailure(tooLong(start, limit));
  throw new SyntaxFailure(missingBrace({ start, end: start + 2 }));
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", "'": "'", '"': '"' };
const unicodeEscape = /[0-9A-Fa-f]{4}/y;

function readString(source: string, start: number, reading: Reading): StringToken {
  const quote = source[start] as string;
  const parts: (string | EmbeddedTokens)[] = [];
  let text = "";
  let offset = start + 1;
  while (offset < reading.limit) {
    const character = source[offset] as string;
    if (character === quote) {
      if (text !== "") parts.push(text);
      return { kind: "string", parts, start, end: offset + 1 };
    }
    if (character === "\\") {
      const escaped = readEscape(source, offset);
      text += escaped.text;
      offset += escaped.length;
    } else if (source.startsWith("$${", offset)) {
      text += "${";
      offset += 3;
    } else if (source.startsWith("${", offset)) {
      const embedded = readEmbedded(source, offset, reading.depth, reading.limit);
      if (text !== "") parts.push(text);
      text = "";
      parts.push(embedded);
      offset = embedded.end;
    } else {
      text += character;
      offset++;
    }
  }
  throw new SyntaxFailure({
    code: "unterminated-string",
    message: `This text starts with ${quote} and never ends.`,
    fix: `Add the closing ${quote} (a ${quote} inside the text is written \\${quote}).`,
    start,
    end: start + 1,
  });
}

/** An escape this language does not know keeps its backslash, so that '\d' is what a pattern needs. */
function readEscape(source: string, offset: number): { readonly text: string; readonly length: number } {
  const next = source[offset + 1] ?? "";
  if (Object.hasOwn(escapes, next)) return { text: escapes[next] as string, length: 2 };
  const digits = next === "u" ? match(unicodeEscape, source, offset + 2) : undefined;
  if (digits !== undefined) return { text: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 };
  return { text: "\\", length: 1 };
}

function tooLong(start: number, end: number): SyntaxProblem {
  return {
    code: "expression-too-long",
    message: `This expression is longer than ${longestSource} characters, the most one may have.`,
    fix: "Split it over several blocks, or check that its ${ is closed where it should be.",
    start,
    end,
  };
}

export function tooDeep(start: number, end: number): SyntaxProblem {
  return {
    code: "expression-too-deep",
    message: `This expression is nested more than ${deepestNesting} levels deep.`,
    fix: "Take parts of it out into inputs or outputs of their own blocks.",
    start,
    end,
  };
}

export function missingBrace(open: Span): SyntaxProblem {
  return {
    code: "missing-brace",
    message: "This ${ is never closed.",
    fix: "Add the missing } (or write $${ if a literal ${ is meant).",
    start: open.start,
    end: open.end,
  };
}
