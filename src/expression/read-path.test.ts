import { describe, expect, test } from "vitest";
import { type Key, readSteps, writePath } from "./read-path.ts";
import { toValue, type Value } from "./value.ts";

const converted = toValue({ name: "ann", items: [1, [2]], map: { "my key": 1, "2": "two" }, empty: [], none: null });
const data: Value = converted.ok ? converted.value : null;

function messageFor(...keys: Key[]): string {
  const lookup = readSteps(data, keys, "inputs");
  if (lookup.found) throw new Error("found");
  return lookup.message;
}

test.each<[Key[], Value]>([
  [["name"], "ann"],
  [["items", 1, 0], 2],
  [["map", "my key"], 1],
  [["map", 2], "two"],
  [["none"], null],
])("%j is read", (keys, expected) => {
  expect(readSteps(data, keys)).toEqual({ found: true, value: expected });
});

describe("what is missing is explained by what is there", () => {
  test.each<[Key[], string]>([
    [["nmae"], "inputs.nmae does not exist. Did you mean 'name'?"],
    [["zzzzzz"], "inputs.zzzzzz does not exist. Known: name, items, map, empty, none."],
    [["items", 2], "inputs.items[2] does not exist: inputs.items has 2 items, [0] to [1]."],
    [["items", -1], "For the last item write last(...)."],
    [["items", 0.5], "inputs.items[0.5] does not exist"],
    [["items", "0"], "inputs.items is a list, use an index such as inputs.items[0]."],
    [["items", "length"], "inputs.items is a list"],
    [["empty", 0], "inputs.empty is an empty list."],
    [["name", "length"], "inputs.name is the text 'ann', and there is nothing inside it."],
    [["none", "a"], "inputs.none is null, and there is nothing inside it."],
    [["map", "my kye"], "inputs.map['my kye'] does not exist. Did you mean 'my key'?"],
    [["toString"], "inputs.toString does not exist."],
    [["hasOwnProperty"], "does not exist."],
    [["__proto__"], "'__proto__' can never be read"],
    [["map", "constructor", "prototype"], "'constructor' can never be read"],
  ])("%j", (keys, expected) => {
    expect(messageFor(...keys)).toContain(expected);
  });
});

test("a refused name is refused even where the data has it", () => {
  const hostile = toValue(JSON.parse('{"__proto__":1,"_internal":2,"constructor":3,"prototype":4,"__internal__":5}'));
  if (!hostile.ok) throw new Error(hostile.error);
  for (const name of Object.keys(hostile.value as object)) {
    expect(readSteps(hostile.value, [name]).found).toBe(false);
  }
  const lookup = readSteps(hostile.value, ["other"]);
  expect(!lookup.found && lookup.message).not.toContain("_internal");
});

test("a path is written as it would be in an expression", () => {
  expect(writePath("blocks", ["a", "outputs", "my-file", 0])).toBe("blocks.a.outputs['my-file'][0]");
});
