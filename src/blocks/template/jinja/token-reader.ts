import type { Token } from "../scan-template.ts";
import { TemplateProblem } from "./data.ts";

const deepestNesting = 200;

/** What can't be read, with its line. */
export class TemplateSyntaxProblem extends TemplateProblem {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** Goes through the tokens of one tag. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #lineAt: (offset: number) => number;
  readonly #end: number;
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], end: number, lineAt: (offset: number) => number) {
    this.#tokens = tokens;
    this.#end = end;
    this.#lineAt = lineAt;
  }

  get line(): number {
    return this.#lineAt(this.peek()?.start ?? this.#end);
  }

  get isAtEnd(): boolean {
    return this.#index >= this.#tokens.length;
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#index + ahead];
  }

  next(): Token {
    const token = this.#tokens[this.#index++];
    return token ?? this.fail("the tag ends too early");
  }

  /** Whether one of these marks or words comes next. */
  sees(...texts: readonly string[]): boolean {
    const token = this.peek();
    return token !== undefined && token.kind !== "string" && texts.includes(token.text);
  }

  skip(...texts: readonly string[]): boolean {
    const isThere = this.sees(...texts);
    if (isThere) this.#index++;
    return isThere;
  }

  expect(text: string): void {
    if (!this.skip(text)) this.fail(`'${text}' is expected${this.#instead()}`);
  }

  expectName(): string {
    if (this.peek()?.kind !== "name") this.fail(`a name is expected${this.#instead()}`);
    return this.next().text;
  }

  expectEnd(): void {
    if (!this.isAtEnd) this.fail(`'${this.peek()?.text}' is not expected here`);
  }

  fail(message: string): never {
    throw new TemplateSyntaxProblem(`syntax error: ${message}`, this.line);
  }

  refuseIf(message: string | undefined, line: number): void {
    if (message !== undefined) throw new TemplateSyntaxProblem(message, line);
  }

  /** Brackets and the like within each other are read by calls within each other. */
  nested<T>(read: () => T): T {
    if (++this.#depth > deepestNesting) this.fail("it is nested too deeply");
    const result = read();
    this.#depth--;
    return result;
  }

  #instead(): string {
    const token = this.peek();
    return token === undefined ? ", and the tag ends" : `, not '${token.text}'`;
  }
}
