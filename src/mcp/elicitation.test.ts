import { expect, test } from "vitest";
import type { ValueMap } from "../expression/value.ts";
import type { QuestionData } from "../views/response.ts";
import { type Form, formFor } from "./elicitation.ts";

function form(more: Partial<QuestionData>): Form {
  return formFor({ checkpoint_id: "pause_1_2", block: "q", prompt: "Well?", audience: "human", ...more });
}

function fieldsOf(more: Partial<QuestionData>): Readonly<Record<string, ValueMap>> {
  return form(more).schema.properties;
}

test("a question without a schema is one text, and one with choices is a choice", () => {
  expect(form({}).schema).toEqual({
    type: "object",
    properties: { answer: { title: "Answer", type: "string" } },
    required: ["answer"],
  });
  expect(fieldsOf({ choices: ["left", "right"], default: "left" }).answer).toEqual({
    title: "Answer",
    type: "string",
    enum: ["left", "right"],
    default: "left",
  });
  expect(form({}).read({ answer: "yes" })).toBe("yes");
  expect(form({}).read({})).toBe(null);
});

test("a plain schema is one field, with the keywords that forms know and no others", () => {
  const schema = { type: "integer", minimum: 1, multipleOf: 2, description: "How many" };
  expect(fieldsOf({ schema }).answer).toEqual({
    title: "Answer",
    type: "integer",
    minimum: 1,
    description: "How many",
  });
  expect(fieldsOf({ schema: { type: "string", format: "uuid" } }).answer).toEqual({ title: "Answer", type: "string" });
  expect(fieldsOf({ schema: { enum: ["a", "b"] } }).answer).toMatchObject({ type: "string", enum: ["a", "b"] });
});

test("a flat object is a form with its fields, presets and what is required", () => {
  const schema = {
    type: "object",
    properties: { size: { type: "number" }, sure: { type: "boolean" } },
    required: ["size"],
    additionalProperties: false,
  };
  const { schema: shown, read } = form({ schema, default: { sure: true } });
  expect(shown).toEqual({
    type: "object",
    properties: { size: { type: "number" }, sure: { type: "boolean", default: true } },
    required: ["size"],
  });
  expect(read({ size: 2, sure: false })).toEqual({ size: 2, sure: false });
});

test("whatever no form can show is asked for as JSON text, and read as what it stands for", () => {
  const schema = { type: "array", items: { type: "string" } };
  const { schema: shown, read } = form({ schema, default: ["a"] });
  expect(shown.properties.answer).toMatchObject({ type: "string", default: '["a"]' });
  expect(shown.properties.answer?.description).toContain(JSON.stringify(schema));
  expect(read({ answer: '["x","y"]' })).toEqual(["x", "y"]);
  expect(read({ answer: "no JSON" })).toBe("no JSON");
});
