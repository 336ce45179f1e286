import { expect, test } from "vitest";
import type { WorkflowDefinition } from "../../src/definition/workflow-definition.ts";
import { planWorkflow } from "../../src/plan/plan-workflow.ts";
import { check, codes, onlyProblem, planned, shell, workflow } from "./check.ts";

const leaf = workflow(shell("step")).replace("name: flow", "name: leaf");
const child = workflow(
  `${shell("inner")}- { id: deep, type: ExecuteWorkflow, inputs: { workflow: leaf } }\n${shell("loop", "for_each: [1]")}`,
  `inputs:
  target: { type: string, description: d }
  count: { type: integer, description: d, default: 1 }
outputs: { url: "x", success: "y" }
`,
).replace("name: flow", "name: child");
const library = { child, leaf };

const call = "- { id: d, type: ExecuteWorkflow, inputs: { workflow: child, inputs: { target: x } } }\n";
const blocks = `${shell("a", "outputs: { report: { type: json, path: r.json }, success: { type: bool, path: s.txt } }")}${shell("b")}${shell("loop", "for_each: [1, 2]")}${call}- { id: p, type: Prompt, inputs: { prompt: x } }
- { id: u, type: ExecuteWorkflow, inputs: { workflow: "$\{inputs.which}" } }
`;
const inputs = `inputs:
  which: { type: string, description: d }
  data: { type: object, description: d }
  on: { type: boolean, description: d }
  n: { type: number, description: d }
  items: { type: array, description: d }
`;

/** A workflow with an output of this value. */
function reading(expression: string): string {
  return workflow(blocks, `${inputs}outputs:\n  x: "$\{${expression}}"\n`);
}

const sound: readonly string[] = [
  "inputs.which",
  "inputs.data.any.thing[0]",
  "inputs['which']",
  "metadata.workflow_name",
  "metadata.start_time",
  "metadata.run_id",
  "metadata.idempotency_key",
  "blocks.a.outputs.stdout",
  "blocks.a.stdout",
  "blocks.a.outputs.report.deep['key'][3]",
  "blocks.a.report",
  "blocks.a.success",
  "blocks.a.outputs.success",
  "blocks.a.inputs.command",
  "blocks.a.metadata.execution_time_ms",
  "blocks.a.metadata.attempts",
  "blocks.a.metadata.attempt_history[0].message",
  "blocks.a.metadata.wake_at",
  "blocks['a'].exit_code",
  "blocks.a.succeeded",
  "blocks.a.failed",
  "blocks.a.skipped",
  "blocks.a.status",
  "blocks.a.outcome",
  "blocks.a.error",
  "blocks.p.response.any.field",
  "blocks.d.outputs.url",
  "blocks.d.url",
  "blocks.d.success",
  "blocks.d.metadata.workflow_name",
  "blocks.d.metadata.total_blocks",
  "blocks.d.inputs.workflow",
  "blocks.d.blocks.inner.outputs.stdout",
  "blocks.d.blocks.inner.failed",
  "blocks.d.blocks.deep.blocks.step.exit_code",
  "blocks.d.blocks.loop.blocks['0'].stdout",
  "blocks.loop.outputs.results[0].stdout",
  "blocks.loop.count",
  "blocks.loop.failed_keys",
  "blocks.loop.failed_elements",
  "blocks.loop.blocks['2'].outputs.stdout",
  "blocks.loop.blocks[0].failed",
  "blocks.loop.blocks['2'].inputs.command",
  "blocks.u.outputs.anything.at.all",
  "blocks.u.anything",
  "blocks.u.blocks.x.blocks.y.outputs.z",
  "blocks.u.blocks.x.inputs.anything",
  "blocks.u.metadata.run_id",
];

test.each(sound)("%s is a path that leads somewhere", (path) => {
  expect(check(reading(path), library).problems.filter(({ level }) => level === "error")).toEqual([]);
});

const broken: readonly [path: string, code: string, says: string][] = [
  ["inputs.nope", "unknown-input", "The workflow has no input 'nope'."],
  ["inputs.which.deeper", "nothing-inside", "There is nothing inside inputs.which: it is a text."],
  ["metadata.wave", "unknown-metadata", "There is no metadata.wave."],
  ["blocks", "dynamic-block", "Which block is read must be known before the run: write its name, not an expression."],
  ["blocks.nope.stdout", "unknown-block", "There is no block 'nope'."],
  ["blocks.a.outputs.nope", "unknown-output", "blocks.a has no output 'nope'."],
  ["blocks.a.nope", "unknown-output", "blocks.a has no output 'nope'."],
  ["blocks.a.inputs.nope", "unknown-input", "blocks.a has no input 'nope'."],
  ["blocks.a.metadata.nope", "unknown-metadata", "blocks.a has no metadata 'nope'."],
  ["blocks.a.metadata.run_id", "unknown-metadata", "blocks.a has no metadata 'run_id'."],
  ["blocks.a.status.length", "nothing-inside", "blocks.a.status has no fields."],
  ["blocks.a.stdout[0]", "nothing-inside", "blocks.a.stdout has no fields."],
  ["blocks.a.metadata.wave.x", "nothing-inside", "blocks.a.metadata.wave has no fields."],
  ["blocks.a.blocks.x.stdout", "nothing-inside", "blocks.a has no blocks inside it."],
  ["blocks.b.success", "no-success-output", "blocks.b.success does not exist."],
  ["blocks.b.outputs.success", "no-success-output", "blocks.b.outputs.success does not exist."],
  ["blocks.d.outputs.nope", "unknown-output", "blocks.d has no output 'nope'."],
  ["blocks.d.blocks.nope.stdout", "unknown-block", "The workflow 'child' has no block 'nope'."],
  ["blocks.d.blocks.inner.nope", "unknown-output", "blocks.d.blocks.inner has no output 'nope'."],
  ["blocks.d.blocks.deep.blocks.nope.failed", "unknown-block", "The workflow 'leaf' has no block 'nope'."],
  [
    "blocks.loop.stdout",
    "unknown-output",
    "blocks.loop has no output 'stdout': it is a loop, and each of its passes has one.",
  ],
  ["blocks.loop.blocks['2'].outputs.nope", "unknown-output", "blocks.loop.blocks.2 has no output 'nope'."],
  ["blocks.p.outputs.answer", "unknown-output", "blocks.p has no output 'answer'."],
  ["each.value", "each-outside-loop", "`each` is only known inside a block that has for_each or repeat."],
];

test.each(broken)("%s is refused", (path, code, says) => {
  const problems = check(reading(path), library).problems.filter(({ level }) => level === "error");
  expect(problems).toMatchObject([{ code, message: says, marked: path }]);
});

test(".success is refused with the fix .succeeded", () => {
  const { fix } = onlyProblem(
    workflow(`${shell("a")}${shell("c", 'depends_on: [a], condition: "${blocks.a.outputs.success}"')}`),
  );
  expect(fix).toBe("Write blocks.a.succeeded: how a block went is in its state, not in its outputs.");
});

test("each is known inside the block that loops, not in what it loops over", () => {
  planned(
    workflow(
      '- { id: a, type: Shell, for_each: { x: 1 }, timeout: "${each.value}", condition: "${each.index} < ${each.count}", inputs: { command: "echo ${each.key}" }, outputs: { f: { path: "${each.key}.txt" } } }',
    ),
  );
  expect(codes(workflow(shell("a", 'for_each: "${each.value}"')))).toEqual(["each-outside-loop"]);
  expect(codes(workflow(shell("a", 'condition: "${each.index} == 0"')))).toEqual(["each-outside-loop"]);
});

test("references are found wherever they stand: in strings, indexes, calls and branches", () => {
  const text =
    "'a ${blocks.n1.stdout}' == default(inputs.data[blocks.n2.stdout], [blocks.n3.stdout]) or (1 if blocks.n4.failed else -blocks.n5.x) in [1]";
  const { problems } = check(workflow(shell("a", `condition: "${text}"`), inputs));
  expect(problems.map(({ marked }) => marked)).toEqual([
    "blocks.n1.stdout",
    "blocks.n2.stdout",
    "blocks.n3.stdout",
    "blocks.n4.failed",
    "blocks.n5.x",
  ]);
});

test("a call must give a known child what it requires, and only what it declares", () => {
  const calling = (given: string): string =>
    workflow(`- { id: d, type: ExecuteWorkflow, inputs: { workflow: child${given} } }`);
  expect(onlyProblem(calling(""), library)).toMatchObject({
    code: "missing-input",
    message: "block 'd' calls 'child' without its required input 'target'.",
  });
  expect(onlyProblem(calling(", inputs: { target: 3 }"), library)).toMatchObject({ code: "wrong-type", marked: "3" });
  expect(onlyProblem(calling(', inputs: { target: "" }'), library)).toMatchObject({
    code: "missing-input",
    marked: '""',
  });
  expect(onlyProblem(calling(", inputs: { target: x, count: many }"), library)).toMatchObject({
    code: "wrong-type",
    marked: "many",
  });
  expect(onlyProblem(calling(', inputs: { target: "${metadata.run_id}", cuont: 1 }'), library)).toMatchObject({
    code: "unknown-input",
    marked: "cuont",
  });
  expect(check(calling(", inputs: { target: x, count: null }"), library).problems).toEqual([]);
  expect(check(calling(', inputs: "${from_json(metadata.run_id)}"'), library).problems).toEqual([]);
});

test("what a call hands over as an expression must be of a type that the child takes", () => {
  const calling = (given: string): string =>
    workflow(`- { id: d, type: ExecuteWorkflow, inputs: { workflow: child, inputs: { ${given} } } }`, inputs);
  expect(onlyProblem(calling('target: "${inputs.n}"'), library)).toMatchObject({
    code: "wrong-type",
    marked: '"${inputs.n}"',
    message: "Input 'target' of 'child' must be a text, this gives a number.",
  });
  expect(onlyProblem(calling('target: x, count: "${inputs.n} pieces"'), library)).toMatchObject({ code: "wrong-type" });
  for (const given of ['target: "no ${inputs.n}"', 'target: "${inputs.data.x}"', 'target: x, count: "${inputs.n}"']) {
    expect(check(calling(given), library).problems).toEqual([]);
  }
});

test("an unknown child is a warning, and nothing about it is an error", () => {
  const { plan, problems } = check(
    workflow(
      `- { id: d, type: ExecuteWorkflow, inputs: { workflow: nowhere, inputs: { a: 1 } } }\n${shell("b", 'depends_on: [d], condition: "${blocks.d.outputs.x} == 1"')}`,
    ),
  );
  expect(plan).toBeDefined();
  expect(problems).toMatchObject([
    {
      code: "unknown-workflow",
      level: "warning",
      marked: "nowhere",
      fix: "`frond list` shows the workflows that can be called by name.",
    },
  ]);
});

test("a child that is missing gets its words from whoever knows why", () => {
  const text = workflow("- { id: d, type: ExecuteWorkflow, inputs: { workflow: nowhere } }");
  const { definition } = check(text);
  const why = {
    code: "untrusted-workflow",
    level: "error",
    message: "Nobody vouched for it.",
    fix: "Read it.",
  } as const;
  const { plan, diagnostics } = planWorkflow(
    definition as WorkflowDefinition,
    () => undefined,
    (name) => ({ ...why, message: `${name}: ${why.message}` }),
  );
  expect(plan).toBeUndefined();
  expect(diagnostics).toMatchObject([{ ...why, message: "nowhere: Nobody vouched for it.", range: {} }]);
});

test("a workflow that calls itself, directly or through others, is refused with the way", () => {
  const calls = (name: string, other: string): string =>
    workflow(`- { id: d, type: ExecuteWorkflow, inputs: { workflow: ${other} } }`).replace(
      "name: flow",
      `name: ${name}`,
    );
  const self = calls("flow", "flow");
  expect(onlyProblem(self)).toMatchObject({
    code: "workflow-cycle",
    message: "Circular call: the workflow calls itself: flow -> flow.",
  });
  const around = { one: calls("one", "two"), two: calls("two", "flow") };
  expect(onlyProblem(calls("flow", "one"), around).message).toBe(
    "Circular call: the workflow calls itself: flow -> one -> two -> flow.",
  );
});

test.each([
  ["${blocks.a.stdout}", "a text"],
  ["${blocks.a.exit_code}", "a number"],
  ["${inputs.items}", "a list"],
  ["'yes'", "a text"],
  ["1 + 1", "a number"],
  ["null", "nothing"],
  ["[true]", "a list"],
])("a condition that is certainly not true or false is refused: %s", (text, what) => {
  const { problems } = check(workflow(`${shell("a")}${shell("c", `depends_on: [a], condition: "${text}"`)}`, inputs));
  expect(problems).toMatchObject([
    { code: "wrong-type", level: "error", message: `condition must give true or false, this gives ${what}.` },
  ]);
});

test.each([
  "true",
  "${inputs.on}",
  "${blocks.p.response}",
  "${inputs.data.x}",
  "${blocks.a.failed} and ${blocks.p.response}",
])("a condition that may be true or false is fine: %s", (text) => {
  const ask = "- { id: p, type: Prompt, inputs: { prompt: x } }\n";
  expect(
    codes(workflow(`${shell("a")}${ask}${shell("c", `depends_on: [a, p], condition: "${text}"`)}`, inputs)),
  ).toEqual([]);
});

test("condition: true needs no quotes, a number is no condition", () => {
  planned(workflow(shell("a", "condition: true")));
  expect(onlyProblem(workflow(shell("a", "condition: 3")))).toMatchObject({ code: "wrong-type", marked: "3" });
});

const neverTrue: readonly [text: string, fix: string][] = [
  ["${blocks.a.succeeded} == 'true'", "or use blocks.a.succeeded alone."],
  ["${inputs.on} != 'False'", "Write false without the quotes"],
  ["'true' == ${blocks.a.failed}", "Write true without the quotes"],
  ["blocks.a.exit_code == '0'", "Drop the quotes: 0."],
  ["${inputs.n} == '3'", "Drop the quotes: 3."],
  ["blocks.a.stdout == 0", "int(blocks.a.stdout)"],
  ["blocks.a.status == 'success'", "Write blocks.a.succeeded; blocks.a.status is one of pending, running, completed"],
  ["${blocks.a.outcome} == 'succeeded'", "Write blocks.a.succeeded; blocks.a.outcome is one of success, failure, n/a."],
  ["'${blocks.a.status}' != 'error'", "Write blocks.a.failed;"],
  ["blocks.a.metadata.outcome == 'failed'", "Write blocks.a.failed;"],
  ["blocks.a.status in ['complete', 'skipped']", "Did you mean 'completed'?"],
  ["inputs.stage == 'prod'", "Did you mean 'production'?"],
];

test.each(neverTrue)("a comparison that can never be true gets a warning with the way: %s", (text, fix) => {
  const stage = "  stage: { type: string, description: d, enum: [staging, production] }\n";
  const condition = `depends_on: [a], condition: "${text}"`;
  expect(onlyProblem(workflow(`${shell("a")}${shell("c", condition)}`, `${inputs}${stage}`))).toMatchObject({
    code: "never-equal",
    level: "warning",
    fix: expect.stringContaining(fix),
  });
});

test.each([
  "blocks.a.status == 'failed'",
  "blocks.a.outcome in ['failure', 'n/a']",
  "blocks.d.blocks.x.stdout != null",
])("a comparison that can be true gets none: %s", (text) => {
  const call = '- { id: d, type: ExecuteWorkflow, inputs: { workflow: "${inputs.which}" } }\n';
  const condition = `depends_on: [a, d], condition: "${text}"`;
  expect(check(workflow(`${shell("a")}${call}${shell("c", condition)}`, inputs)).problems).toEqual([]);
});

test.each([
  ["${inputs.n} < 'a'", "can't compare"],
  ["${blocks.a.exit_code} > '0'", "can't compare"],
  ["${inputs.items} + 1 == 2", "+ joins"],
  ["len(${inputs.n}) == 1", "len()"],
  ["not ${blocks.a.stdout}", "'not' wants"],
])("what can only fail is refused before the run: %s", (text, says) => {
  const { problems } = check(workflow(`${shell("a")}${shell("c", `depends_on: [a], condition: "${text}"`)}`, inputs));
  expect(problems).toMatchObject([{ code: "wrong-type", level: "error", message: expect.stringContaining(says) }]);
});

test("for_each over what is certainly no list and no map is refused", () => {
  expect(codes(workflow(shell("a", 'for_each: "${inputs.which}"'), inputs))).toEqual(["wrong-type"]);
  expect(codes(workflow(shell("a", "for_each: text")))).toEqual(["wrong-type"]);
  for (const items of [
    '"${inputs.items}"',
    '"${inputs.data}"',
    "[1, 2]",
    "{ a: 1 }",
    '["${inputs.which}"]',
    '"${split(inputs.which)}"',
  ]) {
    expect(codes(workflow(shell("a", `for_each: ${items}`), inputs))).toEqual([]);
  }
});

test("a field of a loop's results is refused with the function that reads it", () => {
  const problem = (path: string): { readonly code: string; readonly fix: string } => {
    const { problems } = check(reading(path), library);
    const [found, ...others] = problems.filter(({ level }) => level === "error");
    expect(others).toEqual([]);
    return { code: found?.code ?? "", fix: found?.fix ?? "" };
  };
  expect(problem("blocks.loop.results.stdout")).toEqual({
    code: "field-of-list",
    fix: "Write pluck(blocks.loop.results, 'stdout') for that of every item, or blocks.loop.results[0].stdout for that of the first.",
  });
  expect(problem("blocks.loop.stdout")).toMatchObject({
    code: "unknown-output",
    fix: expect.stringContaining("pluck(blocks.loop.results, 'stdout')"),
  });
  expect(problem("blocks.loop.outputs.results.length").fix).toBe("Write len(blocks.loop.outputs.results).");
  expect(problem("inputs.items.name")).toMatchObject({
    code: "field-of-list",
    fix: expect.stringContaining("pluck(inputs.items, 'name')"),
  });
  expect(codes(reading("blocks.loop.results[0].stdout"))).toEqual([]);
  expect(codes(reading("pluck(blocks.loop.results, 'stdout')"))).toEqual([]);
});

test("all unknown names of an expression are reported, each with the block it stands in", () => {
  const condition = 'condition: "${blocks.nox.succeeded} and blocks.noy.failed and inputs.nope == 1"';
  expect(check(workflow(`${shell("a")}${shell("b", condition)}`)).problems).toMatchObject([
    { code: "unknown-block", block: "b", marked: "blocks.nox.succeeded" },
    { code: "unknown-block", block: "b", marked: "blocks.noy.failed" },
    { code: "unknown-input", block: "b", marked: "inputs.nope" },
  ]);
});

test("a mistake in an expression, a text or a command does not hide the unknown names in it", () => {
  const condition = 'condition: "${blocks.nox.succeeded} && inputs.nope => 1"';
  const text = 'env: { A: "${upper2(blocks.noy.stdout)}" }';
  const command = '"echo ${blocks.noz.stdout} ${item.x}"';
  const block = `- { id: b, type: Shell, inputs: { command: ${command}, ${text} }, ${condition} }`;
  expect(codes(workflow(block)).sort()).toEqual([
    "not-a-reference",
    "unknown-block",
    "unknown-block",
    "unknown-block",
    "unknown-function",
    "unknown-input",
    "unknown-operator",
    "unknown-operator",
  ]);
});
