import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ComparisonOperator, type Expression, refusedNames } from "../../src/expression/ast.ts";
import { evaluate } from "../../src/expression/evaluate.ts";
import { scopeOf } from "../../src/expression/test-scope.ts";
import { tree, treeData } from "../../src/expression/test-trees.ts";
import { longTimeout, scaled } from "../rig/scale.ts";

/**
 * A second evaluator, written on its own: ordinary objects, the platform's own functions, plain exceptions, no limits, and
 * nothing shared with the first but the tree.
 */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

class Missing extends Error {}
class Wrong extends Error {}

function wrong(): never {
  throw new Wrong();
}

const isText = (x: Json): x is string => typeof x === "string";
const isNumber = (x: Json): x is number => typeof x === "number";
const isMap = (x: Json): x is { [key: string]: Json } => x !== null && typeof x === "object" && !Array.isArray(x);
const truth = (x: Json): boolean => (typeof x === "boolean" ? x : wrong());
const finite = (x: number): number => (Number.isFinite(x) ? x + 0 : wrong());
const show = (x: Json): string => (x === null ? "" : isText(x) ? x : JSON.stringify(x));
const same = (x: Json, y: Json): boolean => x === y || isDeepStrictEqual(x, y);

function below(x: Json, y: Json): boolean {
  return (isNumber(x) && isNumber(y)) || (isText(x) && isText(y)) ? x < y : wrong();
}

function member(x: Json, y: Json): boolean {
  if (Array.isArray(y)) return y.findIndex((z) => same(x, z)) >= 0;
  if (isText(y)) return isText(x) ? y.includes(x) : wrong();
  return isMap(y) ? isText(x) && Object.keys(y).includes(x) : wrong();
}

function ordered(items: Json[]): Json[] {
  if (!items.every(isNumber) && !items.every(isText)) return wrong();
  return items.slice().sort((x, y) => (below(x, y) ? -1 : below(y, x) ? 1 : 0));
}

function pick(items: Json[], index: number): Json {
  const item = items.at(index);
  if (item === undefined) throw new Missing();
  return item;
}

function spread(args: Json[]): Json[] {
  if (args.length > 1) return args;
  return Array.isArray(args[0]) ? args[0] : wrong();
}

function numeral(x: Json, pattern: RegExp): number {
  if (!isText(x)) return Number(x);
  return pattern.test(x.trim()) ? finite(Number(x)) : wrong();
}

function count(start: number, stop: number, step: number): Json {
  if (![start, stop, step].every(Number.isInteger) || step === 0) return wrong();
  const result: Json[] = [];
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) result.push(at);
  return result;
}

function parsed(source: string): Json {
  try {
    return JSON.parse(source) as Json;
  } catch {
    return wrong();
  }
}

function boolean(x: Json): boolean {
  const word = String(x).trim().toLowerCase();
  if (["true", "yes", "1"].includes(word)) return true;
  return ["false", "no", "0"].includes(word) ? false : wrong();
}

const kinds: Record<string, (x: Json) => boolean> = {
  t: isText,
  n: isNumber,
  l: Array.isArray,
  m: isMap,
  s: (x) => x !== null && typeof x !== "object",
  c: (x) => isText(x) || (x !== null && typeof x === "object"),
  a: () => true,
};

function waypoints(path: string): string[] {
  const names = path.split(".");
  return names.some((name) => name === "" || refusedNames.has(name)) || names.length > 100 ? wrong() : names;
}

function reach(from: Json, names: string[]): Json {
  return names.reduce<Json>((value, name) => {
    const isOpen = Array.isArray(value) ? /^\d+$/.test(name) : isMap(value);
    return isOpen
      ? ((Object.getOwnPropertyDescriptor(value, String(Array.isArray(value) ? Number(name) : name))?.value as Json) ??
          null)
      : null;
  }, from);
}

function paired(first: Json[], others: Json[][]): Json[] {
  return first
    .slice(0, Math.min(first.length, ...others.map((x) => x.length)))
    .map((item, at) => [item, ...others.map((x) => x[at] as Json)]);
}

/** Every function by the kinds of its arguments, one letter each. */
// biome-ignore lint/suspicious/noExplicitAny: the letters say what the types are, and are checked before each call.
const library: Record<string, [string, (...args: any[]) => Json]> = {
  len: ["c", (x: Json) => (isText(x) ? Array.from(x).length : Object.entries(x as object).length)],
  lower: ["t", (x: string) => x.toLowerCase()],
  upper: ["t", (x: string) => x.toUpperCase()],
  trim: ["t", (x: string) => x.trim()],
  split: [
    "tt",
    (x: string, y?: string) => (y === undefined ? (x.match(/\S+/g) ?? []) : y === "" ? wrong() : x.split(y)),
  ],
  join: ["lt", (x: Json[], y = "") => x.map(show).join(y)],
  replace: ["ttt", (x: string, y: string, z: string) => (y === "" ? wrong() : x.replaceAll(y, () => z))],
  contains: ["ca", (x: Json, y: Json) => member(y, x)],
  startswith: ["tt", (x: string, y: string) => x.slice(0, y.length) === y],
  endswith: ["tt", (x: string, y: string) => y === "" || x.slice(-y.length) === y],
  json: ["a", (x: Json) => JSON.stringify(x)],
  from_json: ["t", parsed],
  keys: ["m", (x: object) => Object.entries(x).map(([key]) => key)],
  values: ["m", (x: Record<string, Json>) => Object.entries(x).map(([, value]) => value)],
  first: ["l", (x: Json[]) => pick(x, 0)],
  last: ["l", (x: Json[]) => pick(x, -1)],
  min: ["aaa", (...args: Json[]) => pick(ordered(spread(args)), 0)],
  max: ["aaa", (...args: Json[]) => pick(ordered(spread(args)), -1)],
  sum: ["l", (x: Json[]) => finite(x.reduce<number>((total, item) => (isNumber(item) ? total + item : wrong()), 0))],
  sorted: ["l", ordered],
  unique: ["l", (x: Json[]) => x.filter((item, at) => x.findIndex((other) => same(item, other)) === at)],
  range: ["nnn", (x: number, y?: number, z = 1) => (y === undefined ? count(0, x, 1) : count(x, y, z))],
  basename: ["t", (x: string) => x.replace(/\/+$/, "").split("/").at(-1) ?? ""],
  dirname: ["t", (x: string) => x.match(/^(.*[^/])\/+[^/]+\/*$/s)?.[1] ?? (x.startsWith("/") ? "/" : ".")],
  int: ["s", (x: Json) => Math.trunc(numeral(x, /^[+-]?\d+$/)) + 0],
  float: ["s", (x: Json) => numeral(x, /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i) + 0],
  string: ["a", show],
  bool: ["s", boolean],
  pluck: ["lt", (x: Json[], y: string) => x.map((item) => reach(item, waypoints(y)))],
  where: ["lta", (x: Json[], y: string, z: Json) => x.filter((item) => same(reach(item, waypoints(y)), z))],
  zip: ["l".repeat(20), (x: Json[], ...others: Json[][]) => paired(x, others)],
  flatten: ["l", (x: Json[]) => x.flat(1) as Json[]],
};

type Data = Record<string, Json>;

function call(name: string, args: Json[]): Json {
  const [letters, implementation] = library[name] as [string, (...args: Json[]) => Json];
  if (!args.every((arg, index) => kinds[letters[index] as string]?.(arg))) return wrong();
  return implementation(...args);
}

function follow(from: Json, keys: Json[]): Json {
  return keys.reduce<Json>((value, key) => {
    const open = Array.isArray(value) ? isNumber(key) : isMap(value);
    if (!open || !Object.hasOwn(value as object, String(key))) throw new Missing();
    return (value as Data)[String(key)] as Json;
  }, from);
}

function asKey(key: Json): Json {
  return isText(key) || isNumber(key) ? key : wrong();
}

function holds(operator: ComparisonOperator, left: Json, right: Json): boolean {
  if (operator === "==" || operator === "!=") return same(left, right) === (operator === "==");
  if (operator === "in" || operator === "not in") return member(left, right) === (operator === "in");
  if (operator === "<" || operator === ">=") return below(left, right) === (operator === "<");
  return below(right, left) === (operator === ">");
}

function arithmetic(operator: string, left: Json, right: Json): Json {
  if (operator === "+" && isText(left) && isText(right)) return `${left}${right}`;
  if (operator === "+" && Array.isArray(left) && Array.isArray(right)) return left.concat(right);
  if (!isNumber(left) || !isNumber(right)) return wrong();
  if (operator === "+") return finite(left + right);
  if (operator === "-") return finite(left - right);
  if (operator === "*") return finite(left * right);
  if (operator === "/") return finite(left / right);
  return finite(((left % right) + right) % right);
}

function withDefault(wanted: () => Json, other: () => Json): Json {
  try {
    return wanted() ?? other();
  } catch (error) {
    if (error instanceof Missing) return other();
    throw error;
  }
}

function interpret(node: Expression, data: Data): Json {
  const run = (inner: Expression | undefined): Json => interpret(inner as Expression, data);
  if (node.kind === "literal") return node.value;
  if (node.kind === "list") return node.items.map(run);
  if (node.kind === "text") {
    return node.template.parts.map((part) => (typeof part === "string" ? part : show(run(part.expression)))).join("");
  }
  if (node.kind === "path") {
    const keys = node.steps.map(({ key }) => (typeof key === "object" ? asKey(run(key)) : key));
    return follow(data, [node.root, ...keys]);
  }
  if (node.kind === "access") {
    const value = run(node.value);
    const keys = node.steps.map(({ key }) => (typeof key === "object" ? asKey(run(key)) : key));
    return follow(value, keys);
  }
  if (node.kind === "not") return truth(run(node.operand)) === false;
  if (node.kind === "negate") return arithmetic("-", 0, run(node.operand));
  if (node.kind === "arithmetic") return arithmetic(node.operator, run(node.left), run(node.right));
  if (node.kind === "conditional") return run(truth(run(node.condition)) ? node.then : node.otherwise);
  if (node.kind === "logical") {
    const left = truth(run(node.left));
    return node.operator === "and" ? left && truth(run(node.right)) : left || truth(run(node.right));
  }
  if (node.kind === "comparison") {
    let left = run(node.operands[0]);
    return node.operators.every((operator, index) => {
      const right = run(node.operands[index + 1]);
      const result = holds(operator, left, right);
      left = right;
      return result;
    });
  }
  if (node.name !== "default") return call(node.name, node.arguments.map(run));
  return withDefault(
    () => run(node.arguments[0]),
    () => run(node.arguments[1]),
  );
}

function outcome(run: () => Json): unknown {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof Missing) return "missing";
    if (error instanceof Wrong) return "wrong";
    throw error;
  }
}

const copy = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

const runs = scaled({ slice: 1_500, long: 300_000 });

test("two evaluators written apart agree on every tree", { timeout: longTimeout }, () => {
  const seen = { values: 0, missing: 0, wrong: 0 };
  fc.assert(
    fc.property(tree, treeData, (node, data) => {
      const result = evaluate(node, scopeOf(data));
      const expected = outcome(() => interpret(node, copy(data) as Data));
      if (result.ok) {
        expect({ value: copy(result.value) }).toEqual(expected);
        seen.values++;
      } else {
        const kind = result.error.code === "missing-value" ? "missing" : "wrong";
        expect(kind).toEqual(expected);
        seen[kind]++;
      }
    }),
    { seed: 20_240_817, numRuns: runs },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(runs / 10);
});
