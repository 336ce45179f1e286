import { describe, expect, test } from "vitest";
import type { PageQuestion } from "../../views/page/page-records.ts";
import { formOf, problemsOf } from "./answer-form.ts";
import { fieldsOfSchema } from "./fields-of-schema.ts";

const question: PageQuestion = {
  id: "pause_1",
  block: "approve",
  prompt: "Publish?",
  audience: "human",
  about: "block",
  asked_at: null,
};

function buttonsOf(more: Partial<PageQuestion>, entered: unknown = {}): unknown {
  return formOf({ ...question, ...more }).buttons.map(({ label, answer }) => [label, answer(entered)]);
}

describe("the form of an answer", () => {
  test("a few choices are buttons, many are a list", () => {
    expect(buttonsOf({ choices: ["approve", "reject"] })).toEqual([
      ["Approve", "approve"],
      ["Reject", "reject"],
    ]);
    const many = formOf({ ...question, choices: ["a", "b", "c", "d", "e"] });
    expect(many.fields).toMatchObject([{ kind: "choice" }]);
    expect(many.buttons).toHaveLength(1);
  });

  test("true or false is yes or no", () => {
    expect(buttonsOf({ schema: { type: "boolean" } })).toEqual([
      ["Yes", true],
      ["No", false],
    ]);
  });

  test("a decision with reasons beside it is sent with what the fields hold", () => {
    const schema = {
      type: "object",
      required: ["decision"],
      properties: { decision: { enum: ["ship", "hold_back"] }, reason: { type: "string" } },
    };
    expect(buttonsOf({ schema }, { reason: "late" })).toEqual([
      ["Ship", { reason: "late", decision: "ship" }],
      ["Hold back", { reason: "late", decision: "hold_back" }],
    ]);
    expect(formOf({ ...question, schema }).fields.map(({ name }) => name)).toEqual(["reason"]);
  });

  test("a budget is raised, or what it holds up is stopped or rolled back", () => {
    expect(buttonsOf({ about: "budget" }, "+2")).toEqual([
      ["Raise the limit", "+2"],
      ["Stop", "stop"],
      ["Roll back", "rollback"],
    ]);
  });

  test("what becomes of an interrupted block is chosen in words", () => {
    expect(buttonsOf({ about: "interruption", choices: ["rerun", "done", "fail"] })).toEqual([
      ["Run it again", "rerun"],
      ["Take it as done", "done"],
      ["Let it fail", "fail"],
    ]);
  });
});

test("a refusal of the server's stands below the fields that it is about", () => {
  const schema = { properties: { count: { type: "integer" }, who: { type: "string" }, tags: { type: "array" } } };
  const message =
    "The answer does not fit: answer.count must be at least 3; answer needs 'who'; answer.tags[0] must be a text.";
  expect(problemsOf(message, fieldsOfSchema(schema))).toEqual({
    count: "It must be at least 3.",
    who: "It is needed.",
    tags: "It must be a text.",
  });
  expect(problemsOf("The answer does not fit: answer must be a number.", fieldsOfSchema({ type: "number" }))).toEqual({
    "": "It must be a number.",
  });
  expect(problemsOf("Already answered.", fieldsOfSchema(schema))).toEqual({});
});
