import { expect, test } from "vitest";
import { givenInputs } from "../../ui/workflows/given-inputs.ts";
import { fieldsOfInputs } from "./workflow-fields.ts";
import type { WorkflowInput } from "./workflow-records.ts";

const inputs: readonly WorkflowInput[] = [
  { name: "bump", type: "string", required: false, default: "auto", choices: ["auto", "major"] },
  { name: "count", type: "integer", required: true },
  { name: "where", type: "string", required: false, default: "${metadata.workspace}" },
  { name: "items", type: "array", required: false, default: [1] },
];

test("each input has the field of its type", () => {
  expect(fieldsOfInputs(inputs).map(({ name, kind }) => [name, kind])).toEqual([
    ["bump", "choice"],
    ["count", "integer"],
    ["where", "text"],
    ["items", "json"],
  ]);
});

test("a default that only a run knows is shown, and not sent", () => {
  expect(fieldsOfInputs(inputs)[2]).toMatchObject({ placeholder: "${metadata.workspace}" });
  expect(fieldsOfInputs(inputs)[2]).not.toHaveProperty("default");
});

test("what is as the workflow has it is not given", () => {
  expect(givenInputs(fieldsOfInputs(inputs), { bump: "auto", count: 3, items: [1] })).toEqual({ count: 3 });
  expect(givenInputs(fieldsOfInputs(inputs), { bump: "major", items: [] })).toEqual({ bump: "major", items: [] });
});
