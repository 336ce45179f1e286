import type { Argument, Comparison, Expression } from "./ast.ts";
import { areEqual, compareData, contains, isTrue } from "./compare-data.ts";
import {
  type Arguments,
  asKey,
  Callable,
  charactersOf,
  type Data,
  type Dict,
  describeKind,
  fail,
  isFloat,
  isNumber,
  itemsOf,
  makeFloat,
  makeInteger,
  orElse,
  TemplateProblem,
  Tuple,
  toNumber,
  Undefined,
  useDefined,
} from "./data.ts";
import { findFilter, findTest, unknownFilter, unknownFunction, unknownTest } from "./filters.ts";
import type { Limits } from "./limits.ts";
import type { Machine } from "./machine.ts";
import { findMethod } from "./methods.ts";
import { operate } from "./operate.ts";
import { readItem } from "./read-item.ts";
import type { Scope } from "./scope.ts";
import { writeText } from "./write-data.ts";

/** What expressions come to, and what filters and tests may use of them. */
export class Evaluator implements Machine {
  readonly limits: Limits;
  readonly strict: boolean;
  /** Of what is evaluated now. */
  line = 1;

  constructor(strict: boolean, limits: Limits) {
    this.strict = strict;
    this.limits = limits;
  }

  text(value: Data): string {
    if (this.#isEmpty(value)) return "";
    return writeText(value, (length) => this.limits.text(length));
  }

  items(value: Data): readonly Data[] {
    if (this.#isEmpty(value)) return [];
    const items = itemsOf(useDefined(value));
    if (items !== undefined) return items;
    if (value instanceof Map) return [...value.keys()];
    if (typeof value === "string") {
      this.limits.pieces(value);
      return Array.from(value);
    }
    return fail(`${describeKind(value)} has no items to go through`);
  }

  isTrue(value: Data): boolean {
    if (value instanceof Undefined && !this.#isEmpty(value)) useDefined(value);
    return isTrue(value);
  }

  #isEmpty(value: Data): boolean {
    return value instanceof Undefined && (value.isQuiet || !this.strict);
  }

  filter(name: string, value: Data, args: Arguments): Data {
    this.limits.step();
    const filter = findFilter(name) ?? fail(unknownFilter(name) ?? name);
    if (name !== "default" && name !== "d" && !this.#isEmpty(value)) useDefined(value);
    return named(`the filter '${name}'`, () => filter(this, value, args));
  }

  test(name: string, value: Data, args: Arguments): boolean {
    this.limits.step();
    const test = findTest(name) ?? fail(unknownTest(name) ?? name);
    return named(`the test '${name}'`, () => test(this, value, args));
  }

  evaluate(node: Expression, scope: Scope): Data {
    this.limits.step();
    this.line = node.line;
    switch (node.kind) {
      case "literal":
        return node.value;
      case "float":
        return makeFloat(node.value);
      case "name":
        return orElse(scope.get(node.name), () => new Undefined(node.name));
      case "list":
        return node.items.map((item) => this.evaluate(item, scope));
      case "tuple":
        return new Tuple(node.items.map((item) => this.evaluate(item, scope)));
      case "map":
        return this.#makeMap(node.entries, scope);
      case "attribute":
        return this.#readAttribute(node, scope);
      case "index":
        return this.#readIndex(node, scope);
      case "slice":
        return this.#slice(node, scope);
      case "call":
        return this.call(node, scope);
      case "filter":
        return this.#atLine(node.line, this.filter.bind(this), node, scope);
      case "test":
        return this.#atLine(node.line, this.test.bind(this), node, scope) !== node.negated;
      case "not":
        return !this.isTrue(this.evaluate(node.of, scope));
      case "negative":
      case "positive":
        return this.#signed(node.kind, this.evaluate(node.of, scope));
      case "and": {
        const left = this.evaluate(node.left, scope);
        return this.isTrue(left) ? this.evaluate(node.right, scope) : left;
      }
      case "or": {
        const left = this.evaluate(node.left, scope);
        return this.isTrue(left) ? left : this.evaluate(node.right, scope);
      }
      case "operation":
        return this.#operate(node, scope);
      case "comparison":
        return this.#compare(node, scope);
      case "choice":
        if (this.isTrue(this.evaluate(node.test, scope))) return this.evaluate(node.yes, scope);
        return node.no === undefined ? new Undefined("the other case of an 'if'", true) : this.evaluate(node.no, scope);
    }
  }

  arguments(args: readonly Argument[], scope: Scope): Arguments {
    const positional: Data[] = [];
    const byName = new Map<string, Data>();
    for (const { name, spread, value } of args) {
      const given = this.evaluate(value, scope);
      if (name !== undefined) byName.set(name, given);
      else if (spread === "list") for (const item of this.items(given)) positional.push(item);
      else if (spread === "map" && given instanceof Map) for (const [key, item] of given) byName.set(String(key), item);
      else positional.push(given);
    }
    this.limits.items(positional.length);
    return { positional, named: byName };
  }

  /** `extra` are arguments that the call itself does not name. */
  call(
    node: Extract<Expression, { kind: "call" }>,
    scope: Scope,
    extra: readonly (readonly [string, Data])[] = [],
  ): Data {
    const { line } = node;
    const finish = (perform: (args: Arguments) => Data): Data => {
      const { positional, named: byName } = this.arguments(node.args, scope);
      this.line = line;
      const result = perform({ positional, named: new Map([...byName, ...extra]) });
      this.line = line;
      return result;
    };
    if (node.of.kind === "attribute") {
      const { name } = node.of;
      const owner = useDefined(this.evaluate(node.of.of, scope));
      const method = findMethod(owner, name);
      if (method !== undefined) return finish((args) => named(`'${name}'`, () => method(this, owner, args)));
      const found = readItem(owner, name);
      if (found instanceof Callable) return finish((args) => this.limits.nested(() => found.call(args)));
      return fail(`${describeKind(owner)} has no method '${name}'`);
    }
    const called = this.evaluate(node.of, scope);
    if (called instanceof Callable) return finish((args) => this.limits.nested(() => called.call(args)));
    if (node.of.kind === "name" && called instanceof Undefined) {
      return fail(unknownFunction(node.of.name));
    }
    return fail(`${describeKind(useDefined(called))} can't be called`);
  }

  #atLine<T>(
    line: number,
    use: (name: string, value: Data, args: Arguments) => T,
    node: Extract<Expression, { kind: "filter" | "test" }>,
    scope: Scope,
  ): T {
    const value = this.evaluate(node.of, scope);
    const args = this.arguments(node.args, scope);
    this.line = line;
    return use(node.name, value, args);
  }

  #makeMap(entries: readonly (readonly [Expression, Expression])[], scope: Scope): Dict {
    const map: Dict = new Map();
    for (const [key, item] of entries) map.set(asKey(this.evaluate(key, scope)), this.evaluate(item, scope));
    return map;
  }

  #readAttribute(node: Extract<Expression, { kind: "attribute" }>, scope: Scope): Data {
    const owner = useDefined(this.evaluate(node.of, scope));
    const found = readItem(owner, node.name);
    if (found !== undefined) return found;
    if (findMethod(owner, node.name) !== undefined) return fail(`'${node.name}' is a method: call it with ()`);
    return new Undefined(pathOf(node));
  }

  #readIndex(node: Extract<Expression, { kind: "index" }>, scope: Scope): Data {
    const owner = useDefined(this.evaluate(node.of, scope));
    const key = useDefined(this.evaluate(node.key, scope));
    return orElse(readItem(owner, key), () => new Undefined(pathOf(node)));
  }

  #slice(node: Extract<Expression, { kind: "slice" }>, scope: Scope): Data {
    const owner = useDefined(this.evaluate(node.of, scope));
    const [start, end, by] = node.parts.map((part) => (part === undefined ? null : this.evaluate(part, scope)));
    const sequence = typeof owner === "string" ? charactersOf(owner) : itemsOf(owner);
    if (sequence === undefined) return fail(`${describeKind(owner)} has no parts`);
    const step = bound(by) ?? 1;
    if (step === 0) return fail("the step of a slice can't be 0");
    const { length } = sequence;
    const place = (value: number | undefined, otherwise: number): number => {
      if (value === undefined) return otherwise;
      const at = value < 0 ? value + length : value;
      return Math.max(step < 0 ? -1 : 0, Math.min(step < 0 ? length - 1 : length, at));
    };
    const [from, to] = [place(bound(start), step < 0 ? length - 1 : 0), place(bound(end), step < 0 ? -1 : length)];
    const items: Data[] = [];
    for (let at = from; step < 0 ? at > to : at < to; at += step) items.push(sequence[at] as Data);
    this.limits.items(items.length);
    if (typeof owner === "string") return items.join("");
    return Array.isArray(owner) ? items : new Tuple(items);
  }

  #signed(kind: "negative" | "positive", value: Data): Data {
    if (!isNumber(useDefined(value))) return fail(`${describeKind(value)} has no sign`);
    const number = toNumber(value as number);
    const signed = kind === "negative" ? -number : number;
    return isFloat(value) ? makeFloat(signed) : makeInteger(signed);
  }

  #operate(node: Extract<Expression, { kind: "operation" }>, scope: Scope): Data {
    const left = this.evaluate(node.left, scope);
    const right = this.evaluate(node.right, scope);
    this.line = node.line;
    if (node.operator !== "~") return operate(node.operator, left, right, this.limits);
    const [one, other] = [this.text(left), this.text(right)];
    // A text that grows is not copied, so only what is added to it costs anything.
    this.limits.fits(one.length + other.length);
    this.limits.text(Math.min(one.length, other.length));
    return one + other;
  }

  #compare(node: Extract<Expression, { kind: "comparison" }>, scope: Scope): Data {
    let left = this.evaluate(node.first, scope);
    for (const [comparison, operand] of node.rest) {
      const right = this.evaluate(operand, scope);
      this.line = node.line;
      if (this.strict || comparison.startsWith("<") || comparison.startsWith(">")) {
        useDefined(left);
        useDefined(right);
      }
      if (!this.#holds(comparison, left, right)) return false;
      left = right;
    }
    return true;
  }

  #holds(comparison: Comparison, left: Data, right: Data): boolean {
    switch (comparison) {
      case "==":
        return areEqual(left, right);
      case "!=":
        return !areEqual(left, right);
      case "in":
      case "not in": {
        const container = right instanceof Undefined ? this.items(right) : right;
        this.limits.items(itemsOf(right)?.length ?? 0);
        return contains(container as Data, left) === (comparison === "in");
      }
      default: {
        const difference = compareData(left, right);
        if (comparison.startsWith("<")) return difference < 0 || (comparison === "<=" && difference === 0);
        return difference > 0 || (comparison === ">=" && difference === 0);
      }
    }
  }
}

function bound(value: Data | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  return isNumber(value) && !isFloat(value) ? toNumber(value) : fail("the parts of a slice must be whole numbers");
}

/** How a template calls a value, for the message that there is none. */
function pathOf(node: Expression): string {
  switch (node.kind) {
    case "name":
      return node.name;
    case "attribute":
      return `${pathOf(node.of)}.${node.name}`;
    case "index": {
      const key = node.key.kind === "literal" ? node.key.value : undefined;
      return `${pathOf(node.of)}[${typeof key === "string" ? `'${key}'` : (key ?? "...")}]`;
    }
    default:
      return "the value";
  }
}

/** What is wrong with arguments is told of whatever takes them. */
function named<T>(what: string, perform: () => T): T {
  try {
    return perform();
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    error.message = error.message.replace(/^it (?=needs (?!more)|is given|expects|takes (?:no|values))/, `${what} `);
    throw error;
  }
}
