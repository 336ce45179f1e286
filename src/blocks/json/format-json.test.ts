import fc from "fast-check";
import { expect, test } from "vitest";
import { toValue, type Value } from "../../expression/value.ts";
import { formatJson } from "./format-json.ts";
import { mergeValues } from "./merge-values.ts";
import { parseJson } from "./parse-json.ts";

const seed = 4;

test("two blanks a level, keys in order, a line break at the end", () => {
  const value = toValue({ b: [1, { d: null, c: "x" }], a: {}, "10": [], "9": true });
  expect(formatJson((value as { value: Value }).value)).toBe(
    ["{", '  "10": [],', '  "9": true,', '  "a": {},', '  "b": [', "    1,", "    {", '      "c": "x",'].join("\n") +
      ["", '      "d": null', "    }", "  ]", "}", ""].join("\n"),
  );
});

const values = fc.jsonValue({ maxDepth: 4 }).map((data) => parseJson(JSON.stringify(data)));

test("what is written is read as the same value, and does not depend on the order of its keys", () => {
  fc.assert(
    fc.property(values, (value) => {
      if (!value.ok) throw new Error(value.error);
      const text = formatJson(value.value);
      expect(parseJson(text)).toEqual(value);
      expect(formatJson(reversed(value.value))).toBe(text);
    }),
    { seed, numRuns: 500 },
  );
});

function reversed(value: Value): Value {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, Value> = Object.create(null);
  for (const [key, item] of Object.entries(value).toReversed()) copy[key] = reversed(item);
  return copy;
}

test("maps are merged at every depth; lists, null and everything else replace", () => {
  const old = parse('{"keep": 1, "map": {"a": 1, "b": {"x": 1}}, "list": [1, 2], "gone": {"a": 1}}');
  const updates = parse('{"map": {"b": {"y": 2}}, "list": [3], "gone": null, "new": {"n": []}}');
  expect(mergeValues(old, updates)).toEqual(
    parse('{"keep": 1, "map": {"a": 1, "b": {"x": 1, "y": 2}}, "list": [3], "gone": null, "new": {"n": []}}'),
  );
});

test("no key is anything but data", () => {
  const hostile = parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');
  const merged = mergeValues(parse('{"__proto__": {"own": 1}}'), hostile);
  expect(formatJson(merged)).toContain('"__proto__": {\n    "own": 1,\n    "polluted": true');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

function parse(text: string): Record<string, Value> {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value as Record<string, Value>;
}
