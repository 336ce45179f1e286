import type { Span, SyntaxProblem } from "./ast.ts";
import { operatorMeant, unexpectedSymbol } from "./explain-slip.ts";
import { SyntaxFailure } from "./syntax-failure.ts";
import type { Token } from "./tokens.ts";

/** Reads the tokens of one expression one by one, and gathers what is wrong with them. */
export class TokenCursor {
  /** What is wrong but did not keep the rest from being read. */
  readonly problems: SyntaxProblem[];
  protected readonly tokens: readonly Token[];
  protected position = 0;

  constructor(tokens: readonly Token[], problems: SyntaxProblem[]) {
    this.tokens = tokens;
    this.problems = problems;
  }

  protected get token(): Token {
    return this.tokens[Math.min(this.position, this.tokens.length - 1)] as Token;
  }

  protected get previousEnd(): number {
    return this.tokens[this.position - 1]?.end ?? 0;
  }

  protected take(): Token {
    const { token } = this;
    this.position++;
    return token;
  }

  protected at(symbol: string): boolean {
    return this.token.kind === "symbol" && this.token.text === symbol;
  }

  protected atWord(word: string): boolean {
    return this.token.kind === "word" && this.token.text === word;
  }

  /** The operator that stands here, or the one that is meant by what stands here. */
  protected get operator(): string | undefined {
    const { token } = this;
    if (token.kind === "word") return token.text;
    return token.kind === "symbol" ? (operatorMeant(token.text) ?? token.text) : undefined;
  }

  /** Goes past an operator. One of another language is a problem, and is read as what it means. */
  protected takeOperator(): Token {
    const token = this.take();
    if (token.kind === "symbol" && operatorMeant(token.text) !== undefined)
      this.problems.push(unexpectedSymbol(token.text, "", token));
    return token;
  }

  protected expect(symbol: string, wanted: string): void {
    if (!this.at(symbol)) this.unexpected(wanted);
    this.position++;
  }

  protected expectEnd(): void {
    if (this.token.kind === "end") return;
    this.unexpected("an operator such as == or and, or the end of the expression");
  }

  protected unexpected(wanted: string): never {
    const { token } = this;
    if (token.kind === "symbol") throw new SyntaxFailure(unexpectedSymbol(token.text, wanted, token));
    const span: Span = { start: token.start, end: token.end };
    if (token.kind === "end") {
      throw new SyntaxFailure({
        code: "unexpected-end",
        message: `The expression ends too early; expected ${wanted}.`,
        ...span,
      });
    }
    if (token.kind === "word" && token.text === "is") {
      const message = "'is' is not an operator here.";
      throw new SyntaxFailure({ code: "unknown-operator", message, fix: "Use == to compare, != for is not.", ...span });
    }
    const shown = token.kind === "string" ? "A quoted text" : `'${token.text}'`;
    throw new SyntaxFailure({
      code: "unexpected-symbol",
      message: `${shown} can't stand here; expected ${wanted}.`,
      ...span,
    });
  }
}
