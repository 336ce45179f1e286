import { refusedNames } from "./ast.ts";
import { equalValues } from "./compare-values.ts";
import { fail } from "./evaluation-problem.ts";
import { describeValue } from "./format-value.ts";
import { type Call, defineFunction, type FunctionDefinition, list, text } from "./function-definition.ts";
import { refusedMessage } from "./read-path.ts";
import { isList, isMap, type Value } from "./value.ts";

/** What reads a list of records, such as the results of a loop, without a program. */
export const listFunctions: readonly FunctionDefinition[] = [
  defineFunction(
    "pluck",
    { list, path: text },
    "list",
    "What stands at the path in each item, null where there is nothing: pluck(blocks.loop.results, 'json.name').",
    ([items, path], call) => {
      const keys = readKeys("pluck", path as string, call);
      call.budget.items((items as readonly Value[]).length, call);
      return (items as readonly Value[]).map((item) => readAt(item, keys, call));
    },
  ),
  defineFunction(
    "where",
    { list, path: text, value: "any" },
    "list",
    "The items in which the path leads to the value, as ==: where(blocks.loop.results, 'exit_code', 0).",
    ([items, path, value], call) => {
      const keys = readKeys("where", path as string, call);
      call.budget.items((items as readonly Value[]).length, call);
      return (items as readonly Value[]).filter((item) =>
        equalValues(readAt(item, keys, call), value as Value, call.budget, call),
      );
    },
  ),
  {
    ...defineFunction(
      "zip",
      { list, other: list },
      "list",
      "Lists of the first items, the second items and so on, as many as the shortest list has: zip(a, b).",
      (args, call) => zip(args, call),
    ),
    maximum: 20,
  },
  defineFunction(
    "flatten",
    { list },
    "list",
    "One list of the items of a list of lists, one level deep; what is no list stays.",
    ([items], call) => flatten(items as readonly Value[], call),
  ),
];

const mostKeys = 100;

/** The steps of `a.b.0`. A name that is never read is refused here as everywhere. */
function readKeys(name: string, path: string, call: Call): readonly string[] {
  const keys = path.split(".", mostKeys + 1);
  if (keys.length > mostKeys || keys.includes("")) {
    const message = `${name}() wants a path such as 'name' or 'json.items.0', but got ${describeValue(path)}.`;
    return fail(call, "invalid-argument", message);
  }
  const refused = keys.find((key) => refusedNames.has(key));
  return refused === undefined ? keys : fail(call, "invalid-argument", refusedMessage(refused));
}

function readAt(item: Value, keys: readonly string[], call: Call): Value {
  call.budget.spend(keys.length, call);
  let value = item;
  for (const key of keys) {
    if (isList(value)) value = /^\d+$/.test(key) ? (value[Number(key)] ?? null) : null;
    else if (value !== null && isMap(value) && Object.hasOwn(value, key)) value = value[key] as Value;
    else return null;
  }
  return value;
}

function zip(args: readonly Value[], call: Call): Value {
  for (const [index, argument] of args.entries()) {
    if (isList(argument)) continue;
    fail(call, "wrong-type", `zip() wants lists only, but argument ${index + 1} is ${describeValue(argument)}.`);
  }
  const lists = args as readonly (readonly Value[])[];
  const length = Math.min(...lists.map((items) => items.length));
  call.budget.items(length, call);
  call.budget.spend(length * lists.length, call);
  return Array.from({ length }, (_, index) => lists.map((items) => items[index] as Value));
}

function flatten(items: readonly Value[], call: Call): Value {
  let length = 0;
  for (const item of items) length += isList(item) ? item.length : 1;
  call.budget.items(length, call);
  return items.flatMap((item) => (isList(item) ? item : [item]));
}
