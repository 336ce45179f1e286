import type {
  ArithmeticNode,
  CallNode,
  ComparisonNode,
  ComparisonOperator,
  Expression,
  PathNode,
  Span,
} from "./ast.ts";
import { nameTypes } from "./function-definition.ts";
import { functions } from "./functions.ts";
import { type Equality, type Knowledge, type KnownTexts, neverEqual } from "./never-equal.ts";
import { type Reference, staticPath } from "./references.ts";
import { typeOfValue, type ValueType } from "./value.ts";
import { childrenOf } from "./walk.ts";

/** What is known of a value before the run; `any` where nothing is. */
export type StaticType = "any" | ValueType;

/** What the caller knows of the value a path leads to. */
export type PathTypes = (path: Reference) => StaticType;

/** What the caller knows of the texts a path can lead to. */
export type PathTexts = (path: Reference) => KnownTexts | undefined;

/** The type an expression's value has, if it has a value. */
export function inferType(expression: Expression, typeOf: PathTypes): StaticType {
  switch (expression.kind) {
    case "literal":
      return typeOfValue(expression.value);
    case "text":
      return "string";
    case "list":
      return "list";
    case "path":
      return typeOf(staticPath(expression));
    case "not":
    case "logical":
    case "comparison":
      return "boolean";
    case "negate":
      return "number";
    case "arithmetic":
      return arithmeticType(expression, typeOf);
    case "conditional":
      return either(inferType(expression.then, typeOf), inferType(expression.otherwise, typeOf));
    case "call":
      return callType(expression, typeOf);
    case "access":
      return "any";
  }
}

function arithmeticType(node: ArithmeticNode, typeOf: PathTypes): StaticType {
  if (node.operator !== "+") return "number";
  const both = [inferType(node.left, typeOf), inferType(node.right, typeOf)];
  const [type, other = type] = both.filter((known) => known !== "any");
  return type === other && (type === "number" || type === "string" || type === "list") ? type : "any";
}

function callType(node: CallNode, typeOf: PathTypes): StaticType {
  if (node.name !== "default") return functions.get(node.name)?.returns ?? "any";
  const [wanted, other] = node.arguments as readonly [Expression, Expression];
  const type = inferType(wanted, typeOf);
  // A null never comes out of default's first argument.
  return type === "null" ? inferType(other, typeOf) : either(type, inferType(other, typeOf));
}

function either(one: StaticType, other: StaticType): StaticType {
  return one === other ? one : "any";
}

/** A mistake that shows in the types alone, before the run. */
export interface TypeProblem extends Span {
  readonly level: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

/** What can only fail, as errors, and what is hardly meant so, as warnings. An unknown type is never a problem. */
export function typeProblems(
  expression: Expression,
  typeOf: PathTypes,
  textsOf: PathTexts = () => undefined,
): TypeProblem[] {
  const problems: TypeProblem[] = [];
  const check = new TypeCheck(typeOf, textsOf, problems);
  const visit = (node: Expression): void => {
    // What a var holds is checked once, where it is written.
    if (node.origin === undefined) check.node(node);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(expression);
  return problems;
}

class TypeCheck {
  readonly #typeOf: PathTypes;
  readonly #problems: TypeProblem[];
  readonly #known: Knowledge;

  constructor(typeOf: PathTypes, textsOf: PathTexts, problems: TypeProblem[]) {
    this.#typeOf = typeOf;
    this.#problems = problems;
    this.#known = { typeOf: (node) => this.#type(node), textsOf: (path: PathNode) => textsOf(staticPath(path)) };
  }

  node(node: Expression): void {
    switch (node.kind) {
      case "not":
        return this.#wantBoolean(node.operand, "not");
      case "logical":
        this.#wantBoolean(node.left, node.operator);
        return this.#wantBoolean(node.right, node.operator);
      case "conditional":
        return this.#wantBoolean(node.condition, "if");
      case "negate":
        return this.#wantNumber(node.operand, "-");
      case "arithmetic":
        return this.#arithmetic(node);
      case "comparison":
        return this.#comparisons(node);
      case "call":
        return this.#call(node);
    }
  }

  #type(node: Expression): StaticType {
    return inferType(node, this.#typeOf);
  }

  #error(at: Span, message: string, fix?: string): void {
    const problem = { level: "error", code: "wrong-type", message, start: at.start, end: at.end } as const;
    this.#problems.push(fix === undefined ? problem : { ...problem, fix });
  }

  #wantBoolean(node: Expression, wantedBy: string): void {
    const type = this.#type(node);
    if (type === "any" || type === "boolean") return;
    this.#error(node, `'${wantedBy}' wants true or false, but this is ${nameTypes([type])}.`, comparisonFor[type]);
  }

  #wantNumber(node: Expression, operator: string): void {
    const type = this.#type(node);
    if (type === "any" || type === "number") return;
    const fix = type === "string" ? "Convert it with int(...) or float(...)." : undefined;
    this.#error(node, `${operator} wants a number, but this is ${nameTypes([type])}.`, fix);
  }

  #arithmetic(node: ArithmeticNode): void {
    if (node.operator !== "+") {
      this.#wantNumber(node.left, node.operator);
      this.#wantNumber(node.right, node.operator);
      return;
    }
    const left = this.#type(node.left);
    const right = this.#type(node.right);
    const wrong = [left, right].find((type) => type === "boolean" || type === "null" || type === "map");
    if (wrong !== undefined) {
      this.#error(node, `+ joins two numbers, two texts or two lists, but here is ${nameTypes([wrong as ValueType])}.`);
    } else if (left !== "any" && right !== "any" && left !== right) {
      const fix = left === "string" || right === "string" ? "To join them as text, use string(...)." : undefined;
      const both = `${nameTypes([left])} and ${nameTypes([right])}`;
      this.#error(node, `+ joins two numbers, two texts or two lists, but here are ${both}.`, fix);
    }
  }

  #comparisons(node: ComparisonNode): void {
    for (const [index, operator] of node.operators.entries()) {
      const left = node.operands[index] as Expression;
      const right = node.operands[index + 1] as Expression;
      const span = { start: left.start, end: right.end };
      if (operator === "==" || operator === "!=") this.#equality(operator, left, right);
      else if (operator === "in" || operator === "not in") this.#membership(operator, left, right, span);
      else this.#ordering(operator, this.#type(left), this.#type(right), span);
    }
  }

  #equality(operator: Equality, left: Expression, right: Expression): void {
    const problem = neverEqual(operator, left, right, this.#known);
    if (problem !== undefined) this.#problems.push(problem);
  }

  #membership(operator: "in" | "not in", item: Expression, container: Expression, span: Span): void {
    if (container.kind === "list") for (const listed of container.items) this.#equality(operator, item, listed);
    const type = this.#type(container);
    if (type === "null" || type === "boolean" || type === "number") {
      this.#error(span, `Something can be in a list, a text or a map, but this is ${nameTypes([type])}.`);
    }
    const itemType = this.#type(item);
    if (type === "string" && itemType !== "any" && itemType !== "string") {
      this.#error(span, `Only text can be part of a text, but this is ${nameTypes([itemType])}.`, "Use string(...).");
    }
  }

  #ordering(operator: ComparisonOperator, left: StaticType, right: StaticType, span: Span): void {
    const unordered = [left, right].find((type) => type !== "any" && type !== "number" && type !== "string");
    if (unordered !== undefined) {
      const what = nameTypes([unordered as ValueType]);
      this.#error(span, `${operator} compares two numbers or two texts, but here is ${what}.`);
    } else if (left !== "any" && right !== "any" && left !== right) {
      const message = `${operator} can't compare ${nameTypes([left as ValueType])} with ${nameTypes([right as ValueType])}.`;
      this.#error(span, message, "Convert the text with int(...) or float(...) first.");
    }
  }

  #call(node: CallNode): void {
    const parameters = functions.get(node.name)?.parameters ?? [];
    for (const [index, argument] of node.arguments.entries()) {
      const parameter = parameters[index];
      const type = this.#type(argument);
      if (parameter === undefined || parameter.accepts === "any" || type === "any") continue;
      if (parameter.accepts.includes(type)) continue;
      const wanted = `${node.name}(): '${parameter.name}' must be ${nameTypes(parameter.accepts)}`;
      this.#error(argument, `${wanted}, but is ${nameTypes([type])}.`);
    }
  }
}

const comparisonFor: Readonly<Record<Exclude<ValueType, "boolean">, string>> = {
  null: "Compare something: ... != null.",
  number: "Compare it: ... != 0.",
  string: "Compare it: ... != '', or convert it: bool(...).",
  list: "Compare it: len(...) > 0.",
  map: "Compare it: len(...) > 0.",
};
