import { areEqual, compareData } from "./compare-data.ts";
import {
  charactersOf,
  type Data,
  describeKind,
  fail,
  isNumber,
  itemsOf,
  orElse,
  Tuple,
  Undefined,
  useDefined,
} from "./data.ts";
import { bind, integer, type Machine, type Operation, taking } from "./machine.ts";
import { operate } from "./operate.ts";
import { readPath } from "./read-item.ts";

const absent = (machine: Machine, value: Data | undefined): boolean => value === undefined || !machine.isTrue(value);

/** What of an item is looked at: itself, or an attribute; texts without their case unless it counts. */
function keyOf(machine: Machine, attribute: Data | undefined, isCased: boolean): (item: Data) => Data {
  return (item) => {
    const value = isGiven(attribute) ? attributeOf(item, attribute) : item;
    machine.limits.step();
    return typeof value === "string" && !isCased ? value.toLowerCase() : value;
  };
}

function isGiven(value: Data | undefined): value is Data {
  return value !== undefined && value !== null;
}

function attributeOf(item: Data, attribute: Data): Data {
  return orElse(readPath(useDefined(item), attribute), () => new Undefined(String(attribute)));
}

function sorted(items: readonly Data[], keys: readonly ((item: Data) => Data)[], isReversed: boolean): Data[] {
  const rows = items.map((item) => ({ item, keys: keys.map((key) => key(item)) }));
  const compare = (one: Data[], other: Data[]): number => {
    for (const [index, key] of one.entries()) {
      // Also where neither has one, so that a slip in the name of an attribute leaves no order as it was.
      const against = useDefined(other[index] as Data);
      const difference = areEqual(useDefined(key), against) ? 0 : compareData(key, against);
      if (difference !== 0) return isReversed ? -difference : difference;
    }
    return 0;
  };
  return rows.sort((one, other) => compare(one.keys, other.keys)).map(({ item }) => item);
}

function sort(machine: Machine, value: Data, ...args: (Data | undefined)[]): Data {
  const [reverse, isCased, attribute] = args;
  const attributes = typeof attribute === "string" ? attribute.split(",") : [attribute];
  const keys = attributes.map((one) => keyOf(machine, one, !absent(machine, isCased)));
  const items = machine.items(value);
  machine.limits.items(items.length * 10);
  return sorted(items, keys, !absent(machine, reverse));
}

function extreme(sign: 1 | -1): Operation {
  return taking(["case_sensitive", "attribute"], (machine, value, isCased, attribute) => {
    const key = keyOf(machine, attribute, !absent(machine, isCased));
    const items = machine.items(value);
    if (items.length === 0) return new Undefined("an item of an empty list");
    return items.reduce((best, item) => (compareData(key(item), key(best)) * sign < 0 ? item : best));
  });
}

function unique(machine: Machine, value: Data, isCased: Data | undefined, attribute: Data | undefined): Data {
  const key = keyOf(machine, attribute, !absent(machine, isCased));
  const seen = new Set<Data>();
  const others: Data[] = [];
  return machine.items(value).filter((item) => {
    const one = machine.strict ? useDefined(key(item)) : key(item);
    if (one === null || typeof one !== "object") {
      if (seen.has(one)) return false;
      seen.add(one);
      return true;
    }
    machine.limits.step(others.length);
    if (others.some((other) => areEqual(one, other))) return false;
    others.push(one);
    return true;
  });
}

function groupBy(machine: Machine, value: Data, ...args: (Data | undefined)[]): Data {
  const [attribute, otherwise, isCased] = args;
  const get = keyOf(machine, attribute ?? fail("it needs the attribute to group by"), true);
  const groupOf = (item: Data): Data => {
    const found = get(item);
    return found instanceof Undefined && isGiven(otherwise) ? otherwise : found;
  };
  const isCounted = !absent(machine, isCased);
  const key = (item: Data): Data => {
    const group = groupOf(item);
    return typeof group === "string" && !isCounted ? group.toLowerCase() : group;
  };
  const groups: { key: Data; grouper: Data; items: Data[] }[] = [];
  for (const item of sorted(machine.items(value), [key], false)) {
    const last = groups.at(-1);
    if (last !== undefined && areEqual(last.key, key(item))) last.items.push(item);
    else groups.push({ key: key(item), grouper: groupOf(item), items: [item] });
  }
  return groups.map(({ grouper, items }) => new Tuple([grouper, items], ["grouper", "list"]));
}

function batch(machine: Machine, value: Data, count: Data | undefined, fill: Data | undefined): Data {
  const size = integer(count, 0);
  if (size < 1) fail("a batch has one item at least");
  const items = machine.items(value);
  const batches: Data[][] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  const last = batches.at(-1);
  if (last !== undefined && isGiven(fill)) {
    machine.limits.items(size);
    while (last.length < size) last.push(fill);
  }
  return batches;
}

function slice(machine: Machine, value: Data, count: Data | undefined, fill: Data | undefined): Data {
  const slices = integer(count, 0);
  if (slices < 1) fail("there is one slice at least");
  machine.limits.items(slices);
  const items = machine.items(value);
  const size = Math.floor(items.length / slices);
  const longer = items.length % slices;
  return Array.from({ length: slices }, (_, index) => {
    const start = index * size + Math.min(index, longer);
    const part = items.slice(start, start + size + (index < longer ? 1 : 0));
    return isGiven(fill) && index >= longer && longer > 0 ? [...part, fill] : part;
  });
}

/** `map("upper")`, `map(attribute="name", default="")`. */
const map: Operation = (machine, value, args) => {
  const items = machine.items(value);
  if (args.positional.length === 0 && args.named.has("attribute")) {
    const [attribute, otherwise] = bind(["attribute", "default"], { ...args, positional: [] });
    return items.map((item) => {
      machine.limits.step();
      const found = attributeOf(item, attribute as Data);
      return found instanceof Undefined && otherwise !== undefined ? otherwise : found;
    });
  }
  const [name, ...rest] = args.positional;
  if (typeof name !== "string") return fail("it needs the name of a filter, or attribute='...'");
  return items.map((item) => machine.filter(name, item, { positional: rest, named: args.named }));
};

function choosing(keeps: boolean, hasAttribute: boolean): Operation {
  return (machine, value, { positional, named }) => {
    const attribute = hasAttribute ? positional[0] : undefined;
    const [test, ...rest] = hasAttribute ? positional.slice(1) : positional;
    if (hasAttribute && attribute === undefined) return fail("it needs the attribute to look at");
    return machine.items(value).filter((item) => {
      const seen = attribute === undefined ? item : attributeOf(item, attribute);
      const isChosen =
        test === undefined ? machine.isTrue(seen) : machine.test(String(test), seen, { positional: rest, named });
      return isChosen === keeps;
    });
  };
}

function join(machine: Machine, value: Data, separator: Data | undefined, attribute: Data | undefined): Data {
  const mark = separator === undefined ? "" : machine.text(separator);
  const texts = machine
    .items(value)
    .map((item) => machine.text(isGiven(attribute) ? attributeOf(item, attribute) : item));
  machine.limits.text(texts.reduce((length, text) => length + text.length + mark.length, 0));
  return texts.join(mark);
}

function dictSort(machine: Machine, value: Data, ...args: (Data | undefined)[]): Data {
  const [isCased, by, reverse] = args;
  if (!(useDefined(value) instanceof Map)) return fail(`only a map can be sorted so, not ${describeKind(value)}`);
  if (by !== undefined && by !== "key" && by !== "value") return fail("by must be 'key' or 'value'");
  const index = by === "value" ? 1 : 0;
  const pairs = [...(value as Map<Data, Data>)].map((pair) => new Tuple(pair));
  return sorted(pairs, [keyOf(machine, index, !absent(machine, isCased))], !absent(machine, reverse));
}

const length: Operation = taking([], (machine, value) => {
  if (typeof value === "string") return charactersOf(value).length;
  if (value instanceof Map) return value.size;
  const items = value instanceof Undefined ? machine.items(value) : itemsOf(value);
  return items === undefined ? fail(`${describeKind(value)} has no length`) : items.length;
});

const edge = (index: 0 | -1, what: string): Operation =>
  taking([], (machine, value) =>
    orElse(machine.items(value).at(index), () => new Undefined(`the ${what} item of an empty list`)),
  );

export const listFilters: Readonly<Record<string, Operation>> = {
  length,
  count: length,
  first: edge(0, "first"),
  last: edge(-1, "last"),
  list: taking([], (machine, value) => [...machine.items(value)]),
  items: taking([], (_machine, value) => {
    if (value instanceof Undefined) return [];
    return value instanceof Map ? [...value].map((pair) => new Tuple(pair)) : fail("only a map has items");
  }),
  reverse: taking([], (machine, value) =>
    typeof value === "string" ? [...machine.items(value)].reverse().join("") : [...machine.items(value)].reverse(),
  ),
  sort: taking(["reverse", "case_sensitive", "attribute"], sort),
  dictsort: taking(["case_sensitive", "by", "reverse"], dictSort),
  unique: taking(["case_sensitive", "attribute"], unique),
  min: extreme(1),
  max: extreme(-1),
  sum: taking(["attribute", "start"], (machine, value, attribute, start) =>
    machine
      .items(value)
      .map((item) => (isGiven(attribute) ? attributeOf(item, attribute) : item))
      .reduce((sum, item) => {
        if (!isNumber(useDefined(item)) && itemsOf(item) === undefined)
          fail(`${describeKind(item)} can't be summed up`);
        machine.limits.step();
        return operate("+", sum, item, machine.limits);
      }, start ?? 0),
  ),
  groupby: taking(["attribute", "default", "case_sensitive"], groupBy),
  batch: taking(["linecount", "fill_with"], batch),
  slice: taking(["slices", "fill_with"], slice),
  map,
  select: choosing(true, false),
  reject: choosing(false, false),
  selectattr: choosing(true, true),
  rejectattr: choosing(false, true),
  join: taking(["d", "attribute"], join),
};
