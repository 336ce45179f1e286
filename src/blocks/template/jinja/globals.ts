import { asKey, Callable, type Data, type Dict, fail, Namespace } from "./data.ts";
import { bind, integer, type Machine } from "./machine.ts";
import { entriesOf } from "./methods.ts";

/** The functions that every template has. */
export function createGlobals(machine: Machine): Map<string, Data> {
  const made: [string, Callable["call"]][] = [
    ["range", ({ positional }) => range(machine, positional)],
    [
      "dict",
      ({ positional, named }) => {
        const entries = [...positional.flatMap((given) => entriesOf(machine, given)), ...named];
        machine.limits.items(entries.length);
        const map: Dict = new Map();
        for (const [key, item] of entries) map.set(asKey(key), item);
        return map;
      },
    ],
    [
      "namespace",
      ({ positional, named }) => {
        const entries = [...positional.flatMap((given) => entriesOf(machine, given)), ...named];
        return new Namespace(new Map(entries.map(([key, item]) => [String(key), item])));
      },
    ],
    ["cycler", ({ positional }) => createCycler(positional)],
    ["joiner", (args) => createJoiner(machine.text(bind(["sep"], args)[0] ?? ", "))],
  ];
  return new Map(made.map(([name, call]) => [name, new Callable(name, call)]));
}

const longestRange = 100_000;

function range(machine: Machine, given: readonly Data[]): Data {
  const [first, second, third] = given.map((value) => integer(value, 0));
  if (first === undefined || given.length > 3) return fail("range takes one to three numbers");
  const [start, end, step] = second === undefined ? [0, first, 1] : [first, second, third ?? 1];
  if (step === 0) return fail("the step of a range can't be 0");
  const length = Math.max(0, Math.ceil((end - start) / step));
  if (length > longestRange) return fail(`a range has ${longestRange.toLocaleString("en-US")} numbers at most`);
  machine.limits.items(length);
  return Array.from({ length }, (_, index) => start + index * step);
}

/** `{% set row = cycler("odd", "even") %}`, `row.next()`. */
function createCycler(items: readonly Data[]): Data {
  if (items.length === 0) return fail("a cycler needs something to go through");
  const attributes = new Map<string, Data>();
  let index = 0;
  const show = (): void => void attributes.set("current", items[index] as Data);
  attributes.set(
    "next",
    new Callable("next", () => {
      const current = items[index] as Data;
      index = (index + 1) % items.length;
      show();
      return current;
    }),
  );
  attributes.set(
    "reset",
    new Callable("reset", () => {
      index = 0;
      show();
      return null;
    }),
  );
  show();
  return new Callable("cycler", () => fail("a cycler is asked by .next()"), attributes);
}

/** Gives nothing the first time it is called, and then its separator. */
function createJoiner(separator: string): Data {
  let isUsed = false;
  return new Callable("joiner", () => {
    const text = isUsed ? separator : "";
    isUsed = true;
    return text;
  });
}
