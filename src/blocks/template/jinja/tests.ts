import { areEqual, compareData, contains } from "./compare-data.ts";
import type { Arguments } from "./data.ts";
import { Callable, type Data, fail, isFloat, isNumber, itemsOf, toNumber, Undefined, useDefined } from "./data.ts";
import { bind, type Machine } from "./machine.ts";
import { remainder } from "./operate.ts";

export type Test = (machine: Machine, value: Data, args: Arguments) => boolean;

const plain =
  (test: (value: Data) => boolean): Test =>
  (_machine, value, args) => {
    bind([], args);
    return test(value);
  };

const against =
  (test: (value: Data, other: Data) => boolean): Test =>
  (_machine, value, args) => {
    const [other] = bind(["other"], args);
    return test(
      useDefined(value),
      other === undefined ? fail("it needs something to compare with") : useDefined(other),
    );
  };

const isInteger = (value: Data): boolean => isNumber(value) && typeof value !== "boolean" && !isFloat(value);
const number = (value: Data): number =>
  isNumber(useDefined(value)) ? toNumber(value as number) : fail("it needs a number");
const modulo = (value: Data, by: Data): number => {
  const divisor = number(by);
  return divisor === 0 ? fail("it divides by zero") : remainder(number(value), divisor);
};

const equal = against((value, other) => areEqual(value, other));
const unequal = against((value, other) => !areEqual(value, other));
const less = against((value, other) => compareData(value, other) < 0);
const greater = against((value, other) => compareData(value, other) > 0);
const atMost = against((value, other) => compareData(value, other) <= 0);
const atLeast = against((value, other) => compareData(value, other) >= 0);
const edge = (test: (text: string, mark: string) => boolean): Test =>
  against((value, mark) => typeof value === "string" && typeof mark === "string" && test(value, mark));

/** What can stand behind `is`. The last three are no tests of Jinja2. */
export const tests: Readonly<Record<string, Test>> = {
  defined: plain((value) => !(value instanceof Undefined)),
  undefined: plain((value) => value instanceof Undefined),
  none: plain((value) => value === null),
  boolean: plain((value) => typeof value === "boolean"),
  true: plain((value) => value === true),
  false: plain((value) => value === false),
  integer: plain(isInteger),
  float: plain(isFloat),
  number: plain(isNumber),
  string: plain((value) => typeof value === "string"),
  mapping: plain((value) => value instanceof Map),
  sequence: plain((value) => typeof value === "string" || value instanceof Map || itemsOf(value) !== undefined),
  iterable: plain((value) => typeof value === "string" || value instanceof Map || itemsOf(value) !== undefined),
  callable: plain((value) => value instanceof Callable),
  escaped: plain(() => false),
  lower: (machine, value) => isCased(machine.text(value)) && machine.text(value) === machine.text(value).toLowerCase(),
  upper: (machine, value) => isCased(machine.text(value)) && machine.text(value) === machine.text(value).toUpperCase(),
  odd: plain((value) => modulo(value, 2) === 1),
  even: plain((value) => modulo(value, 2) === 0),
  divisibleby: against((value, by) => modulo(value, by) === 0),
  in: against((value, container) => contains(container, value)),
  sameas: against((value, other) => value === other),
  eq: equal,
  equalto: equal,
  "==": equal,
  ne: unequal,
  "!=": unequal,
  lt: less,
  lessthan: less,
  "<": less,
  gt: greater,
  greaterthan: greater,
  ">": greater,
  le: atMost,
  "<=": atMost,
  ge: atLeast,
  ">=": atLeast,
  startingwith: edge((text, mark) => text.startsWith(mark)),
  endingwith: edge((text, mark) => text.endsWith(mark)),
  containing: against((value, part) => contains(value, part)),
};

function isCased(text: string): boolean {
  return text.toLowerCase() !== text.toUpperCase();
}
