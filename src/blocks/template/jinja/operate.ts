import type { Operator } from "./ast.ts";
import {
  type Data,
  describeKind,
  fail,
  isFloat,
  isNumber,
  itemsOf,
  makeFloat,
  makeInteger,
  Tuple,
  toNumber,
  useDefined,
} from "./data.ts";
import { formatPercent } from "./format-percent.ts";
import type { Limits } from "./limits.ts";

/** What an operator makes of two values, all but `~`. */
export function operate(operator: Operator, left: Data, right: Data, limits: Limits): Data {
  useDefined(left);
  useDefined(right);
  if (isNumber(left) && isNumber(right)) return calculate(operator, left, right);
  if (operator === "+") return add(left, right, limits);
  if (operator === "*") {
    if (isNumber(left) && !isFloat(left)) return repeat(right, toNumber(left), limits);
    if (isNumber(right) && !isFloat(right)) return repeat(left, toNumber(right), limits);
  }
  if (operator === "%" && typeof left === "string") return formatPercent(left, argumentsOf(right), limits);
  return refuse(operator, left, right);
}

function argumentsOf(value: Data): readonly Data[] | Map<Data, Data> {
  if (value instanceof Map) return value as Map<Data, Data>;
  return value instanceof Tuple ? value.items : [value];
}

type NumberLike = Parameters<typeof toNumber>[0];

function calculate(operator: Operator, left: NumberLike, right: NumberLike): Data {
  const [one, other] = [toNumber(left), toNumber(right)];
  const make = isFloat(left) || isFloat(right) ? makeFloat : makeInteger;
  switch (operator) {
    case "+":
      return make(one + other);
    case "-":
      return make(one - other);
    case "*":
      return make(one * other);
    case "/":
      return makeFloat(one / divisor(other));
    case "//":
      return make(Math.round((one - remainder(one, divisor(other))) / other));
    case "%":
      return make(remainder(one, divisor(other)));
    case "**":
      return other < 0 ? makeFloat(one ** other) : make(one ** other);
    case "~":
      return fail("'~' joins texts");
  }
}

function divisor(value: number): number {
  return value === 0 ? fail("it divides by zero") : value;
}

function add(left: Data, right: Data, limits: Limits): Data {
  if (typeof left === "string" && typeof right === "string") {
    limits.fits(left.length + right.length);
    limits.text(Math.min(left.length, right.length));
    return left + right;
  }
  const [one, other] = [itemsOf(left), itemsOf(right)];
  if (one === undefined || other === undefined || Array.isArray(left) !== Array.isArray(right)) {
    return refuse("+", left, right);
  }
  limits.items(one.length + other.length);
  const items = [...one, ...other];
  return Array.isArray(left) ? items : new Tuple(items);
}

function repeat(value: Data, count: number, limits: Limits): Data {
  const times = Math.max(0, count);
  if (typeof value === "string") {
    limits.text(value.length * times);
    return value.repeat(times);
  }
  const items = itemsOf(value);
  if (items === undefined) return refuse("*", value, count);
  limits.items(items.length * times);
  const repeated = Array.from({ length: items.length * times }, (_, index) => items[index % items.length] as Data);
  return Array.isArray(value) ? repeated : new Tuple(repeated);
}

function refuse(operator: Operator, left: Data, right: Data): never {
  const hint =
    operator === "+" && (typeof left === "string" || typeof right === "string") ? "; join texts with '~'" : "";
  return fail(`'${operator}' does not work on ${describeKind(left)} and ${describeKind(right)}${hint}`);
}

/** It has the sign of the divisor, as in Python. */
export function remainder(value: number, by: number): number {
  const rest = value % by;
  if (rest === 0) return by < 0 ? -0 : 0;
  return rest < 0 === by < 0 ? rest : rest + by;
}
