import { describe, expect, test } from "vitest";
import { startCpuTime } from "../../test/rig/cpu-time.ts";
import { hasExpressions, isWholeExpression, parseEmbedded, parseTemplate, startsReference } from "./parse-template.ts";
import { templateValueOf } from "./test-scope.ts";

const data = { inputs: { name: "ann", n: 7, flag: true, none: null, list: [1, "a"], map: { k: 1 } } };

describe("a value", () => {
  test.each([
    ["${inputs.n}", 7],
    ["${inputs.flag}", true],
    ["${inputs.list}", [1, "a"]],
    ["${ inputs.n + 1 }", 8],
    ["n is ${inputs.n}", "n is 7"],
    ["${inputs.n} ", "7 "],
    ["${inputs.n}${inputs.flag}", "7true"],
    ["<${inputs.none}>", "<>"],
    ["${inputs.list} and ${inputs.map}", '[1,"a"] and {"k":1}'],
    ["no expression", "no expression"],
    ["", ""],
    ["$${inputs.n}", "${inputs.n}"],
    ["$$${inputs.n}", "$${inputs.n}"],
    ["a $${b} ${inputs.n} $ } {", "a ${b} 7 $ } {"],
    ["${'}'}${inputs['name']}", "}ann"],
    ["${'${inputs.name}!'}", "ann!"],
  ])("%s gives %j", (source, expected) => {
    expect(templateValueOf(source, data)).toEqual(expected);
  });

  test("keeps a type only when it is one expression and nothing else", () => {
    const whole = parseTemplate("${inputs.a}");
    const mixed = parseTemplate("${inputs.a} ");
    const plain = parseTemplate("$${inputs.a}");
    if (!whole.ok || !mixed.ok || !plain.ok) throw new Error("must parse");
    expect([whole, mixed, plain].map(({ value }) => isWholeExpression(value))).toEqual([true, false, false]);
    expect([whole, mixed, plain].map(({ value }) => hasExpressions(value))).toEqual([true, true, false]);
  });

  test("reports all its problems at once, each where it stands", () => {
    const source = "${HOME} ${inputs.ok} ${inputs.a = 1} ${'open} ${ inputs.b";
    const parsed = parseTemplate(source);
    if (parsed.ok) throw new Error("must fail");
    expect(parsed.error.problems.map(({ code, start }) => [code, source.slice(start, start + 4)])).toEqual([
      ["unknown-root", "HOME"],
      ["unknown-operator", "= 1}"],
      ["unterminated-string", "'ope"],
      ["missing-brace", "${ i"],
    ]);
    expect(parsed.error.problems[0]?.fix).toContain("$${");
  });

  test("may be long where its expressions are short", () => {
    const source = `${"x".repeat(100_000)}\${inputs.n}`;
    expect(templateValueOf(source, data)).toHaveLength(100_001);
  });

  test("with a huge number of broken expressions is still answered at once", () => {
    for (const source of ["${'}".repeat(300_000), "${ ".repeat(300_000), "${'${'}".repeat(100_000)]) {
      const cpuTime = startCpuTime();
      expect(parseTemplate(source).ok).toBe(false);
      expect(cpuTime()).toBeLessThan(5_000);
    }
  });
});

describe("an embedded expression", () => {
  test("ends at its own brace and keeps the offsets of the whole text", () => {
    const source = `echo "\${inputs['}']}" }`;
    const parsed = parseEmbedded(source, 6);
    if (!parsed.ok) throw new Error(parsed.error.message);
    expect(source.slice(parsed.value.start, parsed.value.end)).toBe("${inputs['}']}");
    expect(source.slice(parsed.value.expression.start, parsed.value.expression.end)).toBe("inputs['}']");
    expect(parsed.value).not.toHaveProperty("filter");
  });

  test("takes a filter only where the caller allows it", () => {
    const source = "${inputs.a | raw }";
    const allowed = parseEmbedded(source, 0, { filters: ["raw"] });
    expect(allowed.ok && allowed.value.filter).toBe("raw");
    expect(parseEmbedded(source, 0)).toMatchObject({ ok: false, error: { code: "filter" } });
    expect(parseEmbedded("${inputs.a | upper}", 0, { filters: ["raw"] })).toMatchObject({ error: { code: "filter" } });
    expect(parseEmbedded("${inputs.a | raw | raw}", 0, { filters: ["raw"] }).ok).toBe(false);
  });

  test("that is not one is a problem", () => {
    expect(parseEmbedded("abc", 0).ok).toBe(false);
    expect(parseEmbedded("${}", 0)).toMatchObject({ error: { code: "unexpected-end" } });
  });
});

test.each([
  ["${inputs.a}", true],
  ["${  blocks['x']", true],
  ["${secrets.KEY}", true],
  ["${HOME}", false],
  ["${x:-1}", false],
  ["${inputs}", false],
  ["${inputs:-1}", false],
  ["${inputs_dir.x}", false],
  ["$inputs.a", false],
  ["", false],
])("in a shell command %s is ours: %s", (source, expected) => {
  expect(startsReference(`ab${source}`, 2)).toBe(expected);
});
