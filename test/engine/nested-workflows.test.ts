import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";

const taking = {
  inputs: {
    name: { type: "string", required: true, description: "Who" },
    times: { type: "int", default: 1, description: "How often" },
    from: { type: "string", default: "${metadata.workflow_name}", description: "Whence" },
    mode: { type: "string", default: "a", enum: ["a", "b"], description: "How" },
    port: { type: "int", default: 80, minimum: 1, maximum: 65535, description: "Where" },
    tag: { type: "string", default: "v1", pattern: "v[0-9]+", description: "Which" },
    parts: { type: "array", default: [], items: { type: "string", pattern: "[a-z]+" }, description: "What" },
  },
  blocks: [giving("x", "${inputs.name} ${inputs.times} ${inputs.from}")],
  outputs: { said: "${blocks.x.value}" },
};

test("a child's executions are embedded, and can be read at any depth", async () => {
  const { engine } = createStepEngine({
    workflows: { taking, middle: { blocks: [call("inner", "taking", { name: "ann" })] } },
  });
  const { response, state } = await engine.run({
    blocks: [call("a", "middle")],
    outputs: {
      deep: "${blocks.a.blocks.inner.blocks.x.outputs.value}",
      input: "${blocks.a.blocks.inner.inputs.inputs.name}",
      state: "${blocks.a.blocks.inner.blocks.x.succeeded}",
      wave: "${blocks.a.blocks.inner.metadata.workflow_name}",
    },
  });
  expect({ ...response.outputs }).toEqual({ deep: "ann 1 taking", input: "ann", state: true, wave: "taking" });
  expect(state.root.record.blocks.a?.blocks.inner?.blocks.x?.metadata.succeeded).toBe(true);
});

const named = (id: string, name: string, inputs: object = {}): object[] => [
  giving("name", name),
  { id, type: "ExecuteWorkflow", inputs: { workflow: "${blocks.name.value}", inputs } },
];

test("a child sees nothing but its inputs: neither blocks nor inputs of its caller", async () => {
  const { engine } = createStepEngine({ workflows: { child: { blocks: [giving("x", "${blocks.secret.value}")] } } });
  const { diagnostics } = engine.check({
    blocks: [giving("secret", 1), call("a", "child", {}, { depends_on: ["secret"] })],
  });
  expect(diagnostics.map(({ code }) => code)).toContain("broken-workflow");
  const { state } = await engine.run({ blocks: [giving("secret", 1), ...named("a", "child")] });
  expect(state.root.record.blocks.a?.metadata.status).toBe("failed");
  expect(state.root.record.blocks.a?.metadata.message).toContain("secret");
});

test("the same block id in caller and child are two blocks", async () => {
  const { engine } = createStepEngine({
    workflows: { child: { blocks: [giving("x", "inner")], outputs: { x: "${blocks.x.value}" } } },
  });
  const { response } = await engine.run({
    blocks: [giving("x", "outer"), call("a", "child")],
    outputs: { both: "${blocks.x.value} ${blocks.a.x}" },
  });
  expect(response.outputs?.both).toBe("outer inner");
});

test("a child whose name is only known at run time is found then, and frozen in the events", async () => {
  const { engine } = createStepEngine({ workflows: { taking } });
  const { response, events } = await engine.run({
    blocks: named("a", "taking", { name: "ben" }),
    outputs: { said: "${blocks.a.said}" },
  });
  expect(response.outputs?.said).toBe("ben 1 taking");
  expect(events).toContainEqual(
    expect.objectContaining({
      path: "a",
      inside: expect.objectContaining({
        definition: expect.objectContaining({ file: "taking", text: expect.stringContaining("said") }),
      }),
    }),
  );
});

test.each([
  { inputs: {}, says: "The required input 'name' (Who) is missing." },
  { inputs: { name: "" }, says: "The required input 'name' is empty." },
  { inputs: { name: 5 }, says: "Input 'name': expected a text, got the number 5." },
  { inputs: { name: "x", times: "two" }, says: "Input 'times': expected a whole number" },
  { inputs: { name: "x", tiems: 2 }, says: "The workflow 'taking' has no input 'tiems'. Did you mean 'times'?" },
  { inputs: { name: "x", mode: "c" }, says: "Input 'mode' can't be the text 'c'" },
  { inputs: { name: "x", port: 0 }, says: "Input 'port' can't be the number 0. Give it a number from 1 to 65535." },
  { inputs: { name: "x", tag: "v1 " }, says: "Input 'tag' can't be the text 'v1 '." },
  { inputs: { name: "x", parts: ["a", "B"] }, says: "Element 2 of input 'parts' can't be the text 'B'." },
])("inputs that don't fit the child FAIL the block: $inputs", async ({ inputs, says }) => {
  const { engine } = createStepEngine({ workflows: { taking } });
  const { state } = await engine.run({ blocks: [...named("a", "taking", inputs), ending("beside", "succeed")] });
  expect(state.root.record.blocks.a?.metadata).toMatchObject({ status: "failed", outcome: "n/a" });
  expect(state.root.record.blocks.a?.metadata.message).toContain(says);
  expect(state.root.record.blocks.beside?.metadata.succeeded).toBe(true);
});

test("an unknown child is a warning when it is written, and FAILS the block when it is run", async () => {
  const { engine } = createStepEngine({ workflows: { taking } });
  const definition = { blocks: [call("a", "takin")] };
  expect(engine.check(definition).diagnostics.map(({ level, code }) => `${level} ${code}`)).toContain(
    "warning unknown-workflow",
  );
  const { state } = await engine.run(definition);
  expect(state.root.record.blocks.a?.metadata).toMatchObject({
    status: "failed",
    message: "No workflow is named 'takin'. Did you mean 'taking'?",
  });
});

test.each([
  { what: "does not load", broken: { blocks: [{ id: "x", type: "Nonsense" }] } },
  {
    what: "can't be planned",
    broken: { blocks: [step("x", { depends_on: ["y"] }), step("y", { depends_on: ["x"] })] },
  },
])(
  "a child that $what is refused when its name is written, and FAILS the block when it is computed",
  async ({ broken }) => {
    const { engine } = createStepEngine({ workflows: { broken } });
    const { diagnostics } = engine.check({ blocks: [call("a", "broken")] });
    expect(diagnostics).toMatchObject([{ code: "broken-workflow", level: "error" }]);
    const { state } = await engine.run({ blocks: [...named("a", "broken"), ending("beside", "succeed")] });
    expect(state.root.record.blocks.a?.metadata.status).toBe("failed");
    expect(state.root.record.blocks.a?.metadata.message).toMatch(/Nonsense|x -> y -> x/);
    expect(state.root.record.blocks.beside?.metadata.succeeded).toBe(true);
  },
);

test("a cycle through a computed name is refused at run time with its path", async () => {
  const again = {
    inputs: { next: { type: "string", description: "?" } },
    blocks: [{ id: "go", type: "ExecuteWorkflow", inputs: { workflow: "${inputs.next}", inputs: { next: "one" } } }],
  };
  const { engine } = createStepEngine({ workflows: { one: again, two: again } });
  const { state } = await engine.run({ blocks: [call("a", "one", { next: "two" })] });
  expect(state.nodes.get("a/go/go")?.record.metadata).toMatchObject({
    status: "failed",
    message: "Circular call: the workflow calls itself: one -> two -> one.",
  });
});

test("a cycle that can be known is refused when the workflow is loaded", () => {
  const { engine } = createStepEngine({ workflows: { one: { blocks: [call("x", "test")] } } });
  const codes = engine.check({ blocks: [call("a", "one")] }).diagnostics.map(({ code }) => code);
  expect(codes).toContain("workflow-cycle");
});

test("workflows nested too deep are refused", async () => {
  const levels = Object.fromEntries(
    Array.from({ length: 6 }, (_, level) => [
      `level-${level}`,
      { blocks: level === 5 ? [giving("end", 1)] : [call("down", `level-${level + 1}`)] },
    ]),
  );
  const limited = createStepEngine({ workflows: levels, maxDepth: 4 });
  const { state } = await limited.engine.run({ blocks: [call("down", "level-0")] });
  expect(state.nodes.get("down/down/down/down")?.record.metadata).toMatchObject({
    status: "failed",
    message: "Workflows are nested more than 4 deep (FROND_MAX_DEPTH).",
  });
  const free = createStepEngine({ workflows: levels });
  expect((await free.engine.run({ blocks: [call("down", "level-0")] })).response.status).toBe("success");
});

const whereAmI = {
  blocks: [{ id: "x", type: "Shell", inputs: { command: "pwd" } }],
  outputs: { pwd: "${blocks.x.stdout}" },
};

test("a child runs in its caller's workspace, or in a directory inside it", async () => {
  const engine = createTestEngine({ workflows: { where: whereAmI, through: { blocks: [call("in", "where")] } } });
  mkdirSync(join(engine.workspace, "sub"));
  const { state } = await engine.run({
    blocks: [
      call("same", "where"),
      { id: "inside", type: "ExecuteWorkflow", inputs: { workflow: "through", workspace: "sub" } },
    ],
  });
  expect(state.root.record.blocks.same?.outputs.pwd).toBe(`${engine.workspace}\n`);
  expect(state.nodes.get("inside/in")?.record.outputs.pwd).toBe(`${join(engine.workspace, "sub")}\n`);
});

test.each([".git", ".git/hooks", "sub/.git", "link", ".frond"])(
  "a workspace is refused where nobody but git, or whoever writes workflows, changes anything: %s",
  async (workspace) => {
    const hooking = { blocks: [{ id: "x", type: "CreateFile", inputs: { path: "pre-commit", content: "#!/bin/sh" } }] };
    const engine = createTestEngine({ workflows: { hooking } });
    for (const made of [".git/hooks", "sub/.git", ".frond"])
      mkdirSync(join(engine.workspace, made), { recursive: true });
    symlinkSync(".git/hooks", join(engine.workspace, "link"));
    const { state } = await engine.run({
      blocks: [{ id: "a", type: "ExecuteWorkflow", inputs: { workflow: "hooking", workspace } }],
    });
    expect(state.root.record.blocks.a?.metadata.message).toMatch(/^workspace: .* where no workflow works\.$/);
    expect(existsSync(join(engine.workspace, workspace, "pre-commit"))).toBe(false);
  },
);

test("a link that is put in the place of a child's workspace leads its file blocks nowhere", async () => {
  const child = {
    blocks: [
      { id: "wait", type: "Shell", inputs: { command: "touch ../begun; until test -L ../sub; do sleep 0.01; done" } },
      { id: "write", type: "CreateFile", inputs: { path: "file", content: "x" }, depends_on: ["wait"] },
    ],
  };
  const engine = createTestEngine({ workflows: { child } });
  const swap = "until test -e begun; do sleep 0.01; done; mv sub moved; ln -s other sub";
  for (const made of ["sub", "other"]) mkdirSync(join(engine.workspace, made));
  const { state } = await engine.run({
    blocks: [
      { id: "a", type: "ExecuteWorkflow", inputs: { workflow: "child", workspace: "sub" } },
      { id: "swap", type: "Shell", inputs: { command: swap } },
    ],
  });
  expect(state.root.record.blocks.a?.blocks.write?.metadata.message).toContain("leads through a symbolic link");
  expect(existsSync(join(engine.workspace, "other/file"))).toBe(false);
});

test.each(["..", "/", "out", "missing"])("a workspace outside the caller's is refused: %s", async (workspace) => {
  const engine = createTestEngine({ workflows: { where: whereAmI } });
  symlinkSync("/tmp", join(engine.workspace, "out"));
  const { state } = await engine.run({
    blocks: [{ id: "a", type: "ExecuteWorkflow", inputs: { workflow: "where", workspace } }],
  });
  expect(state.root.record.blocks.a?.metadata.status).toBe("failed");
  expect(state.root.record.blocks.a?.metadata.message).toMatch(/^workspace: .*(outside|does not exist)/);
});

test("inputs of the run itself are checked before anything happens", async () => {
  const { engine } = createStepEngine();
  const problems = await engine.refusal(taking, { times: "x", nmae: 1 });
  expect(problems.map(({ code, input }) => `${code} ${input}`)).toEqual([
    "unknown-input nmae",
    "missing-input name",
    "wrong-type times",
  ]);
});

test("the text of a child found at run time is in the events once, however often it is called", async () => {
  const child = { inputs: { n: { type: "integer", description: "A number" } }, blocks: [ending("x", "succeed")] };
  const { engine } = createStepEngine({ workflows: { child } });
  const { events, response } = await engine.run({
    inputs: { which: { type: "string", description: "Which", default: "child" } },
    blocks: [call("all", "${inputs.which}", { n: "${each.value}" }, { for_each: [1, 2, 3] })],
  });
  expect(response.status).toBe("success");
  const texts = events.filter((event) => event.type === "block-started" && "definition" in event.inside);
  expect(texts).toHaveLength(1);
});

test("a child's own start time is what the defaults of its inputs see", async () => {
  const times = ["2026-01-01T00:00:00.000Z", "2026-01-01T00:01:00.000Z"];
  const clock = {
    now: () => new Date(times.length > 1 ? (times.shift() as string) : (times[0] as string)),
    monotonic: () => 0,
  };
  const child = {
    inputs: { since: { type: "string", description: "When", default: "${metadata.start_time}" } },
    blocks: [giving("x", "${inputs.since} ${metadata.start_time}")],
    outputs: { both: "${blocks.x.value}" },
  };
  const { engine } = createStepEngine({ workflows: { child }, clock });
  const { state } = await engine.run({ blocks: [call("c", "child")] });
  const both = state.root.record.blocks.c?.outputs.both;
  expect(both).toBe("2026-01-01T00:01:00.000Z 2026-01-01T00:01:00.000Z");
});

test("null for an input that has a default is the default", async () => {
  const child = {
    inputs: { n: { type: "integer", description: "A number", default: 2 } },
    blocks: [giving("x", "${inputs.n + 1}")],
    outputs: { next: "${blocks.x.value}" },
  };
  const { engine } = createStepEngine({ workflows: { child } });
  const { state } = await engine.run({ blocks: [call("c", "child", { n: null })] });
  expect(state.root.record.blocks.c?.outputs).toEqual({ next: 3 });
});

test("a block type that throws while it is being started fails its block, not the run", async () => {
  const broken = {
    ...createStepEngine().steps.type,
    type: "Broken",
    behaviour: {
      kind: "nested" as const,
      nameInput: "value",
      argumentsInput: "ends",
      child: () => {
        throw new Error("a bug");
      },
    },
  };
  const { engine } = createStepEngine({ types: [broken] });
  const { state } = await engine.run({ blocks: [{ id: "b", type: "Broken" }, ending("other", "succeed")] });
  expect(state.root.record.blocks.b?.metadata).toMatchObject({ status: "failed", message: "unexpected error: a bug" });
  expect(state.root.record.blocks.other?.metadata.succeeded).toBe(true);
});
