import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { createFile, forecastOf, foresee, readFile, shell, verdicts } from "../rig/foresee.ts";

test("every block has a verdict: it would run, may run, would be skipped or would fail", async () => {
  const response = await foresee(createTestEngine(), {
    inputs: { stage: { type: "string", default: "test" } },
    blocks: [
      shell("build", "make ${inputs.stage}"),
      shell("deploy", "deploy", { condition: "${inputs.stage} == 'production'", depends_on: ["build"] }),
      shell("tell", "tell ${blocks.build.stdout} ${inputs.stage}", { condition: "${blocks.build.stdout} != ''" }),
      shell("after", "after", { depends_on: ["tell"] }),
      readFile("read", "missing.txt"),
      shell("use", "use", { depends_on: ["read"] }),
    ],
  });
  expect(verdicts(response)).toEqual([
    "build: would run",
    "deploy: would skip: The condition is false: ${inputs.stage} == 'production'",
    "tell: may run: Its condition depends on stdout of 'build'.",
    "after: may run: 'tell' may be skipped.",
    "read: would fail: the file 'missing.txt' does not exist",
    "use: would skip: 'read' failed, and is required.",
  ]);
  expect(forecastOf(response, "build")).toMatchObject({
    type: "Shell",
    not_run: true,
    inputs: { command: "make test" },
  });
  expect(forecastOf(response, "tell").inputs).toEqual({ command: "tell ${blocks.build.stdout} test" });
  expect(response).toMatchObject({ status: "dry_run", would_fail: expect.stringContaining("'read' failed") });
});

test("a condition that reads how a block ends that was not run is not known, whatever it reads of it", async () => {
  const conditions = ["${blocks.a.failed}", "${blocks.a.exit_code} == 0", "${blocks.a.metadata.status} == 'completed'"];
  const response = await foresee(createTestEngine(), {
    blocks: [shell("a", "true"), ...conditions.map((condition, index) => shell(`b${index}`, "true", { condition }))],
  });
  expect(verdicts(response).slice(1)).toEqual([
    "b0: may run: Its condition depends on how 'a' ends.",
    "b1: may run: Its condition depends on exit_code of 'a'.",
    "b2: may run: Its condition depends on how 'a' ends.",
  ]);
});

test("what decides a condition in any case is enough, on either side of what is not known", async () => {
  const conditions = [
    ["${false and blocks.a.succeeded}", "would skip"],
    ["${blocks.a.succeeded and false}", "would skip"],
    ["${true or blocks.a.succeeded}", "would run"],
    ["${blocks.a.succeeded or true}", "would run"],
    ["${blocks.a.succeeded and true}", "may run"],
    ["${not (blocks.a.failed or true)}", "would skip"],
    ["${blocks.a.succeeded and from_json('broken') == 1}", "may run"],
    ["${default(blocks.a.stdout, '') == ''}", "may run"],
  ] as const;
  const response = await foresee(createTestEngine(), {
    blocks: [shell("a", "true"), ...conditions.map(([condition], at) => shell(`b${at}`, "true", { condition }))],
  });
  expect(response.blocks.slice(1).map(({ verdict }) => verdict)).toEqual(conditions.map(([, verdict]) => verdict));
});

test("inputs that can't be resolved or are of the wrong type would fail, known ones also beside one that is not known", async () => {
  const response = await foresee(createTestEngine(), {
    inputs: { list: { type: "json", default: { a: 1 } }, number: { type: "json", default: 5 } },
    blocks: [
      shell("a", "true"),
      shell("missing", "echo ${inputs.list.b}"),
      { id: "wrong", type: "CreateFile", inputs: { path: "${inputs.number}", content: "${blocks.a.stdout}" } },
      { id: "loop", type: "Shell", for_each: "${inputs.number}", inputs: { command: "true" } },
      shell("condition", "true", { condition: "${inputs.number}" }),
    ],
  });
  expect(verdicts(response).slice(1)).toEqual([
    expect.stringMatching(/^missing: would fail: input 'command': .*inputs\.list\.b does not exist/),
    "wrong: would fail: input 'path' must be a text, not the number 5.",
    "loop: would fail: for_each needs a list or a map, not the number 5.",
    expect.stringMatching(/^condition: would fail: condition: .* gives the number 5, not true or false\.$/),
  ]);
});

test("nested workflows, groups and loops are looked into at any depth, each pass by itself", async () => {
  const engine = createTestEngine({
    workflows: {
      child: {
        inputs: { name: { type: "string", required: true }, known: { type: "integer", default: 1 } },
        blocks: [
          shell("say", "echo ${inputs.name} ${inputs.known}"),
          shell("never", "true", { condition: "${inputs.known} > 1" }),
        ],
        outputs: { said: "${blocks.say.stdout}", known: "${inputs.known}" },
      },
    },
  });
  const response = await foresee(engine, {
    blocks: [
      shell("first", "true"),
      {
        id: "each",
        for_each: ["a", "b"],
        blocks: [
          { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child", inputs: { name: "${each.value}" } } },
          shell("second", "echo ${each.value}", { condition: "${each.value} == 'b'" }),
        ],
      },
      {
        id: "unknown",
        type: "ExecuteWorkflow",
        inputs: { workflow: "child", inputs: { name: "${blocks.first.stdout}" } },
      },
      {
        id: "broken",
        type: "ExecuteWorkflow",
        inputs: { workflow: "child", inputs: { name: "x", known: "${from_json(blocks.first.stdout)}" } },
      },
    ],
    outputs: { known: "${blocks.unknown.outputs.known}", said: "${blocks.unknown.outputs.said}" },
  });
  expect(verdicts(response)).toEqual([
    "first: would run",
    "each: would run",
    "each/0: would run",
    "each/0/call: would run",
    "each/0/call/say: would run",
    "each/0/call/never: would skip: The condition is false: ${inputs.known} > 1",
    "each/0/second: would skip: The condition is false: ${each.value} == 'b'",
    "each/1: would run",
    "each/1/call: would run",
    "each/1/call/say: would run",
    "each/1/call/never: would skip: The condition is false: ${inputs.known} > 1",
    "each/1/second: would run",
    "unknown: would run",
    "unknown/say: would run",
    "unknown/never: would skip: The condition is false: ${inputs.known} > 1",
    "broken: would run",
    "broken/say: would run",
    "broken/never: may run: Its condition depends on stdout of 'first'.",
  ]);
  expect(forecastOf(response, "each/1/call/say").inputs).toEqual({ command: "echo b 1" });
  expect(forecastOf(response, "unknown/say").inputs).toEqual({ command: "echo ${inputs.name} 1" });
  expect(response.outputs).toEqual({ known: 1 });
  expect(response.unknown_outputs).toEqual({ said: "stdout of 'unknown/say'" });
});

test("a nested workflow whose inputs don't fit would fail", async () => {
  const child = { inputs: { count: { type: "integer", required: true } }, blocks: [shell("a", "true")] };
  const response = await foresee(createTestEngine({ workflows: { child } }), {
    inputs: { count: { type: "json", default: "many" } },
    blocks: [
      { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child", inputs: { count: "${inputs.count}" } } },
    ],
  });
  expect(verdicts(response)).toEqual([
    "call: would fail: Input 'count': expected a whole number, got the text 'many'.",
  ]);
});

test("a list that is not known is one line, and so is a workflow of which not even the name is known", async () => {
  const response = await foresee(createTestEngine(), {
    blocks: [
      shell("a", "echo"),
      {
        id: "loop",
        type: "Shell",
        for_each: "${from_json(blocks.a.stdout)}",
        inputs: { command: "echo ${each.value}" },
      },
      { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "${trim(blocks.a.stdout)}" } },
      shell("after", "echo ${blocks.loop.count}"),
    ],
  });
  expect(verdicts(response)).toEqual(["a: would run", "loop: would run", "call: would run", "after: would run"]);
  expect(forecastOf(response, "loop").remarks).toEqual(["Its elements depend on stdout of 'a'."]);
  expect(forecastOf(response, "call").remarks).toEqual(["What it does depends on stdout of 'a'."]);
  expect(forecastOf(response, "after").inputs).toEqual({ command: "echo ${blocks.loop.count}" });
});

test("of a repeated block the first pass is told, and of the others only that they are not known", async () => {
  const response = await foresee(createTestEngine(), {
    blocks: [
      {
        id: "poll",
        type: "Shell",
        repeat: { max: 5, until: "${this.stdout} == 'ready'" },
        inputs: { command: "poll" },
      },
      { ...createFile("again", "a-${each.index}", "x"), repeat: { max: 3 } },
      { ...createFile("once", "b", "x"), repeat: { max: 3, until: "${this.created}" } },
    ],
    outputs: { second: "${default(blocks.poll.blocks['1'].stdout, 'none')}", passes: "${blocks.once.count}" },
  });
  expect(verdicts(response)).toEqual([
    "poll: would run",
    "poll/0: would run",
    "again: would run",
    "again/0: would run",
    "once: would run",
    "once/0: would run",
  ]);
  expect(forecastOf(response, "poll").remarks).toEqual([
    "Whether it goes on after this pass depends on stdout of 'poll/0'.",
  ]);
  expect(forecastOf(response, "again").remarks).toEqual([
    "It goes on after this pass; what later passes do is not known.",
  ]);
  expect(forecastOf(response, "once").remarks).toBeUndefined();
  expect(response.outputs).toEqual({ passes: 1 });
  expect(response.unknown_outputs).toEqual({ second: "what is in 'poll'" });
});

test("finally is told too, and what it reads of the run is known only if that is", async () => {
  const withFinally = (first: object): Parameters<typeof foresee>[1] => ({
    blocks: [first],
    finally: [
      shell("clean", "rm -rf tmp"),
      shell("notify", "echo ${run.message}", { condition: "${run.status} == 'failure'" }),
    ],
  });
  const engine = createTestEngine();
  const unsure = await foresee(engine, withFinally(shell("a", "true")));
  expect(verdicts(unsure)).toEqual([
    "a: would run",
    "clean: would run",
    "notify: may run: Its condition depends on how 'a' ends.",
  ]);
  expect(forecastOf(unsure, "notify").is_finally).toBe(true);
  const failing = await foresee(engine, withFinally(readFile("a", "missing")));
  expect(verdicts(failing)).toEqual([
    "a: would fail: the file 'missing' does not exist",
    "clean: would run",
    "notify: would run",
  ]);
  expect(forecastOf(failing, "notify").inputs).toEqual({
    command: "echo 'a' failed: the file 'missing' does not exist",
  });
});

test("what is inside something that may run may run, and what would fail there does not fail the run", async () => {
  const response = await foresee(createTestEngine(), {
    blocks: [
      shell("a", "true"),
      {
        id: "group",
        condition: "${blocks.a.failed}",
        blocks: [readFile("read", "missing"), shell("after", "true", { depends_on: ["read"] })],
      },
      shell("either", "true", { depends_on: [{ block: "group", required: false }] }),
    ],
  });
  expect(verdicts(response)).toEqual([
    "a: would run",
    "group: may run: Its condition depends on how 'a' ends.",
    "group/read: may run: 'group' may run.",
    "group/after: may run: 'group/read' may be skipped.",
    "either: would run",
  ]);
  expect(forecastOf(response, "group/read").remarks).toEqual(["It would fail: the file 'missing' does not exist"]);
  expect(response.would_fail).toBeUndefined();
});

test("a failure that is allowed or answered does not fail the run", async () => {
  const response = await foresee(createTestEngine(), {
    blocks: [
      readFile("optional", "missing", { allow_failure: true }),
      readFile("read", "settings"),
      createFile("fall_back", "settings", "default", { condition: "${blocks.read.failed}" }),
      shell("use", "use", { depends_on: ["fall_back"] }),
    ],
  });
  expect(response.blocks.map(({ verdict }) => verdict)).toEqual(["would fail", "would fail", "would run", "would run"]);
  expect(response.would_fail).toBeUndefined();
});
