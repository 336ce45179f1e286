import { describe, expect, test } from "vitest";
import { startCpuTime } from "../../test/rig/cpu-time.ts";
import type { Expression, Scope } from "./ast.ts";
import { defaultLimits } from "./budget.ts";
import { evaluate } from "./evaluate.ts";
import { parseExpression } from "./parse-expression.ts";
import { evaluated } from "./test-scope.ts";

const data = {
  inputs: { env: "production", n: 7, zero: 0, flag: true, none: null, list: [1, 2, 3], map: { a: 1, "my-key": 2 } },
  blocks: { test: { succeeded: true, exit_code: 0, outputs: { "2": "two" } } },
  each: { key: 2 },
};

function parse(source: string): Expression {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe("values", () => {
  test.each([
    ["${blocks.test.succeeded} and ${inputs.env} == 'production'", true],
    ["blocks.test.exit_code != 0", false],
    ["'${inputs.env}' == 'production'", true],
    ["'${inputs.n}' == '7'", true],
    ["inputs.map['my-key']", 2],
    ["inputs.list[inputs.n - 5]", 3],
    ['from_json(\'{"a": [1, {"b": 2}]}\').a[1].b', 2],
    ["split('x,y,z', ',')[inputs.n - 6]", "y"],
    ["default(from_json('{}').a, 'none')", "none"],
    ["len(split('a b', ' ')[0]) + 1", 2],
    ["blocks.test.outputs[each.key]", "two"],
    ["1 + 2 * 3 - 4 / 2", 5],
    ["7 / 2", 3.5],
    ["-7 % 3", 2],
    ["7 % -3", -2],
    ["-6 % 3", 0],
    ["5.5 % 2", 1.5],
    ["'a' + 'b'", "ab"],
    ["[1] + [2]", [1, 2]],
    ["-inputs.n", -7],
    ["1 < 2 < 3", true],
    ["1 < 3 < 2", false],
    ["'a' < 'b' <= 'b'", true],
    ["1 == '1'", false],
    ["1 != '1'", true],
    ["true == 'true'", false],
    ["null == false", false],
    ["inputs.none == null", true],
    ["[1, [2]] == [1, [2]]", true],
    ['from_json(\'{"a":1,"b":2}\') == from_json(\'{"b":2,"a":1}\')', true],
    ["2 in inputs.list", true],
    ["'2' in inputs.list", false],
    ["9 not in inputs.list", true],
    ["'duct' in inputs.env", true],
    ["'a' in inputs.map", true],
    ["1 in inputs.map", false],
    ["'x' if inputs.flag else 'y'", "x"],
    ["not inputs.flag", false],
    ["true", true],
  ])("%s gives %j", (source, expected) => {
    expect(evaluated(source, data)).toEqual(expected);
  });

  test("no result is a negative zero, which JSON and people do not know", () => {
    for (const source of ["0 * -1", "-0", "0 / -5", "-6 % 3", "int('-0')", "float('-0.0')"]) {
      expect(Object.is(evaluated(source), 0)).toBe(true);
    }
  });
});

describe("what is not needed is not evaluated", () => {
  test.each([
    ["false and inputs.missing", false],
    ["true or inputs.missing", true],
    ["1 if true else inputs.missing", 1],
    ["1 > 2 > inputs.missing", false],
    ["default(1, inputs.missing)", 1],
  ])("%s", (source, expected) => {
    expect(evaluated(source, data)).toBe(expected);
  });

  test("and a chain of comparisons reads every operand once", () => {
    let reads = 0;
    const scope: Scope = { read: () => ({ found: true, value: ++reads }) };
    expect(evaluate(parse("0 < inputs.a < 5"), scope)).toEqual({ ok: true, value: true });
    expect(reads).toBe(1);
  });
});

describe("problems say what the value was and what to do", () => {
  test.each([
    ["inputs.n and true", "wrong-type: 'and' wants true or false, but got the number 7. Compare it: ... != 0."],
    ["true or inputs.n or true", undefined],
    ["not inputs.env", "wrong-type: 'not' wants true or false, but got the text 'production'. Compare it: ... != ''"],
    ["1 if inputs.list else 2", "wrong-type: 'if' wants true or false, but got a list of 3. Compare it: len(...) > 0."],
    ["inputs.n > '5'", "wrong-type: > can't compare the number 7 with the text '5'. Convert the text with int(...)"],
    ["true < false", "wrong-type: < can't compare true with false. Only two numbers or two texts have an order."],
    [
      "inputs.n + 'a'",
      "wrong-type: + wants two numbers, two texts or two lists, but got the number 7 and the text 'a'.",
    ],
    ["true + 1", "wrong-type: + wants"],
    ["'a' * 2", "wrong-type: * wants two numbers, but got the text 'a' and the number 2."],
    ["-'a'", "wrong-type: - wants a number, but got the text 'a'."],
    ["1 / inputs.zero", "division-by-zero: 1 / 0 has no result."],
    ["1 % 0", "division-by-zero: 1 % 0 has no result."],
    [`${"9".repeat(308)} * 10`, "not-finite: The result is too large"],
    ["1 in 2", "wrong-type: Something can be in a list, a text or a map, but this is the number 2."],
    ["1 in 'a'", "wrong-type: Only text can be part of a text, but this is the number 1."],
    ["inputs.list[true]", "wrong-type: A key in inputs...[] is text or a number, but this is true."],
    ["split('a', ',')[1]", "missing-value: split(...)[1] does not exist: split(...) has one item, [0]."],
    ["from_json('{\"b\": 1}').a", "missing-value: from_json(...).a does not exist."],
    ["from_json('{}')['__proto__']", "'__proto__' can never be read"],
    ["inputs.maap", "missing-value: scope.inputs.maap does not exist. Did you mean 'map'?"],
    ["lower(inputs.n)", "wrong-type: lower(): 'text' must be text, but is the number 7."],
  ])("%s", (source, expected) => {
    if (expected === undefined) expect(evaluated(source, data)).toBe(true);
    else expect(() => evaluated(source, data)).toThrow(expected);
  });

  test("what is not there yet is told of default(), as it is to be written, beside what it may have been meant for", () => {
    expect(() => evaluated("blocks.last.data.total + 1", { blocks: { last: { data: {} } } })).toThrow(
      "scope.blocks.last.data.total does not exist: scope.blocks.last.data is empty. " +
        "If it may be missing, write default(blocks.last.data.total, 0), or '' or [] instead of 0.",
    );
    expect(evaluated("default(blocks.last.data.total, 0) + 1", { blocks: { last: { data: {} } } })).toBe(1);
    expect(() => evaluated("inputs.maap", data)).toThrow(/Did you mean 'map'\? If .* write default\(inputs\.maap, 0\)/);
  });

  test("and where in the text", () => {
    const source = "true and inputs.missing.x == 1";
    const result = evaluate(parse(source), { read: () => ({ found: false, message: "Nothing there." }) });
    if (result.ok) throw new Error("must fail");
    expect(result.error).toMatchObject({ code: "missing-value", start: 9, end: 25 });
    expect(result.error.message).toMatch(/^Nothing there\. /);
  });
});

describe("default()", () => {
  test.each([
    ["default(inputs.none, 1)", 1],
    ["default(inputs.missing, 1)", 1],
    ["default(inputs.missing.deeper[0], 1)", 1],
    ["default(inputs.list[9], 1)", 1],
    ["default(lower(inputs.missing), 'x')", "x"],
    ["default(first([]), 1)", 1],
    ["default(inputs.n, 1)", 7],
    ["default(false, true)", false],
    ["default('', 'x')", ""],
    ["default(inputs.a, default(inputs.b, 2))", 2],
  ])("%s gives %j", (source, expected) => {
    expect(evaluated(source, data)).toEqual(expected);
  });

  test.each(["default(1 / 0, 1)", "default(lower(1), 1)", "default(inputs.n > 'a', 1)", "default(int('x'), 1)"])(
    "%s does not hide a mistake",
    (source) => {
      expect(() => evaluated(source, data)).toThrow();
    },
  );
});

describe("limits", () => {
  const big = "ab".repeat(4_000_000);
  const scope: Scope = { read: () => ({ found: true, value: big }) };
  const repeated = (item: string, separator: string, times: number): string => Array(times).fill(item).join(separator);

  test("steps end an evaluation", () => {
    const limits = { ...defaultLimits, steps: 10 };
    expect(evaluate(parse("[1, 2, 3, 4, 5, 6, 7, 8, 9]"), scope, limits).ok).toBe(true);
    expect(evaluate(parse("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"), scope, limits)).toMatchObject({
      error: { code: "limit" },
    });
  });

  test.each([
    ["inputs.a + inputs.a"],
    [`[${repeated("inputs.a", ", ", 500)}]`],
    [`json([${repeated("inputs.a", ", ", 500)}])`],
    [`'${repeated("${inputs.a}", "", 500)}'`],
    [`join([${repeated("inputs.a", ", ", 500)}])`],
    ["replace(inputs.a, 'a', inputs.a)"],
    [`${"replace(".repeat(40)}'a'${", 'a', 'aaaaaaaaaa')".repeat(40)}`],
    ["split(inputs.a, 'b')"],
    ["range(100001)"],
    ["range(0, 9007199254740991)"],
    [`len([${repeated("upper(inputs.a)", ", ", 500)}])`],
    [`len([${repeated("sorted(split(inputs.a, 'abababababab'))", ", ", 200)}])`],
    [`sorted([${repeated("inputs.a, inputs.a", ", ", 500)}])`],
    [String.raw`regex_match(inputs.a, '(\pL{1,400}x?){2}$')`],
    [`[${repeated(String.raw`regex_match('a', '[\pL\pN]{99}[\pL\pN]{99}[\pL\pN]{99}')`, ", ", 200)}]`],
  ])("end %s soon", (source) => {
    const cpuTime = startCpuTime();
    expect(evaluate(parse(source), scope)).toMatchObject({ ok: false, error: { code: "limit" } });
    expect(cpuTime()).toBeLessThan(5_000);
  });

  test("a pattern on which other engines take for ever is searched in linear time", () => {
    const source = `regex_match('${"a".repeat(5_000)}!', '^(a+)+$')`;
    expect(evaluate(parse(source), scope)).toEqual({ ok: true, value: false });
  });

  test("a long needle in a long text of the same letter is found in linear time", () => {
    const text = "a".repeat(2_000_000);
    const needle = `${"a".repeat(50_000)}b${"a".repeat(50_000)}`;
    const texts: Scope = { read: (_, keys) => ({ found: true, value: keys[0] === "text" ? text : needle }) };
    const cpuTime = startCpuTime();
    expect(evaluate(parse("inputs.needle in inputs.text"), texts)).toEqual({ ok: true, value: false });
    expect(evaluate(parse("len(split(inputs.text + inputs.needle, inputs.needle))"), texts)).toEqual({
      ok: true,
      value: 2,
    });
    expect(cpuTime()).toBeLessThan(5_000);
  });

  test("100,000 items are sorted and made unique without comparing all pairs", () => {
    const items = Array.from({ length: 100_000 }, (_, index) => `item ${(index * 7919) % 50_000}`);
    const lists: Scope = { read: () => ({ found: true, value: items }) };
    const cpuTime = startCpuTime();
    expect(evaluate(parse("len(unique(inputs.a))"), lists)).toEqual({ ok: true, value: 50_000 });
    expect(evaluate(parse("first(sorted(inputs.a))"), lists)).toEqual({ ok: true, value: "item 0" });
    expect(cpuTime()).toBeLessThan(5_000);
  });
});
