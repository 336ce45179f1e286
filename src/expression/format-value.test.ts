import { describe, expect, test } from "vitest";
import { describeValue, formatValue } from "./format-value.ts";

describe("a value inside text", () => {
  test.each([
    [true, "true"],
    [false, "false"],
    [null, ""],
    ["a ${inputs.b}", "a ${inputs.b}"],
    [7, "7"],
    [-0.5, "-0.5"],
    [1e21, "1000000000000000000000"],
    [-1.5e22, "-15000000000000000000000"],
    [1e-7, "0.0000001"],
    [-1.25e-9, "-0.00000000125"],
    [1234567890.125, "1234567890.125"],
    [[1, "a", null], '[1,"a",null]'],
    [{ a: { b: [] } }, '{"a":{"b":[]}}'],
  ])("%j is written %s", (value, expected) => {
    expect(formatValue(value)).toBe(expected);
  });

  test("a number is read back as the same number", () => {
    for (const value of [Number.MAX_VALUE, Number.MIN_VALUE, 1.7976931348623157e308, 123e-20, 9.5e25]) {
      expect(Number(formatValue(value))).toBe(value);
    }
  });
});

describe("a value in a message", () => {
  test.each([
    ["abc", "the text 'abc'"],
    ["", "an empty text"],
    [5, "the number 5"],
    [true, "true"],
    [null, "null"],
    [[1, 2, 3], "a list of 3"],
    [[], "an empty list"],
    [{ a: 1 }, "a map with 'a'"],
    [{}, "an empty map"],
    [{ a: 1, b: 1, c: 1, d: 1, e: 1 }, "a map with 'a', 'b', 'c' and 2 more"],
    ["it's\n\u001b[31m\u202e", "the text 'it\\'s\\n\\u001b[31m\\u202e'"],
    ["x".repeat(100), `the text '${"x".repeat(60)}...'`],
  ])("%j is called %s", (value, expected) => {
    expect(describeValue(value)).toBe(expected);
  });
});
