import { expect, test } from "vitest";
import { findFields } from "./field-problems.ts";

test("what is wrong with an answer is told by its fields", () => {
  const message =
    "The answer does not fit: answer.count must be at least 3; answer needs 'who'; answer.tags[0] must be a text.";
  expect(findFields([{ code: "answer-refused", message }])).toEqual([
    { code: "answer-refused", field: "count", message: "It must be at least 3." },
    { code: "answer-refused", field: "who", message: "It is needed." },
    { code: "answer-refused", field: "tags", message: "It must be a text." },
  ]);
  expect(findFields([{ message: "The answer does not fit: answer must be a number." }])).toEqual([
    { field: "", message: "It must be a number." },
  ]);
});

test("a problem that names an input is about its field; what names none stays as it is", () => {
  const [count, other] = [{ message: "Input 'count': 'x' is not a whole number." }, { message: "Already answered." }];
  expect(findFields([count, other])).toEqual([{ ...count, field: "count" }, other]);
});
