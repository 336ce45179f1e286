import { expect, test } from "vitest";
import { call, createStepEngine, ending, giving } from "../rig/step-engine.ts";

const facts = [
  giving("text", "seven"),
  giving("number", 7),
  giving("digits", "7"),
  giving("yes", true),
  giving("nothing", null),
  giving("list", [1, "two"]),
  ending("failed", "fail"),
  ending("skipped", "succeed", { condition: "false" }),
];

test.each([
  { output: "${blocks.number.value}", gives: 7 },
  { output: "n=${blocks.number.value}", gives: "n=7" },
  { output: "${blocks.list.value}", gives: [1, "two"] },
  { output: "${blocks.nothing.value}", gives: null },
  { output: "[${blocks.nothing.value}]", gives: "[]" },
  { output: "${blocks.list.value} ${blocks.yes.value}", gives: '[1,"two"] true' },
  { output: "plain", gives: "plain" },
  { output: "${blocks.number.value} == 7", gives: true },
  { output: "${blocks.text.succeeded} and ${blocks.failed.succeeded}", gives: false },
  { output: "not ${blocks.failed.succeeded}", gives: true },
  { output: "${blocks.skipped.value}", gives: null },
  { output: "${blocks.failed.code}", gives: 1 },
  { output: "${blocks.skipped.code}", gives: -1 },
  { output: { value: "${blocks.number.value} > 3", type: "bool" }, gives: true },
  { output: { value: "${blocks.yes.value}", type: "bool" }, gives: true },
  { output: { value: "${blocks.number.value}", type: "str" }, gives: "7" },
  { output: { value: "${blocks.digits.value}", type: "int" }, gives: 7 },
  { output: { value: "${blocks.digits.value}", type: "float" }, gives: 7 },
  { output: { value: "${blocks.nothing.value}", type: "int" }, gives: null },
  { output: { value: "${blocks.nothing.value}", type: "bool" }, gives: null },
  { output: { value: "${null if blocks.yes.value else true}", type: "bool" }, gives: null },
  { output: { value: "${blocks.list.value}", type: "json" }, gives: [1, "two"] },
  { output: { a: "${blocks.number.value}", b: ["x"] }, gives: { a: 7, b: ["x"] } },
])("the workflow output $output gives $gives", async ({ output, gives }) => {
  const { engine } = createStepEngine();
  const { response } = await engine.run({ blocks: facts, outputs: { it: output } });
  expect(response.output_errors).toBeUndefined();
  expect(JSON.parse(JSON.stringify(response.outputs?.it))).toEqual(gives);
});

test.each([
  { output: "${blocks.text.value.deeper}", says: "blocks.text.value" },
  { output: "${blocks.list.value[5]}", says: "blocks.list.value" },
  { output: { value: "${blocks.text.value}", type: "int" }, says: "whole number" },
  { output: { value: "${blocks.list.value}", type: "str" }, says: "a text" },
  { output: { value: "${blocks.text.value}", type: "bool" }, says: "true or false" },
  { output: { value: "${blocks.text.value} > 3", type: "bool" }, says: "" },
])("an output that can't be resolved or converted is null and named: $output", async ({ output, says }) => {
  const { engine } = createStepEngine();
  const { response, state } = await engine.run({ blocks: facts.slice(0, 6), outputs: { it: output, fine: "1" } });
  expect(response.outputs).toMatchObject({ it: null, fine: "1" });
  expect(response.output_errors?.it).toContain(says);
  expect(state.finished).toMatchObject({ status: "completed", outcome: "success" });
});

test("outputs are evaluated when the run fails too", async () => {
  const { engine } = createStepEngine();
  const { response } = await engine.run({
    blocks: [...facts, ending("crashed", "crash")],
    outputs: {
      number: "${blocks.number.value}",
      crashed: "${blocks.crashed.failed}",
      error: "${blocks.crashed.error}",
    },
  });
  expect(response).toMatchObject({ status: "failure", outputs: { number: 7, crashed: true, error: "it broke" } });
});

test("outputs of a nested workflow that fails can be read, and its output errors are named with its address", async () => {
  const { engine } = createStepEngine({
    workflows: {
      child: {
        blocks: [giving("x", "text"), ending("bad", "fail")],
        outputs: { x: "${blocks.x.value}", broken: "${blocks.x.value.y}" },
      },
    },
  });
  const { response } = await engine.run({
    blocks: [call("nested", "child")],
    outputs: { x: "${blocks.nested.x}", broken: "${blocks.nested.outputs.broken}" },
  });
  expect({ ...response.outputs }).toEqual({ x: "text", broken: null });
  expect(Object.keys(response.output_errors ?? {})).toEqual(["nested.broken"]);
});

test("a value that holds an expression or a template stays that text for ever", async () => {
  const { engine } = createStepEngine({
    workflows: {
      child: {
        inputs: { text: { type: "string", description: "?" } },
        blocks: [giving("x", "${inputs.text}")],
        outputs: { text: "${blocks.x.value}" },
      },
    },
  });
  const hostile = "${inputs.text} ${secrets.x} {{7*7}} $${x}";
  const { response } = await engine.run(
    {
      inputs: { text: { type: "string", description: "?" } },
      blocks: [call("nested", "child", { text: "${inputs.text}" })],
      outputs: { text: "${blocks.nested.text}", embedded: "<${blocks.nested.text}>" },
    },
    { inputs: { text: hostile } },
  );
  expect({ ...response.outputs }).toEqual({ text: hostile, embedded: `<${hostile}>` });
});

test("a comparison that can't be made is null and an output error, never a text", async () => {
  const { response } = await createStepEngine().engine.run({
    blocks: [giving("a", null), giving("b", "today")],
    outputs: { healthy: "${blocks.a.value} > 3", prose: "not ${blocks.b.value}" },
  });
  expect(response.outputs).toEqual({ healthy: null, prose: "not today" });
  expect(Object.keys(response.output_errors ?? {})).toEqual(["healthy"]);
});
