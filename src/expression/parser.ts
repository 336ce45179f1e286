import {
  type ArithmeticOperator,
  type CallNode,
  type ComparisonOperator,
  type Expression,
  type PathNode,
  type Root,
  type Span,
  type Step,
  type SyntaxProblem,
  type TemplatePart,
  writtenRoots,
} from "./ast.ts";
import { checkedStep } from "./checked-step.ts";
import {
  dynamicFirstStep,
  hyphenInName,
  invalidNumber,
  methodCall,
  stepsAfterValue,
  unknownFunction,
  unknownRoot,
  unknownWord,
  wrongArgumentCount,
} from "./explain-slip.ts";
import { functions } from "./functions.ts";
import { readHyphenated } from "./hyphenated-name.ts";
import { constants, isValue, keywords } from "./reserved-words.ts";
import { SyntaxFailure } from "./syntax-failure.ts";
import { TokenCursor } from "./token-cursor.ts";
import { deepestNesting, missingBrace, type StringToken, type Token, tooDeep, type WordToken } from "./tokens.ts";
import { expandVar, noVars, type Vars } from "./vars.ts";

/** How strongly an operator binds, loosest first. A parse at one level takes in everything that binds as strongly or more. */
const binding = { conditional: 1, or: 2, and: 3, not: 4, comparison: 5, sum: 6, product: 7, unary: 8 } as const;

const comparisons: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);
const anyValue = "a value, such as inputs.name, 'text' or 5";

/**
 * A Pratt parser over the tokens of one expression. Goes on after a problem that leaves no doubt where the rest begins; throws
 * SyntaxFailure at any other, which parse-expression.ts and parse-template.ts catch.
 */
export class Parser extends TokenCursor {
  #depth: number;
  readonly #vars: Vars;

  constructor(tokens: readonly Token[], problems: SyntaxProblem[], vars: Vars = noVars, depth = 0) {
    super(tokens, problems);
    this.#vars = vars;
    this.#depth = depth;
  }

  /** The whole of the tokens as one expression. */
  whole(): Expression {
    const expression = this.#expression(binding.conditional);
    this.expectEnd();
    return expression;
  }

  /** As `whole`, with one of the given filters allowed after a `|` at the end. */
  wholeWithFilter(filters: readonly "raw"[]): { readonly expression: Expression; readonly filter?: "raw" } {
    const expression = this.#expression(binding.conditional);
    const name = this.tokens[this.position + 1];
    const filter = name?.kind === "word" ? filters.find((allowed) => allowed === name.text) : undefined;
    if (filter === undefined || !this.at("|")) {
      this.expectEnd();
      return { expression };
    }
    this.position += 2;
    this.expectEnd();
    return { expression, filter };
  }

  #nested<T>(span: Span, parse: () => T): T {
    if (++this.#depth > deepestNesting) throw new SyntaxFailure(tooDeep(span.start, span.end));
    const result = parse();
    this.#depth--;
    return result;
  }

  #expression(level: number): Expression {
    const start = this.token.start;
    let left = this.#prefix(level);
    for (;;) {
      const next = this.#infix(left, start, level);
      if (next === undefined) return left;
      left = next;
    }
  }

  #prefix(level: number): Expression {
    const token = this.token;
    if (this.operator === "not") {
      if (level > binding.not) {
        const message = "'not' can't stand directly after another operator.";
        const fix = "Put it in parentheses: (not ...).";
        throw new SyntaxFailure({ code: "unexpected-symbol", message, fix, start: token.start, end: token.end });
      }
      this.takeOperator();
      const operand = this.#nested(token, () => this.#expression(binding.not));
      return { kind: "not", operand, start: token.start, end: this.previousEnd };
    }
    if (this.at("-")) {
      this.position++;
      const operand = this.#nested(token, () => this.#expression(binding.unary));
      return { kind: "negate", operand, start: token.start, end: this.previousEnd };
    }
    return this.#primary();
  }

  /** What follows `left`, if it is an operator that binds at this level: the node that joins both sides. */
  #infix(left: Expression, start: number, level: number): Expression | undefined {
    const { operator } = this;
    switch (operator) {
      case undefined:
        return undefined;
      case "if":
        return level <= binding.conditional ? this.#conditional(left, start) : undefined;
      case "or":
      case "and":
        return level <= binding[operator] ? this.#logical(operator, left, start) : undefined;
      case "+":
      case "-":
        return level <= binding.sum ? this.#arithmetic(operator, left, start, binding.product) : undefined;
      case "*":
      case "/":
      case "%":
        return level <= binding.product ? this.#arithmetic(operator, left, start, binding.unary) : undefined;
      default:
        return level <= binding.comparison ? this.#comparison(left, start) : undefined;
    }
  }

  #conditional(then: Expression, start: number): Expression {
    const keyword = this.take();
    const condition = this.#nested(keyword, () => this.#expression(binding.or));
    if (!this.atWord("else")) this.unexpected("'else' and the value for when the condition is false");
    this.position++;
    const otherwise = this.#nested(keyword, () => this.#expression(binding.conditional));
    return { kind: "conditional", condition, then, otherwise, start, end: this.previousEnd };
  }

  #logical(operator: "and" | "or", left: Expression, start: number): Expression {
    this.takeOperator();
    const right = this.#expression(binding[operator] + 1);
    return { kind: "logical", operator, left, right, start, end: this.previousEnd };
  }

  #arithmetic(operator: ArithmeticOperator, left: Expression, start: number, rightLevel: number): Expression {
    this.takeOperator();
    const right = this.#expression(rightLevel);
    return { kind: "arithmetic", operator, left, right, start, end: this.previousEnd };
  }

  #comparison(first: Expression, start: number): Expression | undefined {
    const operands = [first];
    const operators: ComparisonOperator[] = [];
    for (let operator = this.#comparisonOperator(); operator !== undefined; operator = this.#comparisonOperator()) {
      operators.push(operator);
      operands.push(this.#expression(binding.sum));
    }
    if (operators.length === 0) return undefined;
    return { kind: "comparison", operands, operators, start, end: this.previousEnd };
  }

  #comparisonOperator(): ComparisonOperator | undefined {
    const { operator } = this;
    if (operator !== undefined && comparisons.has(operator)) {
      this.takeOperator();
      return operator as ComparisonOperator;
    }
    if (this.atWord("in")) {
      this.position++;
      return "in";
    }
    const next = this.tokens[this.position + 1];
    if (this.atWord("not") && next?.kind === "word" && next.text === "in") {
      this.position += 2;
      return "not in";
    }
    return undefined;
  }

  #primary(): Expression {
    const token = this.token;
    switch (token.kind) {
      case "number":
        return this.#number();
      case "string":
        this.position++;
        return this.#string(token);
      case "word":
        return this.#word(token);
      case "symbol":
        if (token.text === "(") return this.#enclosed("(", ")");
        if (token.text === "${") return this.#enclosed("${", "}");
        if (token.text === "[") {
          const items = this.#items("[", "]");
          return { kind: "list", items, start: token.start, end: this.previousEnd };
        }
        return this.unexpected(anyValue);
      case "end":
        return this.unexpected(anyValue);
    }
  }

  #enclosed(open: string, close: string): Expression {
    const token = this.take();
    const inner = this.#nested(token, () => this.#expression(binding.conditional));
    if (open === "${" && this.token.kind === "end") throw new SyntaxFailure(missingBrace(token));
    this.expect(close, `an operator, or ${close} to close this ${open}`);
    this.#refuseSteps("inside");
    return inner;
  }

  #refuseSteps(where: "inside" | "none"): void {
    const token = this.token;
    if (!(this.at(".") || this.at("[")) || token.start !== this.previousEnd) return;
    throw new SyntaxFailure(stepsAfterValue(where, token));
  }

  #items(open: string, close: string): Expression[] {
    const token = this.take();
    const items: Expression[] = [];
    if (!this.at(close)) {
      this.#nested(token, () => {
        items.push(this.#expression(binding.conditional));
        while (this.at(",")) {
          this.position++;
          items.push(this.#expression(binding.conditional));
        }
      });
    }
    this.expect(close, `a comma, or ${close} to close this ${open}`);
    return items;
  }

  #number(): Expression {
    const token = this.take() as { readonly text: string } & Span;
    const value = Number(token.text);
    const next = this.token;
    const glued = (next.kind === "word" || next.kind === "number") && next.start === token.end;
    if (glued) throw new SyntaxFailure(invalidNumber(token.text + next.text, token.start));
    if (!Number.isFinite(value) || /^0[0-9]/.test(token.text))
      throw new SyntaxFailure(invalidNumber(token.text, token.start));
    return { kind: "literal", value, start: token.start, end: token.end };
  }

  #string(token: StringToken): Expression {
    this.#refuseSteps("none");
    const { start, end } = token;
    const only = token.parts[0] ?? "";
    if (token.parts.length <= 1 && typeof only === "string") return { kind: "literal", value: only, start, end };
    const parts = token.parts.map((part): TemplatePart => {
      if (typeof part === "string") return part;
      const inner = (): Expression => new Parser(part.tokens, this.problems, this.#vars, this.#depth).whole();
      const expression = this.#nested(part, inner);
      return { expression, start: part.start, end: part.end };
    });
    return { kind: "text", template: { parts }, start, end };
  }

  #word(token: WordToken): Expression {
    const constant = constants.get(token.text);
    if (constant !== undefined) {
      this.position++;
      return { kind: "literal", value: constant, start: token.start, end: token.end };
    }
    if (keywords.has(token.text)) this.unexpected(anyValue);
    this.position++;
    if (this.at("(")) return this.#call(token);
    if ((writtenRoots as readonly string[]).includes(token.text)) return this.#path(token);
    if (token.text === "block" && this.#vars.knowsBlock === true) return this.#path(token);
    if (!this.at(".") && !this.at("[")) {
      this.problems.push(unknownWord(token.text, this.tokens.length === 2, token));
      return unknownValue([], token);
    }
    const step = this.tokens[this.position + 1];
    this.problems.push(unknownRoot(token.text, this.at(".") && step?.kind === "word" ? step.text : "", token));
    this.#steps(token);
    return unknownValue(this.at("(") ? this.#items("(", ")") : [], token);
  }

  #call(name: WordToken): Expression {
    const definition = functions.get(name.text);
    if (definition === undefined) this.problems.push(unknownFunction(name.text, name));
    const args = this.#items("(", ")");
    const span = { start: name.start, end: this.previousEnd };
    const fits = definition !== undefined && args.length >= definition.minimum && args.length <= definition.maximum;
    if (definition !== undefined && !fits) this.problems.push(wrongArgumentCount(definition, args.length, span));
    const value = fits
      ? ({ kind: "call", name: name.text, arguments: args, ...span } as const)
      : unknownValue(args, span);
    const steps = this.#steps(name);
    return steps.length === 0 ? value : { kind: "access", value, steps, start: name.start, end: this.previousEnd };
  }

  #steps(start: WordToken): Step[] {
    const steps: Step[] = [];
    while (this.at(".") || this.at("[")) steps.push(this.at(".") ? this.#dotStep(start) : this.#bracketStep());
    return steps;
  }

  #path(token: WordToken): Expression {
    const root = token.text as Root;
    const steps = this.#steps(token);
    const node: PathNode = { kind: "path", root, steps, start: token.start, end: this.previousEnd };
    if (this.at("(")) {
      const args = this.#items("(", ")");
      this.problems.push(methodCall(node, args, this.previousEnd));
      return unknownValue(args, node);
    }
    if (token.text === "vars") return expandVar(steps, { start: node.start, end: node.end }, this.#vars);
    if ((root === "blocks" || root === "secrets") && typeof (steps[0]?.key ?? {}) === "object") {
      this.problems.push(dynamicFirstStep(node));
      return unknownValue([], node);
    }
    return node;
  }

  #dotStep(root: WordToken): Step {
    const start = this.take().start;
    const name = this.token;
    if (name.kind === "number") {
      const message = "A number can't follow a dot in a path.";
      throw new SyntaxFailure({ code: "invalid-step", message, fix: `Write [${name.text}].`, start, end: name.end });
    }
    if (name.kind !== "word")
      this.unexpected("a name after the dot; a name with other characters is written ['my-name']");
    this.position++;
    this.#refuseHyphen(root, name);
    return checkedStep(name.text, start, name.end);
  }

  #refuseHyphen(root: WordToken, first: WordToken): void {
    const name = readHyphenated(this.tokens, this.position, first, isValue);
    if (name === undefined) return;
    const isBlock = root.text === "blocks" && first.start === root.end + 1;
    throw new SyntaxFailure(hyphenInName(name.text, isBlock, { start: root.start, end: name.end }));
  }

  #bracketStep(): Step {
    const open = this.take();
    const key = this.#nested(open, () => this.#expression(binding.conditional));
    this.expect("]", "] to close this [");
    const literal = key.kind === "literal" && (typeof key.value === "string" || typeof key.value === "number");
    if (!literal) return { key, start: open.start, end: this.previousEnd };
    return checkedStep(key.value as string | number, open.start, this.previousEnd);
  }
}

/** Stands for what can't be told: nothing is known of its value, but what stands inside of it can be checked. */
function unknownValue(parts: readonly Expression[], { start, end }: Span): CallNode {
  return { kind: "call", name: "", arguments: parts, start, end };
}
