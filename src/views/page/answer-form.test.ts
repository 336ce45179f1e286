import { describe, expect, test } from "vitest";
import { formOf } from "./answer-form.ts";
import type { PageQuestion } from "./page-records.ts";

type Asked = Omit<PageQuestion, "form" | "title" | "more" | "asks">;

const question: Asked = {
  id: "pause_1",
  block: "approve",
  prompt: "Publish?",
  audience: "human",
  about: "block",
  asked_at: null,
};

function buttonsOf(more: Partial<Asked>, entered: unknown = {}): unknown {
  return formOf({ ...question, ...more }).buttons.map(({ label, takes_fields, name, value }) => [
    label,
    !takes_fields ? value : name === undefined ? entered : { ...(entered as object), [name]: value },
  ]);
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
