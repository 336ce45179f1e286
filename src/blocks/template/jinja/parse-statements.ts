import { type Segment, scanTemplate } from "../scan-template.ts";
import type { Branch, FilterUse, MacroStatement, Statement, Target } from "./ast.ts";
import { parseExpression, parseFilterUse, parseOr, parseTuple } from "./parse-expression.ts";
import { TemplateSyntaxProblem, TokenReader } from "./token-reader.ts";

/** Tags of Jinja2 that there are not, and why. */
export const refusedTags: Readonly<Record<string, string>> = {
  include: "a template can't include, import or extend another one",
  import: "a template can't include, import or extend another one",
  from: "a template can't include, import or extend another one",
  extends: "a template can't include, import or extend another one",
  autoescape: "'autoescape' is not supported: nothing is escaped unless it goes through the filter 'escape'",
  trans: "'trans' is not supported: there are no translations",
  debug: "'debug' is not supported",
};

/** Newlines become "\n", and the last one is not a part of the template, as in Jinja2. */
export function parseTemplateText(source: string, keepsLastNewline: boolean): readonly Statement[] {
  const lines = source.replaceAll(/\r\n?/g, "\n");
  const text = keepsLastNewline ? lines : lines.replace(/\n$/, "");
  const parser = new StatementParser(text);
  const body = parser.parseBody([]);
  parser.expectEnd();
  return body;
}

const deepestBlocks = 100;

class StatementParser {
  readonly #source: string;
  readonly #segments: readonly Segment[];
  readonly #lineStarts: readonly number[];
  #index = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    this.#segments = scanTemplate(source);
    this.#lineStarts = [0, ...Array.from(source.matchAll(/\n/g), ({ index }) => index + 1)];
  }

  /** Reads until a tag with one of these names, whose tokens are then the next. */
  parseBody(ends: readonly string[]): readonly Statement[] {
    if (++this.#depth > deepestBlocks) this.#fail("syntax error: blocks are nested too deeply");
    const body: Statement[] = [];
    for (; this.#index < this.#segments.length; ) {
      const segment = this.#segments[this.#index] as Segment;
      if (segment.kind === "tag") {
        const tokens = this.#tokensOf(segment);
        if (tokens !== undefined && ends.includes(tokens.peek()?.text ?? "")) break;
        this.#index++;
        if (tokens !== undefined) body.push(...this.#parseTag(segment, tokens));
      } else {
        if (segment.kind === "comment") this.#checkComment(segment);
        else body.push({ kind: "text", text: this.#textOf(segment) });
        this.#index++;
      }
    }
    this.#depth--;
    return body;
  }

  expectEnd(): void {
    if (this.#index < this.#segments.length) this.#fail("syntax error: a block ends that has not begun");
  }

  #checkComment({ end }: Segment): void {
    if (!this.#source.endsWith("#}", end)) this.#fail("syntax error: a comment does not end");
  }

  /** A minus in the tags around it takes the blanks away. */
  #textOf({ start, end }: Segment): string {
    let text = this.#source.slice(start, end);
    const before = this.#segments[this.#index - 1];
    const after = this.#segments[this.#index + 1];
    if (before !== undefined && this.#source.charAt(before.end - 3) === "-") text = text.replace(/^\s+/, "");
    if (after !== undefined && this.#source.charAt(after.start + 2) === "-") text = text.trimEnd();
    return text;
  }

  /** Nothing for the tags around raw text. */
  #tokensOf(segment: Extract<Segment, { kind: "tag" }>): TokenReader | undefined {
    const { start, end } = segment;
    const closing = this.#source.startsWith("{{", start) ? "}}" : "%}";
    const inner = this.#source.slice(start + 2, end - 2).replaceAll(/^[-+]|[-+]$/g, "");
    if (!this.#source.slice(start + 2, end).endsWith(closing)) this.#fail(`syntax error: a tag has no '${closing}'`);
    if (closing === "%}" && /^\s*(end)?raw\s*$/.test(inner)) return undefined;
    const from = start + 2 + (/[-+]/.test(this.#source.charAt(start + 2)) ? 1 : 0);
    const to = end - 2 - (/[-+]/.test(this.#source.charAt(end - 3)) ? 1 : 0);
    const tokens = segment.tokens.filter((token) => token.start >= from && token.end <= to);
    return new TokenReader(tokens, end - 2, (offset) => this.#lineAt(offset));
  }

  #parseTag(segment: Segment, tokens: TokenReader): readonly Statement[] {
    const { line } = tokens;
    if (this.#source.startsWith("{{", segment.start)) {
      const value = parseTuple(tokens);
      tokens.expectEnd();
      return [{ kind: "print", line, value }];
    }
    const name = tokens.expectName();
    const statement = this.#parseStatement(name, line, tokens);
    if (statement !== undefined) return statement;
    if (Object.hasOwn(refusedTags, name)) throw new TemplateSyntaxProblem(refusedTags[name] as string, line);
    const what = name.startsWith("end") ? `'${name}' ends what has not begun` : `there is no tag '${name}'`;
    throw new TemplateSyntaxProblem(`syntax error: ${what}`, line);
  }

  #parseStatement(name: string, line: number, tokens: TokenReader): readonly Statement[] | undefined {
    switch (name) {
      case "if":
        return [this.#parseIf(line, tokens)];
      case "for":
        return [this.#parseFor(line, tokens)];
      case "set":
        return [this.#parseSet(line, tokens)];
      case "macro":
        return [this.#parseMacro(tokens.expectName(), line, tokens, "endmacro")];
      case "call":
        return [this.#parseCall(line, tokens)];
      case "filter":
        return [{ kind: "filter", line, filters: parseFilterChain(tokens), body: this.#bodyOf(tokens, "endfilter") }];
      case "with":
        return [this.#parseWith(line, tokens)];
      case "block":
        tokens.expectName();
        tokens.skip("scoped");
        tokens.skip("required");
        return this.#bodyOf(tokens, "endblock");
      case "do":
        return [{ kind: "do", line, value: this.#whole(tokens, parseTuple) }];
      case "break":
      case "continue":
        tokens.expectEnd();
        return [{ kind: "leave", how: name }];
      default:
        return undefined;
    }
  }

  #parseIf(line: number, tokens: TokenReader): Statement {
    const branches: Branch[] = [];
    let at = line;
    let rest = tokens;
    for (;;) {
      const test = this.#whole(rest, parseTuple);
      branches.push({ line: at, test, body: this.parseBody(["elif", "else", "endif"]) });
      const [name, next] = this.#endTag("endif");
      if (name === "elif") {
        at = next.line;
        rest = next;
      } else return { kind: "if", branches, otherwise: name === "else" ? this.#otherwise(next, "endif") : [] };
    }
  }

  #parseFor(line: number, tokens: TokenReader): Statement {
    const target = parseTarget(tokens);
    tokens.expect("in");
    const items = parseTuple(tokens, parseOr);
    const condition = tokens.skip("if") ? parseExpression(tokens) : undefined;
    const recursive = tokens.skip("recursive");
    tokens.expectEnd();
    const body = this.parseBody(["else", "endfor"]);
    const [name, next] = this.#endTag("endfor");
    const otherwise = name === "else" ? this.#otherwise(next, "endfor") : [];
    return { kind: "for", line, target, items, recursive, body, otherwise, ...(condition && { condition }) };
  }

  #parseSet(line: number, tokens: TokenReader): Statement {
    const target = parseTarget(tokens);
    if (tokens.skip("=")) return { kind: "set", line, target, value: this.#whole(tokens, parseTuple) };
    const filters = tokens.skip("|") ? parseFilterChain(tokens) : [];
    return { kind: "set-block", line, target, filters, body: this.#bodyOf(tokens, "endset") };
  }

  #parseMacro(name: string, line: number, tokens: TokenReader, end: string): MacroStatement {
    const parameters: { name: string; fallback?: ReturnType<typeof parseExpression> }[] = [];
    tokens.expect("(");
    while (!tokens.skip(")")) {
      const parameter = tokens.expectName();
      parameters.push({ name: parameter, ...(tokens.skip("=") && { fallback: parseExpression(tokens) }) });
      if (!tokens.sees(")")) tokens.expect(",");
    }
    return { kind: "macro", line, name, parameters, body: end === "endcall" ? [] : this.#bodyOf(tokens, end) };
  }

  /** `{% call(x) macro(...) %}`: what stands in it is a macro called `caller`. */
  #parseCall(line: number, tokens: TokenReader): Statement {
    const head = tokens.sees("(") ? this.#parseMacro("caller", line, tokens, "endcall") : undefined;
    const value = this.#whole(tokens, parseExpression);
    if (value.kind !== "call") throw new TemplateSyntaxProblem("syntax error: 'call' needs the call of a macro", line);
    const body = this.#bodyOf(tokens, "endcall");
    return { kind: "call", line, value, macro: { kind: "macro", line, name: "caller", parameters: [], ...head, body } };
  }

  #parseWith(line: number, tokens: TokenReader): Statement {
    const names: [Target, ReturnType<typeof parseExpression>][] = [];
    while (!tokens.isAtEnd) {
      const target = parseTarget(tokens);
      tokens.expect("=");
      names.push([target, parseExpression(tokens)]);
      if (!tokens.isAtEnd) tokens.expect(",");
    }
    return { kind: "with", line, names, body: this.#bodyOf(tokens, "endwith") };
  }

  #whole<T>(tokens: TokenReader, parse: (tokens: TokenReader) => T): T {
    const result = parse(tokens);
    tokens.expectEnd();
    return result;
  }

  #bodyOf(tokens: TokenReader, end: string): readonly Statement[] {
    tokens.expectEnd();
    const body = this.parseBody([end]);
    this.#endTag(end);
    return body;
  }

  #otherwise(tokens: TokenReader, end: string): readonly Statement[] {
    return this.#bodyOf(tokens, end);
  }

  /** The tag that ends a body, with what follows its name. */
  #endTag(wanted: string): readonly [string, TokenReader] {
    const segment = this.#segments[this.#index];
    if (segment?.kind !== "tag") this.#fail(`syntax error: '${wanted}' is missing`);
    this.#index++;
    const tokens = this.#tokensOf(segment) as TokenReader;
    const name = tokens.expectName();
    // `{% endblock title %}` may name what ends.
    if (name === "endblock" || name === "endmacro") tokens.skip(tokens.peek()?.text ?? "");
    if (name.startsWith("end")) tokens.expectEnd();
    return [name, tokens];
  }

  #lineAt(offset: number): number {
    let [low, high] = [0, this.#lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  #fail(message: string): never {
    throw new TemplateSyntaxProblem(message, this.#lineAt(this.#segments[this.#index]?.start ?? this.#source.length));
  }
}

function parseFilterChain(tokens: TokenReader): readonly FilterUse[] {
  const filters = [parseFilterUse(tokens)];
  while (tokens.skip("|")) filters.push(parseFilterUse(tokens));
  return filters;
}

function parseTarget(tokens: TokenReader): Target {
  const targets = [parseOneTarget(tokens)];
  let isSeveral = false;
  while (tokens.skip(",")) {
    isSeveral = true;
    if (tokens.peek()?.kind === "name" || tokens.sees("(")) targets.push(parseOneTarget(tokens));
  }
  return isSeveral ? { kind: "several", targets } : (targets[0] as Target);
}

function parseOneTarget(tokens: TokenReader): Target {
  if (tokens.skip("(")) {
    const target = parseTarget(tokens);
    tokens.expect(")");
    return target;
  }
  const name = tokens.expectName();
  return tokens.skip(".") ? { kind: "attribute", name, attribute: tokens.expectName() } : { kind: "name", name };
}
