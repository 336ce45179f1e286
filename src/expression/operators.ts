import type { ArithmeticOperator, ComparisonOperator, Span } from "./ast.ts";
import type { Budget } from "./budget.ts";
import { finite, isMember } from "./collection-functions.ts";
import { equalValues } from "./compare-values.ts";
import { fail } from "./evaluation-problem.ts";
import { describeValue } from "./format-value.ts";
import { isList, type Value } from "./value.ts";

export function compare(operator: ComparisonOperator, left: Value, right: Value, budget: Budget, at: Span): boolean {
  switch (operator) {
    case "==":
      return equalValues(left, right, budget, at);
    case "!=":
      return !equalValues(left, right, budget, at);
    case "in":
      return isMember(left, right, { budget, start: at.start, end: at.end });
    case "not in":
      return !isMember(left, right, { budget, start: at.start, end: at.end });
    default:
      return order(operator, left, right, budget, at);
  }
}

function order(operator: "<" | "<=" | ">" | ">=", left: Value, right: Value, budget: Budget, at: Span): boolean {
  if (typeof left === "string" && typeof right === "string") {
    budget.spend(Math.min(left.length, right.length), at);
    return holds(operator, left < right, left === right);
  }
  if (typeof left === "number" && typeof right === "number") return holds(operator, left < right, left === right);
  const mixed =
    typeof left === "string" ? typeof right === "number" : typeof right === "string" && typeof left === "number";
  const hint = mixed
    ? "Convert the text with int(...) or float(...) first."
    : "Only two numbers or two texts have an order.";
  return fail(
    at,
    "wrong-type",
    `${operator} can't compare ${describeValue(left)} with ${describeValue(right)}. ${hint}`,
  );
}

function holds(operator: "<" | "<=" | ">" | ">=", less: boolean, same: boolean): boolean {
  if (operator === "<") return less;
  if (operator === "<=") return less || same;
  return operator === ">" ? !less && !same : !less;
}

export function calculate(operator: ArithmeticOperator, left: Value, right: Value, budget: Budget, at: Span): Value {
  if (typeof left === "number" && typeof right === "number")
    return finite(calculateNumbers(operator, left, right, at), at);
  if (operator !== "+") {
    const message = `${operator} wants two numbers, but got ${describeValue(left)} and ${describeValue(right)}.`;
    return fail(at, "wrong-type", `${message}${numberHint(left, right)}`);
  }
  if (typeof left === "string" && typeof right === "string") {
    budget.text(left.length + right.length, at);
    return left + right;
  }
  if (isList(left) && isList(right)) {
    budget.items(left.length + right.length, at);
    return [...left, ...right];
  }
  const pair = `${describeValue(left)} and ${describeValue(right)}`;
  const hint = typeof left === "string" || typeof right === "string" ? " To join them as text, use string(...)." : "";
  return fail(at, "wrong-type", `+ wants two numbers, two texts or two lists, but got ${pair}.${hint}`);
}

function numberHint(left: Value, right: Value): string {
  return typeof left === "string" || typeof right === "string"
    ? " A text becomes a number with int(...) or float(...)."
    : "";
}

function calculateNumbers(operator: ArithmeticOperator, left: number, right: number, at: Span): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / nonZero(right, left, operator, at);
    case "%":
      return remainder(left, nonZero(right, left, operator, at));
  }
}

/** The remainder has the sign of the divisor, as in Python: -1 % 3 is 2. */
function remainder(left: number, right: number): number {
  const result = left % right;
  return result !== 0 && result < 0 !== right < 0 ? result + right : result;
}

function nonZero(divisor: number, dividend: number, operator: string, at: Span): number {
  if (divisor !== 0) return divisor;
  return fail(
    at,
    "division-by-zero",
    `${dividend} ${operator} 0 has no result. Test for 0 first: a / b if b != 0 else 0.`,
  );
}
