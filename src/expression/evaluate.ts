import { err, ok, type Result } from "../util/result.ts";
import {
  type AccessNode,
  type CallNode,
  type ComparisonNode,
  type Expression,
  type LogicalNode,
  type Lookup,
  type PathNode,
  refusedNames,
  type Scope,
  type Span,
  type Template,
} from "./ast.ts";
import { Budget, defaultLimits, type Limits } from "./budget.ts";
import { finite } from "./collection-functions.ts";
import { EvaluationFailure, type EvaluationProblem, fail } from "./evaluation-problem.ts";
import { describeValue, formatValue } from "./format-value.ts";
import { nameTypes } from "./function-definition.ts";
import { functions } from "./functions.ts";
import { calculate, compare } from "./operators.ts";
import { type Key, readSteps, refusedMessage, writePath } from "./read-path.ts";
import { UnknownRead, whenKnown } from "./unknown-value.ts";
import { typeOfValue, type Value } from "./value.ts";

/** The value of an expression. Total: whatever the expression and the data, it ends soon with a value or a problem. */
export function evaluate(
  expression: Expression,
  scope: Scope,
  limits: Limits = defaultLimits,
): Result<Value, EvaluationProblem> {
  return attempt(scope, limits, (evaluation) => {
    const value = evaluation.value(expression);
    // A list made here may name one big value many times, which costs nothing now and everything when it is written down.
    if (expression.kind !== "path" && typeof value === "object") evaluation.budget.measure(value, expression);
    return value;
  });
}

/** The text of a template, each value formatted: every part once, and no part is ever parsed again. */
export function evaluateText(
  template: Template,
  scope: Scope,
  limits: Limits = defaultLimits,
): Result<string, EvaluationProblem> {
  return attempt(scope, limits, (evaluation) => evaluation.text(template));
}

function attempt<T>(scope: Scope, limits: Limits, run: (evaluation: Evaluation) => T): Result<T, EvaluationProblem> {
  try {
    return ok(run(new Evaluation(scope, new Budget(limits))));
  } catch (failure) {
    if (failure instanceof EvaluationFailure) return err(failure.problem);
    throw failure;
  }
}

class Evaluation {
  readonly budget: Budget;
  readonly #scope: Scope;

  constructor(scope: Scope, budget: Budget) {
    this.#scope = scope;
    this.budget = budget;
  }

  value(node: Expression): Value {
    this.budget.step(node);
    switch (node.kind) {
      case "literal":
        return node.value;
      case "text":
        return this.text(node.template);
      case "list":
        this.budget.items(node.items.length, node);
        return node.items.map((item) => this.value(item));
      case "path":
        return this.#path(node);
      case "not":
        return !this.#boolean(node.operand, "not");
      case "negate":
        return this.#negated(node.operand, node);
      case "arithmetic":
        return calculate(node.operator, this.value(node.left), this.value(node.right), this.budget, node);
      case "logical":
        return this.#logical(node);
      case "comparison":
        return this.#comparison(node);
      case "conditional":
        return this.value(this.#boolean(node.condition, "if") ? node.then : node.otherwise);
      case "call":
        return node.name === "default" ? this.#default(node) : this.#call(node);
      case "access":
        return this.#access(node);
    }
  }

  text(template: Template): string {
    let result = "";
    for (const part of template.parts) {
      if (typeof part === "string") {
        result += part;
        continue;
      }
      const value = this.value(part.expression);
      if (typeof value === "object") this.budget.measure(value, part);
      const formatted = formatValue(value);
      this.budget.spend(formatted.length, part);
      this.budget.fits(result.length + formatted.length, part);
      result += formatted;
    }
    return result;
  }

  #path(node: PathNode): Value {
    const keys = this.#keys(node, node.root);
    const lookup = this.#scope.read(node.root, keys);
    if (lookup.found) return lookup.value;
    throw new EvaluationFailure(node, "missing-value", () => adviseDefault(lookup.message, writePath(node.root, keys)));
  }

  #access(node: AccessNode): Value {
    const written = node.value.kind === "call" ? `${node.value.name}(...)` : "value";
    const value = this.value(node.value);
    return found(readSteps(value, this.#keys(node, written), written), node);
  }

  #keys(node: PathNode | AccessNode, start: string): Key[] {
    const keys = node.steps.map(({ key }) => (typeof key === "object" ? this.#key(key, start) : key));
    const refused = keys.find((key) => refusedNames.has(String(key)));
    return refused === undefined ? keys : fail(node, "missing-value", refusedMessage(String(refused)));
  }

  #key(expression: Expression, start: string): Key {
    const key = this.value(expression);
    if (typeof key === "string" || typeof key === "number") return key;
    const message = `A key in ${start}...[] is text or a number, but this is ${describeValue(key)}.`;
    return fail(expression, "wrong-type", message);
  }

  #negated(operand: Expression, at: Span): Value {
    const value = this.value(operand);
    if (typeof value === "number") return finite(-value, at);
    return fail(at, "wrong-type", `- wants a number, but got ${describeValue(value)}.`);
  }

  #boolean(expression: Expression, wantedBy: string): boolean {
    const value = this.value(expression);
    if (typeof value === "boolean") return value;
    const message = `'${wantedBy}' wants true or false, but got ${describeValue(value)}. ${comparisonFor(value)}`;
    return fail(expression, "wrong-type", message);
  }

  #logical(node: LogicalNode): boolean {
    const decides = node.operator === "or";
    const left = whenKnown(() => this.#boolean(node.left, node.operator));
    if (left === decides) return decides;
    if (!(left instanceof UnknownRead)) return this.#boolean(node.right, node.operator);
    // Whatever the left side would turn out to be, the right one may decide.
    const right = this.#valueIfAny(node.right, () => true);
    if (right === decides) return decides;
    throw left;
  }

  /** Every operand is evaluated at most once, and none after the first comparison that does not hold. */
  #comparison(node: ComparisonNode): boolean {
    let left = this.value(node.operands[0] as Expression);
    for (const [index, operator] of node.operators.entries()) {
      const right = this.value(node.operands[index + 1] as Expression);
      if (!compare(operator, left, right, this.budget, node)) return false;
      left = right;
    }
    return true;
  }

  #default(node: CallNode): Value {
    const [wanted, other] = node.arguments as readonly [Expression, Expression];
    // A missing value is what default() is for; any other problem is a mistake it must not hide.
    return this.#valueIfAny(wanted, ({ code }) => code === "missing-value") ?? this.value(other);
  }

  /** Null for failures that are not to be heard of. */
  #valueIfAny(expression: Expression, isExpected: (failure: EvaluationFailure) => boolean): Value {
    try {
      return this.value(expression);
    } catch (failure) {
      if (failure instanceof EvaluationFailure && isExpected(failure)) return null;
      throw failure;
    }
  }

  #call(node: CallNode): Value {
    const definition = functions.get(node.name);
    if (definition === undefined) return fail(node, "invalid-argument", `There is no function ${node.name}().`);
    const args = node.arguments.map((argument) => this.value(argument));
    for (const [index, argument] of args.entries()) {
      const parameter = definition.parameters[index];
      const accepts = parameter?.accepts ?? "any";
      if (accepts === "any" || accepts.includes(typeOfValue(argument))) continue;
      const wanted = `${node.name}(): '${parameter?.name}' must be ${nameTypes(accepts)}`;
      fail(node.arguments[index] as Expression, "wrong-type", `${wanted}, but is ${describeValue(argument)}.`);
    }
    return definition.call(args, { budget: this.budget, start: node.start, end: node.end });
  }
}

function found(lookup: Lookup, at: Span): Value {
  if (lookup.found) return lookup.value;
  throw new EvaluationFailure(at, "missing-value", () => lookup.message);
}

/** What is not there yet, as on a first run, has a way to be written. */
function adviseDefault(message: string, path: string): string {
  return `${message} If it may be missing, write default(${path}, 0), or '' or [] instead of 0.`;
}

function comparisonFor(value: Value): string {
  if (value === null) return "Compare it: ... != null.";
  if (typeof value === "number") return "Compare it: ... != 0.";
  if (typeof value === "string") return "Compare it: ... != '', or convert it: bool(...).";
  return "Compare it: len(...) > 0.";
}
