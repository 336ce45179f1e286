import { expect, test } from "vitest";
import { err, ok } from "../util/result.ts";
import { checkAnswer, compileAnswerSchema } from "./check-answer.ts";
import type { PromptRequest } from "./define-block.ts";

const ask = (more: Partial<PromptRequest> = {}): PromptRequest => ({ text: "Go?", audience: "llm", ...more });

test("without rules any answer is taken as it is, and nothing is an empty text", () => {
  expect(checkAnswer(ask(), "sure")).toEqual(ok("sure"));
  expect(checkAnswer(ask(), { a: 1 })).toEqual(ok({ a: 1 }));
  expect(checkAnswer(ask(), null)).toEqual(ok(""));
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
    err("The answer does not fit: answer.items[1] must be a number."),
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
