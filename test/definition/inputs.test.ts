import { expect, test } from "vitest";
import { check, onlyProblem, planned, shell, workflow } from "./check.ts";

function declaring(...inputs: readonly string[]): string {
  return workflow(shell("a"), `inputs:\n${inputs.map((input) => `  ${input}\n`).join("")}`);
}

const names: readonly [written: string, type: string][] = [
  ["string", "string"],
  ["str", "string"],
  ["integer", "integer"],
  ["int", "integer"],
  ["number", "number"],
  ["float", "number"],
  ["boolean", "boolean"],
  ["bool", "boolean"],
  ["array", "array"],
  ["list", "array"],
  ["object", "object"],
  ["dict", "object"],
  ["json", "json"],
];

test.each(names)("an input of type %s is a %s", (written, type) => {
  const { definition } = planned(declaring(`x: { type: ${written}, description: d }`));
  expect(definition.inputs.get("x")).toMatchObject({ type, required: true, description: "d" });
});

test.each([
  ["string", "'text'"],
  ["integer", "3"],
  ["number", "3"],
  ["number", "2.5"],
  ["boolean", "false"],
  ["array", "[1, two]"],
  ["object", "{ a: 1 }"],
  ["json", "[1]"],
  ["json", "null"],
])("a default of type %s can be %s, and makes the input optional", (type, value) => {
  const { definition } = planned(declaring(`x: { type: ${type}, description: d, default: ${value} }`));
  expect(definition.inputs.get("x")?.required).toBe(false);
});

test.each([
  ["string", "3", "expected a text, got the number 3"],
  ["integer", "2.5", "expected a whole number, got the number 2.5"],
  ["integer", "'3'", "expected a whole number, got the text '3'"],
  ["number", "true", "expected a number, got true"],
  ["boolean", "'true'", "expected true or false, got the text 'true'"],
  ["array", "{ a: 1 }", "expected a list"],
  ["object", "[1]", "expected a map"],
])("a default of type %s can't be %s", (type, value, says) => {
  expect(onlyProblem(declaring(`x: { type: ${type}, description: d, default: ${value} }`))).toMatchObject({
    code: "wrong-type",
    marked: value,
    message: expect.stringContaining(says),
  });
});

test("an enum holds values of the type, at least one, and the default is among them", () => {
  expect(
    planned(declaring("x: { type: int, description: d, enum: [1, 2], default: 2 }")).definition.inputs.get("x"),
  ).toMatchObject({ enum: [1, 2] });
  expect(
    planned(declaring("x: { type: array, description: d, enum: [[1], [2]], default: [2] }")).definition.inputs.size,
  ).toBe(1);
  expect(onlyProblem(declaring("x: { type: int, description: d, enum: [1, two] }"))).toMatchObject({
    code: "wrong-type",
    marked: "two",
  });
  expect(onlyProblem(declaring("x: { type: int, description: d, enum: [] }"))).toMatchObject({ code: "empty-enum" });
  expect(onlyProblem(declaring("x: { type: int, description: d, enum: [1], default: 3 }"))).toMatchObject({
    code: "not-in-enum",
    marked: "3",
  });
  expect(onlyProblem(declaring('x: { type: str, description: d, enum: [a, "${metadata.run_id}"] }'))).toMatchObject({
    code: "expression-not-allowed",
  });
});

test("required is true unless there is a default, and can be said", () => {
  const { definition } = planned(
    declaring("a: { type: str, description: d }", "b: { type: str, description: d, required: false }"),
  );
  expect([...definition.inputs.values()].map(({ required }) => required)).toEqual([true, false]);
  expect(onlyProblem(declaring("x: { type: str, description: d, required: true, default: a }"))).toMatchObject({
    code: "default-never-used",
    level: "warning",
  });
});

test("a missing description is a warning", () => {
  expect(onlyProblem(declaring("x: { type: str }"))).toMatchObject({
    code: "missing-description",
    level: "warning",
    marked: "x",
    why: "People and models choose what to pass by it.",
  });
});

test("a default may read the run's metadata and nothing else", () => {
  planned(
    declaring(
      'x: { type: str, description: d, default: "${metadata.workflow_name}-${metadata.start_time}-${metadata.run_id}" }',
    ),
  );
  for (const path of ["inputs.y", "blocks.a.stdout", "each.value", "secrets.z"]) {
    const problem = onlyProblem(
      declaring("y: { type: str, description: d }", `x: { type: str, description: d, default: "$\{${path}}" }`),
    );
    expect(problem).toMatchObject({ code: "reference-not-allowed", marked: path });
  }
  expect(
    onlyProblem(declaring('x: { type: str, description: d, default: "${metadata.idempotency_key}" }')),
  ).toMatchObject({ code: "unknown-metadata" });
});

test("an input is a map with a type", () => {
  const { problems } = check(declaring("x: string", "y: { description: d }"));
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "wrong-type: Input 'x' must be a map with at least a type.",
    "missing-key: input 'y' has no 'type'.",
  ]);
});

test("an input that can't be read is not reported a second time by those that read it", () => {
  const text = workflow(shell("a", "condition: \"${inputs.x} == 'y'\""), "inputs: { x: string }\n");
  expect(onlyProblem(text).code).toBe("wrong-type");
});
