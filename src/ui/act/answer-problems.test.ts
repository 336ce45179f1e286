import { expect, test } from "vitest";
import { fieldsOfSchema } from "../../views/page/fields-of-schema.ts";
import { problemsOf } from "./answer-problems.ts";

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
