import { areEqual, compareData } from "./compare-data.ts";
import { asKey, type Data, type Dict, fail, itemsOf, orElse, Tuple } from "./data.ts";
import { integer, type Machine, type Operation, taking } from "./machine.ts";
import { textMethods } from "./text-methods.ts";

const list = (value: Data): Data[] => value as Data[];
const dict = (value: Data): Dict => value as Dict;
const needed = (value: Data | undefined, what: string): Data => orElse(value, () => fail(`it needs ${what}`));

function position(value: Data, wanted: Data | undefined): number {
  const index = (itemsOf(value) ?? []).findIndex((item) => areEqual(item, needed(wanted, "an item")));
  return index === -1 ? fail("there is no such item in the list") : index;
}

const sequenceMethods: Readonly<Record<string, Operation>> = {
  index: taking(["value"], (_machine, value, wanted) => position(value, wanted)),
  count: taking(
    ["value"],
    (_machine, value, wanted) =>
      (itemsOf(value) ?? []).filter((item) => areEqual(item, needed(wanted, "an item"))).length,
  ),
};

export const listMethods: Readonly<Record<string, Operation>> = {
  ...sequenceMethods,
  append: taking(["item"], (machine, value, item) => {
    machine.limits.items(list(value).length + 1);
    list(value).push(needed(item, "an item"));
    return null;
  }),
  extend: taking(["items"], (machine, value, items) => {
    const more = machine.items(needed(items, "a list"));
    machine.limits.items(list(value).length + more.length);
    for (const item of [...more]) list(value).push(item);
    return null;
  }),
  insert: taking(["index", "item"], (machine, value, index, item) => {
    machine.limits.items(list(value).length + 1);
    list(value).splice(integer(index, 0), 0, needed(item, "an item"));
    return null;
  }),
  pop: taking(["index"], (_machine, value, index) => {
    const at = integer(index, -1);
    return orElse(list(value).splice(at, 1)[0], () => fail("there is no such item in the list"));
  }),
  remove: taking(["value"], (_machine, value, wanted) => {
    list(value).splice(position(value, wanted), 1);
    return null;
  }),
  reverse: taking([], (_machine, value) => {
    list(value).reverse();
    return null;
  }),
  sort: taking(["reverse"], (machine, value, reverse) => {
    machine.limits.items(list(value).length * 10);
    const sign = reverse !== undefined && machine.isTrue(reverse) ? -1 : 1;
    list(value).sort((one, other) => sign * compareData(one, other));
    return null;
  }),
  copy: taking([], (machine, value) => {
    machine.limits.items(list(value).length);
    return [...list(value)];
  }),
  clear: taking([], (_machine, value) => {
    list(value).length = 0;
    return null;
  }),
};

export const mapMethods: Readonly<Record<string, Operation>> = {
  get: taking(["key", "default"], (_machine, value, key, otherwise) => {
    return orElse(dict(value).get(asKey(needed(key, "a key"))), () => otherwise ?? null);
  }),
  items: taking([], (_machine, value) => [...dict(value)].map((pair) => new Tuple(pair))),
  keys: taking([], (_machine, value) => [...dict(value).keys()]),
  values: taking([], (_machine, value) => [...dict(value).values()]),
  copy: taking([], (_machine, value) => new Map(dict(value))),
  clear: taking([], (_machine, value) => {
    dict(value).clear();
    return null;
  }),
  pop: taking(["key", "default"], (_machine, value, key, otherwise) => {
    const name = asKey(needed(key, "a key"));
    const found = orElse(dict(value).get(name), () => orElse(otherwise, () => fail(`there is no key '${name}'`)));
    dict(value).delete(name);
    return found;
  }),
  setdefault: taking(["key", "default"], (machine, value, key, otherwise) => {
    const name = asKey(needed(key, "a key"));
    machine.limits.items(dict(value).size + 1);
    if (!dict(value).has(name)) dict(value).set(name, otherwise ?? null);
    return dict(value).get(name) as Data;
  }),
  update: (machine, value, { positional, named }) => {
    const entries = positional.flatMap((given) => entriesOf(machine, given));
    machine.limits.items(dict(value).size + entries.length + named.size);
    for (const [key, item] of [...entries, ...named]) dict(value).set(asKey(key), item);
    return null;
  },
};

/** A map, or a list of pairs. */
export function entriesOf(machine: Machine, given: Data): (readonly [Data, Data])[] {
  if (given instanceof Map) return [...given];
  return machine.items(given).map((pair) => {
    const [key, item, ...more] = machine.items(pair);
    return key === undefined || item === undefined || more.length > 0 ? fail("a map is made of pairs") : [key, item];
  });
}

/** What a value can do by a name, written as in Python. Nothing else of it can be called. */
export function findMethod(value: Data, name: string): Operation | undefined {
  const methods = methodsOf(value);
  return methods !== undefined && Object.hasOwn(methods, name) ? methods[name] : undefined;
}

function methodsOf(value: Data): Readonly<Record<string, Operation>> | undefined {
  if (typeof value === "string") return textMethods;
  if (Array.isArray(value)) return listMethods;
  if (value instanceof Map) return mapMethods;
  return value instanceof Tuple ? sequenceMethods : undefined;
}
