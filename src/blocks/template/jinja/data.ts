/**
 * What templates work on: Python's values as far as Jinja2 shows them. Nothing of JavaScript is reached through them: a map is a
 * `Map`, and attributes are looked up in tables that are written out.
 */
export type Key = string | number | boolean | null;
export type Dict = Map<Key, Data>;
export type Data =
  | null
  | boolean
  | number
  | string
  | Data[]
  | Tuple
  | Map<Key, Data>
  | WholeFloat
  | Undefined
  | Callable
  | Namespace;

/** A float without a fraction, which Python writes as 2.0. Every other number that is no safe integer is a float as it is. */
export class WholeFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export class Tuple {
  readonly items: readonly Data[];
  /** What its items can be called, as in a group of `groupby`. */
  readonly names: readonly string[];

  constructor(items: readonly Data[], names: readonly string[] = []) {
    this.items = items;
    this.names = names;
  }
}

/** What there is not; `path` is how the template called it. */
export class Undefined {
  readonly path: string;
  /** Empty even in a strict template: the other case of an `if` without `else`. */
  readonly isQuiet: boolean;

  constructor(path: string, isQuiet = false) {
    this.path = path;
    this.isQuiet = isQuiet;
  }
}

export interface Arguments {
  readonly positional: readonly Data[];
  readonly named: ReadonlyMap<string, Data>;
}

export interface Attributes {
  get(name: string): Data | undefined;
}

export class Callable {
  readonly name: string;
  readonly call: (args: Arguments) => Data;
  readonly attributes: Attributes;

  constructor(name: string, call: (args: Arguments) => Data, attributes: Attributes = new Map()) {
    this.name = name;
    this.call = call;
    this.attributes = attributes;
  }
}

/** The one thing whose attributes a template can set. */
export class Namespace {
  readonly values: Map<string, Data>;

  constructor(values: Map<string, Data>) {
    this.values = values;
  }
}

/** Why a template does not render; the line is known where it is caught. */
export class TemplateProblem extends Error {}

const longestMessage = 400;

/** A text that a message quotes may be as long as texts may be. */
export function fail(message: string): never {
  throw new TemplateProblem(message.length > longestMessage ? `${message.slice(0, longestMessage)}...` : message);
}

/** Data of the world outside, without anything of it shared. */
export function fromOutside(value: unknown): Data {
  if (value === null || typeof value !== "object") return value as Data;
  if (Array.isArray(value)) return value.map(fromOutside);
  return new Map(Object.entries(value).map(([key, item]) => [key, fromOutside(item)]));
}

export function isNumber(value: Data): value is number | boolean | WholeFloat {
  return typeof value === "number" || typeof value === "boolean" || value instanceof WholeFloat;
}

export function isFloat(value: Data): boolean {
  return value instanceof WholeFloat || (typeof value === "number" && !Number.isSafeInteger(value));
}

export function toNumber(value: number | boolean | WholeFloat): number {
  return value instanceof WholeFloat ? value.value : Number(value);
}

export function makeFloat(value: number): Data {
  return Number.isSafeInteger(value) ? new WholeFloat(value) : value;
}

export function makeInteger(value: number): Data {
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return fail("a whole number is too large to be kept exactly");
}

/** The items of a list or a tuple. */
export function itemsOf(value: Data): readonly Data[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof Tuple ? value.items : undefined;
}

/** What is there, which may be none, or something else: `??` would take none for nothing. */
export function orElse<T>(value: Data | undefined, instead: () => T): Data | T {
  return value === undefined ? instead() : value;
}

export function useDefined(value: Data): Data {
  if (value instanceof Undefined) failUndefined(value);
  return value;
}

/** What expressions of the workflow read, and templates don't. */
const outsideNames = new Set(["inputs", "blocks", "vars", "each", "metadata", "run"]);

export function failUndefined({ path }: Undefined): never {
  const advice = outsideNames.has(path)
    ? ": a template reads what it is given under `variables`"
    : path === "null"
      ? ": write none"
      : "";
  return fail(`'${path}' is not defined${advice}`);
}

/** What kind of value it is, for messages. */
export function describeKind(value: Data): string {
  if (value === null) return "none";
  if (typeof value === "string") return "a text";
  if (typeof value === "boolean") return "a boolean";
  if (isNumber(value)) return "a number";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Tuple) return "a tuple";
  if (value instanceof Map) return "a map";
  if (value instanceof Undefined) return "not defined";
  return value instanceof Namespace ? "a namespace" : `the function ${value.name}`;
}

const surrogate = /[\ud800-\udfff]/;

/** The characters of a text as Python counts them. */
export function charactersOf(text: string): ArrayLike<string> {
  return surrogate.test(text) ? Array.from(text) : text;
}

export function sliceText(text: string, start: number, end?: number): string {
  return surrogate.test(text) ? Array.from(text).slice(start, end).join("") : text.slice(start, end);
}

export function asKey(value: Data): Key {
  const key = value instanceof WholeFloat ? value.value : useDefined(value);
  if (key === null || typeof key !== "object") return key as Key;
  return fail(`a key of a map can't be ${describeKind(value)}`);
}
