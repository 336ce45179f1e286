import { expect, test } from "vitest";
import { err, ok } from "../util/result.ts";
import { compileAnswerSchema } from "./answer-schema.ts";
import { checkAnswer } from "./check-answer.ts";
import type { Question } from "./define-block.ts";

const ask = (more: Partial<Question> = {}): Question => ({ text: "Go?", audience: "llm", ...more });

test("without a schema the answer is text, in whatever form it was given", () => {
  expect(checkAnswer(ask(), "sure")).toEqual(ok("sure"));
  expect(checkAnswer(ask(), 2)).toEqual(ok("2"));
  expect(checkAnswer(ask(), true)).toEqual(ok("true"));
  expect(checkAnswer(ask(), { a: [1] })).toEqual(ok('{"a":[1]}'));
  expect(checkAnswer(ask(), null)).toEqual(ok(""));
  expect(checkAnswer(ask({ default: 3 }), null)).toEqual(ok("3"));
  expect(checkAnswer(ask({ choices: ["1", "2"] }), 2)).toEqual(ok("2"));
  expect(checkAnswer(ask({ choices: ["true", "false"] }), false)).toEqual(ok("false"));
});

test("a default fills an empty answer and nothing else", () => {
  expect(checkAnswer(ask({ default: "no" }), "")).toEqual(ok("no"));
  expect(checkAnswer(ask({ default: "no" }), null)).toEqual(ok("no"));
  expect(checkAnswer(ask({ default: "no" }), "yes")).toEqual(ok("yes"));
  expect(checkAnswer(ask({ default: 3, schema: { type: "integer" } }), "")).toEqual(ok(3));
});

test("choices match exactly", () => {
  const choices = ["yes", "no"];
  expect(checkAnswer(ask({ choices }), "yes")).toEqual(ok("yes"));
  for (const answer of ["Yes", "yes ", "", true]) {
    const checked = checkAnswer(ask({ choices }), answer);
    expect(checked.ok).toBe(false);
    expect(!checked.ok && checked.error).toMatch(/^The answer must be exactly one of: yes, no\. It is /);
  }
});

test("with a schema the answer is a JSON value or its text", () => {
  const schema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
  expect(checkAnswer(ask({ schema }), { count: 2 })).toEqual(ok({ count: 2 }));
  expect(checkAnswer(ask({ schema }), '{"count": 2}')).toEqual(ok({ count: 2 }));
  expect(checkAnswer(ask({ schema: { type: "string" } }), "plain words")).toEqual(ok("plain words"));
  expect(checkAnswer(ask({ schema: { type: "boolean" } }), "true")).toEqual(ok(true));
});

test("an answer that does not fit says where and why", () => {
  const schema = { type: "object", properties: { items: { type: "array", items: { type: "integer" } } } };
  expect(checkAnswer(ask({ schema }), { items: [1, "x"] })).toEqual(
    err("The answer does not fit: answer.items[1] must be a whole number."),
  );
});

test("an answer can't reach what the engine keeps for itself", () => {
  const checked = checkAnswer(ask({ schema: { type: "object" } }), '{"__proto__": {"polluted": true}}');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(checked).toMatchObject({ ok: true });
  expect(checked.ok && checked.value).not.toHaveProperty("polluted");
});

test("a schema with a pattern is refused: a hostile one could take for ever", () => {
  expect(compileAnswerSchema({ type: "string", pattern: "^(a+)+$" }).ok).toBe(false);
  expect(compileAnswerSchema({ properties: { x: { anyOf: [{ pattern: "a" }] } } }).ok).toBe(false);
});

test("a schema that is none is refused in words", () => {
  const compiled = compileAnswerSchema({ type: "nonsense" });
  expect(compiled.ok ? "" : compiled.error).not.toBe("");
});

test.each([
  [{ type: "object", required: ["a"] }, {}, "answer needs 'a'"],
  [{ properties: { a: { type: "string" } }, required: ["a"] }, { a: 1 }, "answer.a must be a text"],
  [{ type: "array", minItems: 2 }, [1], "answer does not fit: Array has too few items (1 < 2)"],
  [{ minimum: 3 }, 1, "answer must be at least 3"],
  [{ maximum: 3 }, 4, "answer must be at most 3"],
  [{ enum: ["x", "y"] }, "z", 'answer must be one of ["x","y"]'],
  [{ const: 1 }, 2, "answer does not fit"],
  [{ properties: { a: {} }, additionalProperties: false }, { b: 1 }, "answer.b is not asked for: leave it out"],
  [{ type: "object", additionalProperties: false }, { a: 1 }, "answer"],
  [{ maxLength: 2 }, "abc", "answer does not fit"],
  [{ not: { type: "string" } }, "a", "answer does not fit"],
  [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "a", "answer"],
  [{ multipleOf: 2 }, 3, "answer does not fit"],
  [{ $ref: "#/$defs/n", $defs: { n: { type: "number" } } }, "a", "answer must be a number"],
])("the schema %j refuses %j", (schema, answer, problem) => {
  const checked = checkAnswer(ask({ schema }), answer);
  expect(checked.ok ? "" : checked.error).toContain(problem);
});

test.each([
  [{ typ: "string" }, "did you mean 'type'?"],
  [{ type: "text" }, "must be one of string, number"],
  [{ properties: { a: { requird: [] } } }, "schema.properties.a has no keyword 'requird'; did you mean 'required'?"],
  [{ $ref: "https://example.com/schema" }, "can only refer to the schema itself"],
  [{ anyOf: { type: "string" } }, "schema.anyOf must be a list"],
])("a schema that would check nothing is refused: %j", (schema, problem) => {
  const compiled = compileAnswerSchema(schema);
  expect(compiled.ok ? "" : compiled.error).toContain(problem);
});
