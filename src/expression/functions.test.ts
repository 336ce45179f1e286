import { describe, expect, test } from "vitest";
import { startCpuTime } from "../../test/rig/cpu-time.ts";
import { functions } from "./functions.ts";
import { evaluated } from "./test-scope.ts";

const rows = [{ a: { b: 1 } }, { a: { b: null } }, { a: 5 }, null, { a: { b: 7 } }];
const data = { inputs: { map: { a: 1, b: [2] }, list: [3, 1, 2], text: "Hello", none: null, rows } };

const promised =
  "len lower upper trim split join replace contains startswith endswith default json from_json keys values first last min " +
  "max sum sorted unique range basename dirname int float string bool regex_match pluck where zip flatten";

test("the functions are those the language promises, each with a line of documentation", () => {
  expect([...functions.keys()].sort()).toEqual(promised.split(" ").sort());
  for (const { doc, minimum, maximum } of functions.values()) {
    expect(doc).toMatch(/\.$/);
    expect(minimum).toBeLessThanOrEqual(maximum);
  }
});

test.each([
  ["len('abc')", 3],
  ["len('a😀')", 2],
  ["len([1, 2])", 2],
  ["len(inputs.map)", 2],
  ["lower('ÄB')", "äb"],
  ["upper('straße')", "STRASSE"],
  ["trim(' a \\n')", "a"],
  ["split('a,b,,c', ',')", ["a", "b", "", "c"]],
  ["split('  a b\\tc ')", ["a", "b", "c"]],
  ["split('', ',')", [""]],
  ["split('')", []],
  ["join(['a', 1, true, null, [2]], '-')", "a-1-true--[2]"],
  ["join(['a', 'b'])", "ab"],
  ["join([], ',')", ""],
  ["replace('a.b.c', '.', '$&')", "a$&b$&c"],
  ["replace('aaa', 'aa', 'b')", "ba"],
  ["contains('abc', 'b')", true],
  ["contains([1, 2], 3)", false],
  ["contains(inputs.map, 'a')", true],
  ["startswith('abc', 'ab')", true],
  ["endswith('abc', 'ab')", false],
  ["json(inputs.map)", '{"a":1,"b":[2]}'],
  ["json('a\"')", '"a\\""'],
  ["json(null)", "null"],
  ["first(from_json('[1, 2]'))", 1],
  ["keys(inputs.map)", ["a", "b"]],
  ["values(inputs.map)", [1, [2]]],
  ["first(inputs.list)", 3],
  ["last(inputs.list)", 2],
  ["first([null])", null],
  ["min(inputs.list)", 1],
  ["max(inputs.list)", 3],
  ["max(1, 5, 2)", 5],
  ["min('b', 'a')", "a"],
  ["sum(inputs.list)", 6],
  ["sum([])", 0],
  ["sorted(inputs.list)", [1, 2, 3]],
  ["sorted(['b', 'a', 'B'])", ["B", "a", "b"]],
  ["sorted([10, 9, 1])", [1, 9, 10]],
  ["sorted([])", []],
  ["unique([1, '1', 1, [1], [1], null, null])", [1, "1", [1], null]],
  ["range(3)", [0, 1, 2]],
  ["range(1, 7, 2)", [1, 3, 5]],
  ["range(3, 0, -1)", [3, 2, 1]],
  ["range(2, 1)", []],
  ["basename('a/b.txt')", "b.txt"],
  ["basename('a/b/')", "b"],
  ["dirname('a/b.txt')", "a"],
  ["dirname('b.txt')", "."],
  ["int('12')", 12],
  ["int(' -12 ')", -12],
  ["int(2.9)", 2],
  ["int(-2.9)", -2],
  ["int(true)", 1],
  ["float('2.5')", 2.5],
  ["float('1e3')", 1000],
  ["float(2)", 2],
  ["string(1)", "1"],
  ["string(null)", ""],
  ["string([1, 'a'])", '[1,"a"]'],
  ["bool('true')", true],
  ["bool('Yes')", true],
  ["bool('0')", false],
  ["bool(1)", true],
  ["bool(false)", false],
  ["pluck(inputs.rows, 'a.b')", [1, null, null, null, 7]],
  ["pluck(inputs.rows, 'a')", [{ b: 1 }, { b: null }, 5, null, { b: 7 }]],
  ["pluck([[1, 2], [3]], '1')", [2, null]],
  ["pluck([], 'a')", []],
  ["where(inputs.rows, 'a.b', 7)", [{ a: { b: 7 } }]],
  ["len(where(inputs.rows, 'a.b', null))", 3],
  ["where(inputs.rows, 'a.b', '7')", []],
  [
    "zip([1, 2, 3], ['a', 'b'])",
    [
      [1, "a"],
      [2, "b"],
    ],
  ],
  ["zip([1], [2], [3])", [[1, 2, 3]]],
  ["zip([], [1])", []],
  ["flatten([[1, [2]], 3, []])", [1, [2], 3]],
  [String.raw`regex_match('release-1.2', '^release-\d+\.\d+$')`, true],
  ["regex_match('abc', 'b')", true],
  ["regex_match('abc', '^b')", false],
  ["regex_match('ABC', '(?i)b')", true],
])("%s gives %j", (source, expected) => {
  expect(evaluated(source, data)).toEqual(expected);
});

describe("a wrong argument is a problem that says so", () => {
  test.each([
    ["len(1)", "len(): 'value' must be text or a list or a map, but is the number 1."],
    ["lower(null)", "lower(): 'text' must be text, but is null."],
    ["split('a', '')", "not empty"],
    ["replace('a', '', 'b')", "empty text"],
    ["join('a', ',')", "join(): 'list' must be a list"],
    ["first([])", "missing-value: first() has nothing to give: the list is empty."],
    ["max([])", "missing-value"],
    ["max(1)", "max() wants a list or several values, but this is the number 1."],
    ["max([1, 'a'])", "among them is the text 'a' next to the number 1"],
    ["sorted([true, false])", "sorted() wants numbers only or texts only, but among them is true."],
    ["sum(['a'])", "sum() wants numbers, but among them is the text 'a'."],
    ["range(1.5)", "whole numbers"],
    ["range(0, 1, 0)", "steps of 0"],
    ["int('12.5')", "int() wants a whole number such as '12', but got the text '12.5'."],
    ["int('')", "an empty text"],
    ["int('0x10')", "int() wants"],
    ["int('99999999999999999999')", "can't keep all digits"],
    ["int(null)", "int(): 'value' must be true or false or a number or text, but is null."],
    ["float('Infinity')", "float() wants"],
    ["float('1e999')", "too large"],
    ["bool('maybe')", "bool() wants true, false, yes, no, 1 or 0, but got the text 'maybe'."],
    ["bool(2)", "bool() wants"],
    ["from_json('{a}')", "from_json() wants JSON"],
    ["from_json('')", "from_json() wants JSON"],
    [`from_json('${"[".repeat(300)}${"]".repeat(300)}')`, "nested more than 200 levels"],
    ["pluck([1], '')", "pluck() wants a path such as 'name' or 'json.items.0', but got an empty text."],
    ["pluck([1], 'a..b')", "wants a path"],
    ["pluck([1], 'a.__proto__')", "can never be read"],
    ["where([1], 'constructor', 1)", "can never be read"],
    ["pluck('text', 'a')", "pluck(): 'list' must be a list"],
    ["zip([1], [2], 3)", "zip() wants lists only, but argument 3 is the number 3."],
    ["flatten(1)", "flatten(): 'list' must be a list"],
    ["regex_match('a', '(')", "invalid-pattern: '(' is not a valid pattern: missing closing )"],
    [String.raw`regex_match('a', '(a)\1')`, "invalid-pattern"],
    ["regex_match('a', '(?=a)')", "invalid-pattern"],
  ])("%s", (source, expected) => {
    expect(() => evaluated(source, data)).toThrow(expected);
  });
});

test("patterns that are a catastrophe elsewhere end at once", () => {
  const cpuTime = startCpuTime();
  const value = evaluated("regex_match(inputs.text, '^(a+)+$')", { inputs: { text: `${"a".repeat(50_000)}b` } });
  expect(value).toBe(false);
  expect(cpuTime()).toBeLessThan(5_000);
});
