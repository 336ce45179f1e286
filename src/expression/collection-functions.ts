import type { Span } from "./ast.ts";
import { equalValues, identityOf } from "./compare-values.ts";
import { fail } from "./evaluation-problem.ts";
import { textFinder } from "./find-text.ts";
import { describeValue } from "./format-value.ts";
import { type Call, defineFunction, type FunctionDefinition, list, map, number } from "./function-definition.ts";
import { isList, isMap, type Value, type ValueMap } from "./value.ts";

export const collectionFunctions: readonly FunctionDefinition[] = [
  defineFunction(
    "len",
    { value: ["string", "list", "map"] },
    "number",
    "The number of characters of a text, items of a list or keys of a map.",
    ([value], call) => lengthOf(value as string | readonly Value[] | ValueMap, call),
  ),
  defineFunction(
    "contains",
    { container: ["string", "list", "map"], item: "any" },
    "boolean",
    "Whether item is in container, as `item in container`.",
    ([container, item], call) => isMember(item as Value, container as Value, call),
  ),
  defineFunction("keys", { map }, "list", "The keys of a map.", ([value], call) => {
    const keys = call.budget.keys(value as ValueMap, call);
    call.budget.items(keys.length, call);
    return keys;
  }),
  defineFunction("values", { map }, "list", "The values of a map.", ([value], call) => {
    const keys = call.budget.keys(value as ValueMap, call);
    call.budget.items(keys.length, call);
    return keys.map((key) => (value as ValueMap)[key] as Value);
  }),
  defineFunction("first", { list }, "any", "The first item of a list.", ([items], call) =>
    itemAt(items as readonly Value[], 0, "first", call),
  ),
  defineFunction("last", { list }, "any", "The last item of a list.", ([items], call) =>
    itemAt(items as readonly Value[], (items as readonly Value[]).length - 1, "last", call),
  ),
  {
    ...defineFunction(
      "min",
      { values: "any" },
      "any",
      "The smallest of a list or of several arguments.",
      (args, call) => extreme("min", args, call, (item, best) => item < best),
    ),
    maximum: 100,
  },
  {
    ...defineFunction("max", { values: "any" }, "any", "The largest of a list or of several arguments.", (args, call) =>
      extreme("max", args, call, (item, best) => item > best),
    ),
    maximum: 100,
  },
  defineFunction("sum", { list }, "number", "The sum of a list of numbers.", ([items], call) =>
    sum(items as readonly Value[], call),
  ),
  defineFunction("sorted", { list }, "list", "A list of numbers or of texts in ascending order.", ([items], call) =>
    sort(items as readonly Value[], call),
  ),
  defineFunction(
    "unique",
    { list },
    "list",
    "A list without repetitions, in the order of first appearance.",
    ([items], call) => unique(items as readonly Value[], call),
  ),
  defineFunction(
    "range",
    { start: number, "stop?": number, "step?": number },
    "list",
    "Whole numbers: range(3) is [0, 1, 2], range(1, 7, 2) is [1, 3, 5].",
    (args, call) => range(args as readonly number[], call),
  ),
];

function lengthOf(value: string | readonly Value[] | ValueMap, call: Call): number {
  if (typeof value !== "string") return isList(value) ? value.length : call.budget.keys(value, call).length;
  call.budget.spend(value.length, call);
  let length = 0;
  // Counting by code point: an emoji is one character to whoever wrote it.
  for (const _ of value) length++;
  return length;
}

/** `item in container`: a member of a list, a part of a text, or a key of a map. */
export function isMember(item: Value, container: Value, call: Call): boolean {
  if (isList(container)) {
    call.budget.spend(container.length * 2, call);
    return container.some((member) => equalValues(member, item, call.budget, call));
  }
  if (typeof container === "string") {
    if (typeof item !== "string") {
      return fail(
        call,
        "wrong-type",
        `Only text can be part of a text, but this is ${describeValue(item)}. Try string(...).`,
      );
    }
    call.budget.spend(container.length + item.length, call);
    return textFinder(item)(container, 0) !== -1;
  }
  if (container === null || !isMap(container)) {
    const message = `Something can be in a list, a text or a map, but this is ${describeValue(container)}.`;
    return fail(call, "wrong-type", message);
  }
  return typeof item === "string" && Object.hasOwn(container, item);
}

function itemAt(items: readonly Value[], index: number, which: string, call: Call): Value {
  const item = items[index];
  if (item !== undefined) return item;
  const message = `${which}() has nothing to give: the list is empty. default(${which}(...), other) gives another value then.`;
  return fail(call, "missing-value", message);
}

function extreme(
  name: string,
  args: readonly Value[],
  call: Call,
  better: (item: number | string, best: number | string) => boolean,
): Value {
  const only = args[0] as Value;
  if (args.length === 1 && !isList(only)) {
    return fail(call, "wrong-type", `${name}() wants a list or several values, but this is ${describeValue(only)}.`);
  }
  const items = orderable(name, args.length === 1 ? (only as readonly Value[]) : args, 1, call);
  let best = items[0];
  if (best === undefined) {
    return fail(call, "missing-value", `${name}() has nothing to choose from: the list is empty.`);
  }
  for (const item of items) if (better(item, best)) best = item;
  return best;
}

const workPerComparison = 5;

/** Makes sure that all items can be ordered, and pays for comparing each of them as often as `rounds` says. */
function orderable(name: string, items: readonly Value[], rounds: number, call: Call): readonly (number | string)[] {
  const type = typeof items[0];
  let size = 0;
  for (const item of items) {
    if ((typeof item !== "number" && typeof item !== "string") || typeof item !== type) {
      const message = `${name}() wants numbers only or texts only, but among them is ${describeValue(item)}`;
      fail(
        call,
        "wrong-type",
        typeof item === type ? `${message}.` : `${message} next to ${describeValue(items[0] as Value)}.`,
      );
    }
    size += workPerComparison + (typeof item === "string" ? item.length : 0);
  }
  call.budget.spend(size * rounds, call);
  return items as readonly (number | string)[];
}

function sort(items: readonly Value[], call: Call): Value {
  call.budget.items(items.length, call);
  const sortable = orderable("sorted", items, Math.ceil(Math.log2(items.length + 1)), call);
  return [...sortable].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

function sum(items: readonly Value[], call: Call): number {
  call.budget.spend(items.length, call);
  let total = 0;
  for (const item of items) {
    if (typeof item !== "number")
      fail(call, "wrong-type", `sum() wants numbers, but among them is ${describeValue(item)}.`);
    total += item;
  }
  return finite(total, call);
}

function unique(items: readonly Value[], call: Call): Value {
  call.budget.items(items.length, call);
  const seen = new Set<string>();
  return items.filter((item) => {
    const identity = identityOf(item, call.budget, call);
    return !seen.has(identity) && seen.add(identity);
  });
}

function range(args: readonly number[], call: Call): Value {
  const odd = args.find((argument) => !Number.isSafeInteger(argument));
  if (odd !== undefined) return fail(call, "invalid-argument", `range() wants whole numbers, but got ${odd}.`);
  const [start, stop, step] =
    args.length === 1 ? [0, args[0] as number, 1] : [args[0] as number, args[1] as number, args[2] ?? 1];
  if (step === 0) return fail(call, "invalid-argument", "range() can't count in steps of 0.");
  const length = Math.max(0, Math.ceil((stop - start) / step));
  call.budget.items(length, call);
  return Array.from({ length }, (_, index) => start + index * step);
}

/** JSON has no infinity and no NaN, so a result that would be one is a problem where it arises. */
export function finite(result: number, at: Span): number {
  if (!Number.isFinite(result)) fail(at, "not-finite", "The result is too large for a number.");
  // JavaScript's negative zero is a zero everywhere else.
  return result === 0 ? 0 : result;
}
