import { expect, test } from "vitest";
import { check, codes, onlyProblem, planned, shell, workflow } from "../../test/definition/check.ts";
import { describeEdge } from "./plan.ts";

const child = workflow(shell("inner"), 'outputs: { state: "x" }\n').replace("name: flow", "name: child");
const http = (more: string): string =>
  workflow(`- { id: a, type: HttpCall, inputs: { url: "https://x.test" }, ${more} }`);

test.each([
  "this.json.state == 'done'",
  "${this.body} != ''",
  "this.outputs.status_code < 300",
  "this.succeeded",
  "this.metadata.attempts > 1",
  "this.metadata.attempt_history[0].outcome == 'failure'",
  "this.inputs.url != ''",
  "len(keys(this)) > 0",
  "this['status'] == 'completed'",
])("%s asks the block itself, in expect and in until", (text) => {
  expect(check(http(`expect: { condition: "${text}" }`)).problems).toEqual([]);
  expect(check(http(`repeat: { max: 2, until: "${text}" }`)).problems).toEqual([]);
});

test("of a nested workflow, this has its outputs and its blocks", () => {
  const text = (path: string): string =>
    workflow(
      `- { id: a, type: ExecuteWorkflow, inputs: { workflow: child }, repeat: { max: 2, until: "$\{${path}} == 'x'" } }`,
    );
  expect(check(text("this.state"), { child }).problems).toEqual([]);
  expect(check(text("this.blocks.inner.stdout"), { child }).problems).toEqual([]);
  expect(onlyProblem(text("this.nope"), { child })).toMatchObject({
    code: "unknown-output",
    message: "this has no output 'nope'.",
  });
});

test.each([
  ["this.nope == 1", "unknown-output", "this has no output 'nope'.", "this.nope"],
  ["this.success", "no-success-output", "this.success does not exist.", "this.success"],
  ["this.metadata.nope == 1", "unknown-metadata", "this has no metadata 'nope'.", "this.metadata.nope"],
  ["this.status_code.x == 1", "nothing-inside", "this.status_code has no fields.", "this.status_code.x"],
])("%s is refused", (text, code, message, marked) => {
  expect(onlyProblem(http(`expect: { condition: "${text}" }`))).toMatchObject({ code, message, marked });
});

test("what is asked must be true or false, as far as that is known", () => {
  expect(onlyProblem(http('repeat: { max: 2, until: "${this.body}" }'))).toMatchObject({
    code: "wrong-type",
    message: "repeat.until must give true or false, this gives a text.",
  });
  expect(onlyProblem(http('expect: { condition: "${this.status_code}" }'))).toMatchObject({
    message: "expect.condition must give true or false, this gives a number.",
  });
  expect(codes(http("expect: { condition: \"${this.status} == 'ok'\" }"), "warning")).toHaveLength(1);
});

test.each([
  ["retry: { attempts: '${metadata.run_id}' }", "retry.attempts must give a number, this gives a text."],
  ["retry: { attempts: 2, delay: '${[1]}' }", "retry.delay must give a number or a text, this gives a list."],
  ["retry: { attempts: 2, max_delay: '${true}' }", /^retry\.max_delay must give a number or a text, this gives /],
  ["repeat: { max: \"${'2'}\" }", "repeat.max must give a number, this gives a text."],
  ["repeat: { max: 2, delay: '${[1]}' }", "repeat.delay must give a number or a text, this gives a list."],
  ["expect: { file_exists: '${[1]}' }", "expect.file_exists must give a text, this gives a list."],
])("%s is of the wrong type", (keys, message) => {
  const problem = onlyProblem(workflow(shell("a", keys)));
  expect(problem.code).toBe("wrong-type");
  expect(problem.message).toMatch(message);
});

const elsewhere = {
  code: "this-elsewhere",
  message: "`this` is only known in `condition` of expect and in `until` of repeat.",
  fix: "Write blocks.ID for another block, or each.previous for the pass before.",
};

test.each([
  "inputs: { command: 'echo ${this.stdout}' }",
  "inputs: { command: x, stdin: '${this.stdout}' }",
  "inputs: { command: x }, condition: this.succeeded",
  "inputs: { command: x }, for_each: '${this.stdout}'",
  "inputs: { command: x }, timeout: '${this.stdout}'",
  "inputs: { command: x }, retry: { attempts: 2, delay: '${this.stdout}' }",
  "inputs: { command: x }, expect: { file_exists: '${this.stdout}' }",
  "inputs: { command: x }, repeat: { max: '${this.stdout}' }",
  "inputs: { command: x }, outputs: { f: { path: '${this.stdout}' } }",
])("this can't be in %s", (keys) => {
  const { problems } = check(workflow(`- { id: a, type: Shell, ${keys} }`));
  expect(problems.find(({ code }) => code === elsewhere.code)).toMatchObject({ level: "error", ...elsewhere });
});

test("this can't be in an output of the workflow, and is the shell's own where it is an array of bash", () => {
  expect(onlyProblem(workflow(shell("a"), 'outputs: { x: "${this.stdout}" }\n'))).toMatchObject(elsewhere);
  const command = "this=(a b); echo ${this[0]} $this.txt {{ this.x }}";
  expect(check(workflow(`- { id: a, type: Shell, inputs: { command: "${command}" } }`)).problems).toEqual([]);
});

test("a block that names itself where this can stand is told so", () => {
  expect(onlyProblem(http('expect: { condition: "${blocks.a.json.state} == 1" }'))).toMatchObject({
    code: "self-reference",
    fix: "Write this.json.state.",
  });
});

const previous = (more: string): string =>
  workflow(`- { id: a, type: Shell, inputs: { command: x, stdin: "$\{default(each.previous.stdout, '')}" }, ${more} }`);

test("the pass before is known in repeat and where elements run one after the other", () => {
  planned(previous("repeat: { max: 2 }"));
  planned(previous("for_each: [1], for_each_mode: sequential"));
  planned(previous('repeat: { max: 3, until: "${each.index} > 1 and ${each.previous} != null" }'));
  expect(onlyProblem(previous("for_each: [1]"))).toMatchObject({
    code: "unknown-each",
    message: "each.previous is only known where elements run one after the other.",
    fix: "Add `for_each_mode: sequential`.",
    marked: "each.previous.stdout",
  });
  expect(onlyProblem(previous("repeat: { max: 2 }").replace("previous.stdout", "previous.nope"))).toMatchObject({
    code: "unknown-output",
    message: "each.previous has no output 'nope'.",
  });
});

test.each(["value", "count"])("there is no each.%s in repeat", (field) => {
  const text = workflow(
    `- { id: a, type: Shell, inputs: { command: x, stdin: "$\{each.${field}}" }, repeat: { max: 2 } }`,
  );
  expect(onlyProblem(text)).toMatchObject({
    code: "unknown-each",
    message: `There is no each.${field} in a block with repeat.`,
    fix: "It has each.index, each.key and each.previous.",
  });
});

test.each([
  ["repeat: { max: '${each.index}' }", "`each` can't be in repeat.max: it belongs to a pass."],
  ["repeat: { max: 2, delay: '${each.index}' }", "`each` can't be in repeat.delay: it belongs to a pass."],
  [
    "repeat: { max: 2 }, condition: '${each.index} == 0'",
    "The condition of a block with repeat is asked once, before the first pass, and knows no `each`.",
  ],
])("each is known in the passes of repeat only: %s", (keys, message) => {
  expect(onlyProblem(workflow(shell("a", keys)))).toMatchObject({ code: "each-outside-pass", message });
});

test("the number of the attempt is known while the block is tried", () => {
  const keys = 'expect: { condition: "${metadata.attempt} < 3" }, outputs: { f: { path: "${metadata.attempt}.txt" } }';
  planned(workflow(`- { id: a, type: Shell, inputs: { command: "echo \${metadata.attempt}" }, retry: 3, ${keys} }`));
});

test.each([
  workflow(shell("a", 'condition: "${metadata.attempt} == 1"')),
  workflow(shell("a", 'for_each: "${range(metadata.attempt)}"')),
  workflow(shell("a", 'repeat: { max: 2, until: "${metadata.attempt} == 1" }')),
  workflow(shell("a"), 'outputs: { x: "${metadata.attempt}" }\n'),
])("elsewhere it is not: %s", (text) => {
  expect(onlyProblem(text)).toMatchObject({
    code: "attempt-elsewhere",
    message: "metadata.attempt is only known while a block is tried: in its inputs and in expect.",
    fix: "Of a block that has ended, read blocks.ID.metadata.attempts.",
    marked: "metadata.attempt",
  });
});

const waits: readonly [keys: string, edge: string][] = [
  ['retry: { attempts: "${int(blocks.a.stdout)}" }', "retry.attempts reads blocks.a.stdout"],
  ['retry: { attempts: 2, delay: "${blocks.a.stdout}" }', "retry.delay reads blocks.a.stdout"],
  ['retry: { attempts: 2, max_delay: "${blocks.a.stdout}" }', "retry.max_delay reads blocks.a.stdout"],
  ['expect: { file_exists: "${blocks.a.stdout}" }', "expect.file_exists reads blocks.a.stdout"],
  ['expect: { condition: "${this.stdout == blocks.a.stdout}" }', "expect.condition reads blocks.a.stdout"],
  ['repeat: { max: "${int(blocks.a.stdout)}" }', "repeat.max reads blocks.a.stdout"],
  ['repeat: { max: 2, until: "${this.stdout == blocks.a.stdout}" }', "repeat.until reads blocks.a.stdout"],
  ['repeat: { max: 2, delay: "${blocks.a.stdout}" }', "repeat.delay reads blocks.a.stdout"],
];

test.each(waits)("%s waits for the block that it reads", (keys, edge) => {
  const plan = planned(workflow(`${shell("a")}${shell("b", keys)}`));
  expect(plan.blocks[1]?.edges.map(({ on, reason }) => [on, describeEdge(reason)])).toEqual([[0, edge]]);
});

test("a repeated block gives results, count, failed_keys and last, and its passes", () => {
  const reading = (path: string): string =>
    workflow(shell("a", "repeat: { max: 2 }"), `outputs: { x: "$\{blocks.a.${path}}" }\n`);
  for (const path of ["results[0].stdout", "count", "failed_keys", "last.stdout", "blocks['0'].stdout"]) {
    expect(check(reading(path)).problems).toEqual([]);
  }
  expect(codes(reading("stdout"))).toEqual(["unknown-output"]);
  expect(codes(reading("blocks['0'].nope"))).toEqual(["unknown-output"]);
  const looped = workflow(shell("a", "for_each: [1]"), 'outputs: { x: "${blocks.a.last}" }\n');
  expect(codes(looped)).toEqual(["unknown-output"]);
});
