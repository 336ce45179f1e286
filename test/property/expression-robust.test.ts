import fc from "fast-check";
import { expect, test } from "vitest";
import type { Expression, Scope, Span, Template } from "../../src/expression/ast.ts";
import { defaultLimits } from "../../src/expression/budget.ts";
import { evaluate } from "../../src/expression/evaluate.ts";
import { evaluateTemplate } from "../../src/expression/evaluate-template.ts";
import { inferType, typeProblems } from "../../src/expression/infer-type.ts";
import { parseExpression } from "../../src/expression/parse-expression.ts";
import { parseEmbedded, parseTemplate, startsReference } from "../../src/expression/parse-template.ts";
import { readSteps } from "../../src/expression/read-path.ts";
import { references } from "../../src/expression/references.ts";
import { toValue, type Value, type ValueMap } from "../../src/expression/value.ts";

const seed = 20_240_817;

/** Pieces of the language in any order: most of it is nonsense, much of it nearly right. */
const pieces = (
  "inputs inputs.a inputs.b[0] blocks.x.outputs secrets.K each.value metadata ${ } ${inputs.a} $${ ( ) [ ] , . ' \" \\ '\\n' " +
  "'text' '${inputs.a}' 0 1 2.5 1e9 true None and or not in if else is == != < <= > >= = && || ! | raw : ? + - * / % # ; { @ é 😀 " +
  "len( lower( split( join( replace( default( json( from_json( keys( first( max( sorted( unique( range( int( bool( regex_match( " +
  "__proto__ constructor .constructor ['__proto__'] '[a-z]+' '(' '{\"a\":1}'"
).split(" ");

const soup = fc.array(fc.constantFrom(...pieces, " ", "  ", "\n"), { maxLength: 30 }).chain((parts) => {
  return fc.constantFrom("", " ").map((separator) => parts.join(separator));
});
const anyText = fc.oneof(
  soup,
  soup,
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
);

const scope = fc
  .dictionary(fc.constantFrom("a", "b", "x", "K", "value", "outputs"), fc.jsonValue({ maxDepth: 3 }))
  .map(scopeOver);

function scopeOver(data: unknown): Scope {
  const converted = toValue(data);
  const value: Value = converted.ok ? converted.value : null;
  return { read: (root, keys) => readSteps(value, keys, root) };
}

function expectInside(span: Span, source: string): void {
  expect(span.start).toBeGreaterThanOrEqual(0);
  expect(span.start).toBeLessThanOrEqual(span.end);
  expect(span.end).toBeLessThanOrEqual(source.length);
}

/** Only JSON's values, no prototypes, whatever was evaluated. */
function expectPlain(value: Value): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number") {
    expect(Number.isFinite(value)).toBe(true);
    return;
  }
  if (!Array.isArray(value)) expect(Object.getPrototypeOf(value)).toBeNull();
  for (const item of Array.isArray(value) ? value : Object.values(value as ValueMap)) expectPlain(item);
}

function exercise(expression: Expression, source: string, data: Scope): void {
  expectInside(expression, source);
  for (const reference of references(expression)) expectInside(reference, source);
  inferType(expression, () => "any");
  for (const problem of typeProblems(expression, ({ keys }) => (keys[0] === "a" ? "number" : "boolean"))) {
    expectInside(problem, source);
  }
  const result = evaluate(expression, data);
  if (result.ok) return expectPlain(result.value);
  expectInside(result.error, source);
  expect(result.error.message).not.toBe("");
}

test("no text, however broken, makes a parse or an evaluation throw", () => {
  fc.assert(
    fc.property(anyText, scope, (source, data) => {
      const parsed = parseExpression(source);
      if (parsed.ok) return exercise(parsed.value, source, data);
      expectInside(parsed.error, source);
      expect(parsed.error.message).not.toBe("");
    }),
    { seed, numRuns: 1_500 },
  );
});

test("no template, however broken, makes a parse or an evaluation throw", () => {
  fc.assert(
    fc.property(anyText, scope, fc.nat(60), (source, data, offset) => {
      startsReference(source, offset);
      parseEmbedded(source, offset, { filters: ["raw"] });
      const parsed = parseTemplate(source);
      if (!parsed.ok) {
        for (const problem of parsed.error.problems) expectInside(problem, source);
        return;
      }
      const result = evaluateTemplate(parsed.value, data);
      if (result.ok) expectPlain(result.value);
    }),
    { seed, numRuns: 1_500 },
  );
});

test("text without ${ is its own template", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (source) => {
      fc.pre(!source.includes("${"));
      expect(parseTemplate(source)).toEqual({ ok: true, value: { parts: source === "" ? [] : [source] } });
    }),
    { seed },
  );
});

test("a value is never resolved a second time, wherever it is put", () => {
  const parsed = [
    "${inputs.v}",
    "<${inputs.v}>",
    "${'${inputs.v}'}",
    "${from_json(json(inputs.v))}",
    "${default(null, inputs.v)}",
  ];
  const templates = parsed.map((source): Template => {
    const template = parseTemplate(source);
    if (!template.ok) throw new Error(source);
    return template.value;
  });
  fc.assert(
    fc.property(fc.oneof(soup, anyText), (text) => {
      const data: Scope = { read: () => ({ found: true, value: text }) };
      const values = templates.map((template) => evaluateTemplate(template, data));
      expect(values).toEqual([text, `<${text}>`, text, text, text].map((value) => ({ ok: true, value })));
    }),
    { seed, numRuns: 500 },
  );
});

test("an evaluation stays within whatever limits it is given", () => {
  const limits = { steps: 50, text: 200, items: 20, work: 5_000 };
  const growing = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.constantFrom("inputs.text", "inputs.list", "'ab'", "[1, 2]", "range(9)"),
      tie("node").map((inner) => `(${inner} + ${inner})`),
      tie("node").map((inner) => `[${inner}, ${inner}]`),
      tie("node").map((inner) => `json(${inner})`),
      tie("node").map((inner) => `join([${inner}, ${inner}], ${inner})`),
      tie("node").map((inner) => `replace(string(${inner}), 'a', string(${inner}))`),
      tie("node").map((inner) => `split(string(${inner}), 'a')`),
      tie("node").map((inner) => `'\${${inner}}\${${inner}}'`),
    ),
  })).node;
  const data = scopeOver({ text: "a".repeat(90), list: Array.from({ length: 15 }, () => "aa") });
  let refused = 0;
  fc.assert(
    fc.property(growing, (source) => {
      const parsed = parseExpression(source);
      if (!parsed.ok) return;
      const result = evaluate(parsed.value, data, limits);
      if (!result.ok) refused += result.error.code === "limit" ? 1 : 0;
      else if (parsed.value.kind !== "path")
        expect(JSON.stringify(result.value).length).toBeLessThanOrEqual(2 * limits.text);
      expect(evaluate(parsed.value, data, { ...defaultLimits, work: 5_000_000 })).toHaveProperty("ok");
    }),
    { seed, numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(50);
});
