import { expect, test } from "vitest";
import { check, codes, onlyProblem, planned, shell, workflow } from "./check.ts";

test("every key of the language is known", () => {
  const text = `name: all-keys
description: Everything
version: "2"
author: someone
tags: [ci, "node", 7]
max_parallel: 3
timeout: 1h
sandbox: true
on_failure: stop
budget: { max_cost_usd: 0.5, max_tokens: 200000, max_duration: 15m, max_blocks: 40, on_exceeded: pause }
expose: tool
runs_on: [linux, gpu, linux]
workspace: { git: "https://example.org/app.git", ref: "\${inputs.x}" }
schedule: ["0 3 * * *", { cron: "@daily", timezone: Europe/Berlin, inputs: { x: b } }]
concurrency: 2
inputs:
  x: { type: string, description: d, default: a, required: false, enum: [a, b] }
blocks:
  - id: a
    type: Shell
    description: Does it
    inputs: { command: "true" }
    depends_on: []
    condition: true
    outputs: { f: { type: json, path: f.json, required: false, unsafe: false, description: d } }
    for_each: [1]
    for_each_mode: parallel
    max_parallel: 2
    on_error: continue
    retry: { attempts: 3, delay: 1s, backoff: fixed, max_delay: 30s, jitter: 0.1, on: [timeout, "exit:75"], restore: true }
    expect: { exit_code: [0, 3], file_exists: dist/app.js, condition: "\${this.stdout} != ''" }
    budget: { max_blocks: 3 }
    cost: { usd: 0.02, tokens: "\${len('abc')}" }
    on_failure: rollback_block
    commit_point: true
    effects: isolated
    undo: { type: Shell, description: d, inputs: { command: "true" }, condition: true, timeout: 5m, retry: 3 }
    timeout: 5m
    on_interrupted: rerun
    sandbox: { network: none }
  - id: b
    type: Wait
    inputs: { duration: 10m }
    repeat: { max: 3, until: "\${this.waited_ms} > 5", delay: 10s }
outputs:
  y: { value: z, type: string, description: d }
`;
  const { definition, problems } = check(text);
  expect(problems).toEqual([]);
  expect(definition).toMatchObject({
    name: "all-keys",
    version: "2",
    author: "someone",
    tags: ["ci", "node", "7"],
    maxParallel: 3,
    timeout: 3600,
    runsOn: ["gpu", "linux"],
    workspace: { git: { value: "https://example.org/app.git" }, ref: { kind: "text" } },
    schedule: [
      { cron: { text: "0 3 * * *" }, timezone: "UTC", inputs: {} },
      { cron: { text: "0 0 * * *" }, timezone: "Europe/Berlin", inputs: { x: "b" } },
    ],
    concurrency: 2,
  });
  expect(definition?.blocks[0]).toMatchObject({
    description: "Does it",
    forEach: { mode: "parallel", maxParallel: 2, onError: "continue" },
  });
});

test("name, description and blocks are required, a block's id and type too", () => {
  expect(check("author: me\n").problems.map(({ message }) => message)).toEqual([
    "the workflow has no 'name'.",
    "the workflow has no 'description'.",
    "The workflow has no blocks.",
  ]);
  expect(check(workflow("- { inputs: { command: x } }")).problems.map(({ message }) => message)).toEqual([
    "a block has no 'id'.",
    "a block has no 'type'.",
  ]);
  expect(codes(`name: a\ndescription: b\nblocks: []\n`)).toEqual(["no-blocks"]);
});

test.each([
  ["Build Project", "build-project"],
  ["a_b", "a-b"],
  ["UPPER", "upper"],
  ["-x-", "x"],
  ["x".repeat(101), "x".repeat(100)],
])("a workflow can't be called %s", (name, better) => {
  const problem = onlyProblem(workflow(shell("a")).replace("name: flow", `name: "${name}"`));
  expect(problem).toMatchObject({ code: "bad-name", marked: `"${name}"`, fix: `Call it '${better}'.` });
});

test.each([
  ["Build", "build"],
  ["build-it", "build_it"],
  ["two words", "two_words"],
])("a block can't be called %s", (id, better) => {
  expect(onlyProblem(workflow(shell(`"${id}"`)))).toMatchObject({ code: "bad-name", fix: `Call it '${better}'.` });
});

test("two blocks can't share an id", () => {
  expect(onlyProblem(workflow(`${shell("a")}${shell("a")}`))).toMatchObject({ code: "duplicate-block", line: 5 });
});

test.each([
  ["", "1.0"],
  ["version: 1.0\n", "1.0"],
  ["version: 1.10\n", "1.10"],
  ["version: 2\n", "2"],
  ['version: "3.0"\n', "3.0"],
])("the version of %j is read from its source text", (line, version) => {
  expect(planned(workflow(shell("a"), line)).definition.version).toBe(version);
});

test("a value of the wrong kind says what was expected and what is there", () => {
  const text = workflow(
    "- id: a\n  type: Shell\n  inputs: { command: 'true', strict: 'yes', args2: 1 }\n  depends_on: 3\n  max_parallel: 0\n  for_each: 5",
    "tags: ci\nauthor: []\n",
  );
  expect(check(text).problems.map(({ message }) => message)).toEqual([
    "'author' of the workflow must be a text, not a list.",
    "'tags' of the workflow must be a list, not the text 'ci'.",
    "block 'a': input 'strict' must be true or false, not the text 'yes'.",
    "block 'a': Shell has no input 'args2'.",
    "'depends_on' of block 'a' must be a list, not the number 3.",
    "'for_each' of block 'a' must be a list, a map or an expression that gives one, not the number 5.",
    "'max_parallel' of block 'a' must be a whole number above 0, not the number 0.",
  ]);
});

const spellings: readonly [what: string, text: string, fix: string][] = [
  ["a command as a list", "inputs: { command: [echo, hi] }", "Use `args:` for a list of words."],
  [
    "a command as a list of references",
    'inputs: { command: [echo, "${metadata.run_id}"] }',
    "Use `args:` for a list of words.",
  ],
  ["a word for true", "inputs: { command: 'true', strict: yes }", "Write true."],
  ["true in quotes", "inputs: { command: 'true', strict: 'true' }", "Remove the quotes: true."],
  ["a number in quotes", "inputs: { command: 'true', max_output: '5000' }", "Remove the quotes: 5000."],
  ["a number for a text", "inputs: { command: 'true', stdin: 1.10 }", 'Quote it: "1.10".'],
  ["a word for a list of them", "inputs: { args: ls }", "Write it as a list: [ls]."],
  ["minutes in words", "inputs: { command: 'true' }, timeout: 5 minutes", "Write `timeout: 5m`."],
  ["a day", "inputs: { command: 'true' }, timeout: 1d", "Write `timeout: 24h`."],
  ["hours and minutes", "inputs: { command: 'true' }, timeout: 1h30m", "Write `timeout: 90m`."],
  ["a loop over a path", "inputs: { command: 'true' }, for_each: inputs.x", "Write ${inputs.x}."],
  ["a loop over a call", "inputs: { command: 'true' }, for_each: split(inputs.x)", "Write ${split(inputs.x)}."],
];

test.each(spellings)("where only the spelling is wrong the fix is the spelling: %s", (_what, keys, fix) => {
  expect(onlyProblem(workflow(`- { id: a, type: Shell, ${keys} }`))).toMatchObject({ level: "error", fix });
});

test.each([
  ["tags: ci", "Write `tags: [ci]`."],
  ["timeout: 2 hours", "Write `timeout: 2h`."],
  ["inputs: { x: { type: string, description: d, default: 8080 } }", 'Quote it: "8080".'],
  ['inputs: { x: { type: integer, description: d, default: "3" } }', "Remove the quotes: 3."],
  ["inputs: { x: { type: bool, description: d, default: yes } }", "Write true."],
  ["inputs: { x: { type: string, description: d, enum: [a, 1] } }", 'Quote it: "1".'],
])("of a workflow too: %s", (line, fix) => {
  expect(onlyProblem(workflow(shell("a"), `${line}\n`))).toMatchObject({ level: "error", fix });
});

test("blocks as a map are told how to be a list", () => {
  expect(onlyProblem("name: flow\ndescription: d\nblocks:\n  build: { type: Shell }\n")).toMatchObject({
    code: "wrong-type",
    fix: "Write its items as `- id: build` instead of `build:`.",
  });
});

test("a value that may be of several kinds is told them all", () => {
  const text = workflow("- { id: a, type: Shell, inputs: { command: 'true', env: { A: [1] } } }");
  expect(onlyProblem(text).message).toBe("block 'a': input 'env.A' must be a text, a number or true/false.");
});

test("inputs that other systems have are refused with what to write instead", () => {
  const problem = onlyProblem(
    workflow('- { id: a, type: Shell, inputs: { command: "true", continue-on-error: true } }'),
  );
  expect(problem).toMatchObject({
    code: "dropped-input",
    marked: "continue-on-error",
    fix: expect.stringContaining("`allow_failure: true` on the block"),
  });
});

const foreign: readonly [line: string, fix: string | RegExp][] = [
  ["if: x", "Write `condition:`."],
  ["when: x", "Write `condition:`."],
  ["needs: [b]", "Write `depends_on:`."],
  ["run: x", "Write `type: Shell` with `inputs: { command: ... }`."],
  ["script: x", "Write `type: Shell` with `inputs: { command: ... }`."],
  ["command: x", "It belongs under `inputs:`; indent it there: `inputs: { command: ... }`."],
  ["env: {}", "It belongs under `inputs:`; indent it there: `inputs: { env: ... }`."],
  ["prompt: x", "It belongs under `inputs:` of a block with `type: Prompt`."],
  ["workflow: x", "It belongs under `inputs:` of a block with `type: ExecuteWorkflow`."],
  ["with: {}", "Write `inputs:`."],
  ["uses: x", "Write `type:`."],
  ["name: x", /`id:`.*`description:`/],
  ["timeout-minutes: 7", "Write `timeout: 7m`."],
  ["continue-on-error: true", /^Write `allow_failure: true`.*\[\{ block: a, required: false \}\]`\.$/],
  ["continue_on_failure: true", /^Write `allow_failure: true`.*\[\{ block: a, required: false \}\]`\.$/],
  ["ignore_errors: true", /^Write `allow_failure: true`.*\[\{ block: a, required: false \}\]`\.$/],
  ["retries: 2", "Write `retry: { max_retries: 2 }`, or `retry: 3` for the number of attempts in all."],
  ["max-retries: 2", "Write `retry: { max_retries: 2 }`, or `retry: 3` for the number of attempts in all."],
  ["retry_policy: {}", "Write `retry:`."],
  ["max_attempts: 3", "Write `retry:`."],
  ["retry-delay: 3", "It belongs under `retry:`: `retry: { attempts: 3, delay: 5s }`."],
  ["delay: 3", /^It belongs under `retry:` or `repeat:`; .*`type: Wait`\.$/],
  ["until: x", "Write `repeat: { max: 30, until: ..., delay: 10s }`."],
  ["do_until: x", "Write `repeat:`."],
  ["while: x", "Write `repeat:`."],
  ["duration: 5m", "It belongs under `inputs:` of a block with `type: Wait`."],
  ["failed_when: x", "Write `expect: { condition: not ... }`."],
  ["success_when: x", "Write `expect:`."],
  ["foreach: [1]", "Write `for_each:`."],
  ["loop: [1]", "Write `for_each:`."],
  ["matrix: {}", "Write `for_each:`."],
  ["runs_on: gpu", "It belongs to the workflow: a worker takes a run as a whole."],
  ["workspace: none", /^It belongs to the workflow. For one block, use `working_dir`/],
  ["concurrency: 2", /^It belongs to the workflow.*`max_parallel:`/],
];

test.each(foreign)("a block's key of another system is answered with ours: %s", (line, fix) => {
  const problem = onlyProblem(workflow(shell("a", line)));
  expect(problem).toMatchObject({ code: "unknown-key", marked: line.split(":")[0] });
  expect(problem.fix).toMatch(fix);
});

test.each([
  ["jobs: []", "Write `blocks:`."],
  ["steps: []", "Write `blocks:`."],
  ["tasks: []", "Write `blocks:`."],
  ["environment: {}", "Write `env:`."],
  ["variables: {}", "Write `vars:`."],
  ["on: push", /^Remove it: .*`schedule:`/],
  ["cron: x", "Write `schedule:`."],
  ["max_active_runs: 1", "Write `concurrency:`."],
])("a workflow's key of another system is answered with ours: %s", (line, fix) => {
  expect(onlyProblem(workflow(shell("a"), `${line}\n`)).fix).toMatch(fix);
});

test("what a foreign key stands for is not missing as well", () => {
  const missing = (text: string): string[] => check(text).problems.map(({ code }) => code);
  expect(missing(workflow("- { name: a, uses: x }"))).toEqual(["unknown-key", "unknown-key"]);
  expect(missing(workflow("- { id: a, run: make }"))).toEqual(["unknown-key"]);
  expect(missing(workflow("- { id: a, type: Shell, command: make }"))).toEqual(["unknown-key"]);
  expect(missing(workflow("- { id: a, type: Prompt, prompt: Go? }"))).toEqual(["unknown-key"]);
  expect(missing("name: flow\ndescription: A test\njobs: []\n")).toEqual(["unknown-key"]);
  expect(onlyProblem(workflow(`${shell("a")}${shell("b", "depends_on: [{ id: a }]")}`))).toMatchObject({
    code: "unknown-key",
    fix: "Write `block: a`.",
  });
});

test("a block needs the inputs its type requires, and only what fits it", () => {
  expect(onlyProblem(workflow("- { id: a, type: Prompt }"))).toMatchObject({
    code: "missing-input",
    message: "block 'a': Prompt needs the input 'prompt'.",
    marked: "Prompt",
  });
  expect(codes(workflow("- { id: a, type: Shell }"))).toEqual(["command-or-args"]);
  expect(codes(workflow('- { id: a, type: Shell, inputs: { command: "true", args: [x] } }'))).toEqual([
    "command-or-args",
  ]);
  expect(
    codes(workflow("- { id: a, type: Prompt, inputs: { prompt: x, schema: { type: string }, choices: [a] } }")),
  ).toEqual(["two-answer-rules"]);
});

test("a wrong value deep in an input is marked itself", () => {
  const text = workflow("- { id: a, type: Shell, inputs: { command: 'true', env: { A: ok, B: [1] } } }");
  expect(onlyProblem(text)).toMatchObject({
    code: "wrong-type",
    marked: "[1]",
    message: expect.stringContaining("'env.B'"),
  });
});

test("Workflow is another name of ExecuteWorkflow", () => {
  const text = workflow(
    "- { id: a, type: Workflow, inputs: { workflow: '${inputs.which}' } }",
    "inputs: { which: { type: string, description: d } }\n",
  );
  expect(planned(text).blocks[0]?.definition.type.type).toBe("ExecuteWorkflow");
});

test("keys of a loop need the loop", () => {
  expect(codes(workflow(shell("a", "for_each_mode: parallel, max_parallel: 2, on_error: stop")))).toEqual([
    "needs-for-each",
    "needs-for-each",
    "needs-for-each",
  ]);
});

test("an unquoted comma in a flow map is told apart from an unknown key", () => {
  expect(
    onlyProblem(workflow("- { id: a, type: Shell, inputs: { command: 'true' }, description: first, second }")).fix,
  ).toContain("quote that value");
});

test("a workflow is exposed as a tool or not at all", () => {
  expect(planned(workflow(shell("a"), "expose: tool\n")).definition.expose).toBe("tool");
  expect(onlyProblem(workflow(shell("a"), "expose: prompt\n"))).toMatchObject({
    code: "unknown-value",
    level: "error",
    marked: "prompt",
  });
});

test("a workflow that takes a secret is warned of not becoming a tool", () => {
  const inputs = "expose: tool\ninputs: { key: { type: string, description: d, secret: true } }\n";
  expect(onlyProblem(workflow(shell("a"), inputs))).toMatchObject({
    code: "secret-not-exposed",
    level: "warning",
    marked: "tool",
  });
});
