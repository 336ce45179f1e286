import { expect, test } from "vitest";
import { sortProblems } from "./sort-problems.ts";

const inputs = [{ name: "count", type: "integer", required: true }];

test("a problem of a field stands below it, with what to do", () => {
  const problems = [
    { message: "Input 'count': 'x' is not a whole number.", fix: "Write 3.", field: "count" },
    { message: "The secret 'KEY' is missing." },
  ];
  expect(sortProblems({ message: "", fix: undefined, problems }, inputs)).toEqual({
    fields: { count: "Input 'count': 'x' is not a whole number. Write 3." },
    others: ["The secret 'KEY' is missing."],
  });
});

test("what names an input that the form has not is said below all of them", () => {
  const message = "The workflow has no input 'cuont'.";
  const problems = [{ message, fix: "Did you mean 'count'?", field: "cuont" }];
  expect(sortProblems({ message, fix: undefined, problems }, inputs)).toEqual({
    fields: {},
    others: [`${message} Did you mean 'count'?`],
  });
});
