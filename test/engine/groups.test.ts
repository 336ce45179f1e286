import { expect, test } from "vitest";
import type { RunState } from "../../src/engine/state.ts";
import { createTestEngine, type Written } from "../rig/engine.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";

/** A block that holds blocks. */
function group(id: string, blocks: readonly object[], more: object = {}): object {
  return { id, blocks, ...more };
}

function endings(state: RunState): Record<string, string> {
  return Object.fromEntries(
    [...state.nodes.values()]
      .filter(({ path }) => path !== "")
      .map(({ path, record: { metadata } }) => [
        path,
        metadata.status === "completed" ? metadata.outcome : metadata.status,
      ]),
  );
}

test("a group runs its blocks in the scope of the workflow around, and gives its outputs", async () => {
  const engine = createTestEngine();
  const shell = (id: string, command: string, more: object = {}): object => {
    return { id, type: "Shell", inputs: { command }, ...more };
  };
  const inner = [
    shell("install", "printf '%s-%s' ${blocks.prefix.stdout} ${each.value}"),
    shell("test", "printf '%s!' ${blocks.install.stdout}", { depends_on: ["install"] }),
  ];
  const { response, events } = await engine.run(
    {
      inputs: { packages: { type: "list", description: "Names" } },
      blocks: [
        shell("prefix", "printf pre"),
        group("each_package", inner, {
          for_each: "${inputs.packages}",
          max_parallel: 3,
          outputs: { passed: "${blocks.test.succeeded}", said: "${blocks.test.stdout} ${each.key}" },
        }),
      ],
      outputs: {
        all: "${blocks.each_package.outputs.results}",
        second: "${blocks.each_package.blocks['1'].blocks.test.outputs.stdout}",
      },
    },
    { inputs: { packages: ["a", "b"] } },
  );
  expect(response).toMatchObject({
    status: "success",
    outputs: {
      all: [
        { passed: true, said: "pre-a! 0" },
        { passed: true, said: "pre-b! 1" },
      ],
      second: "pre-b!",
    },
  });
  const started = events.find((event) => event.type === "block-started" && event.path === "each_package/1");
  expect(started).toMatchObject({ inputs: {}, inside: { kind: "group" } });
});

test("metadata inside is the surrounding workflow's, but each block has an idempotency key of its own", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ clock });
  const reading = "${metadata.workflow_name} ${metadata.start_time} ${metadata.run_id}";
  const run = await engine.start({
    blocks: [
      step("a"),
      group("g", [giving("b", reading), giving("c", "${metadata.idempotency_key}")], { depends_on: ["a"] }),
    ],
    outputs: { outside: reading, inside: "${blocks.g.blocks.b.value}", key: "${blocks.g.blocks.c.value}" },
  });
  await run.idle();
  clock.advance(5000);
  steps.succeed("a");
  const { response, state, events } = await run.settled;
  expect(response.outputs?.inside).toBe(response.outputs?.outside);
  const [g] = events.filter((event) => event.type === "block-started" && event.path === "g/c");
  expect(g).toMatchObject({ idempotencyKey: response.outputs?.key });
  // Its own record has its own times, as that of a called workflow has.
  expect(state.nodes.get("g")?.record.metadata).toMatchObject({ workflow_name: "test", total_blocks: 2 });
  expect(state.nodes.get("g")?.record.metadata.start_time).not.toBe(state.root.record.metadata.start_time);
});

test("a group whose blocks read one that failed is skipped, and its outputs are null", async () => {
  const { engine } = createStepEngine();
  const { state, response } = await engine.run({
    blocks: [
      ending("a", "fail"),
      group("g", [giving("b", "${blocks.a.value}")], { outputs: { x: "${blocks.b.value}" } }),
    ],
    outputs: { x: "${blocks.g.x}", inside: "${blocks.g.blocks.b.skipped}" },
  });
  expect(endings(state)).toEqual({ a: "failure", g: "skipped" });
  expect(state.nodes.get("g")?.record.metadata.message).toBe("'a' failed, and is required.");
  expect({ ...state.nodes.get("g")?.record.outputs }).toEqual({ x: null });
  expect(response.outputs).toEqual({ x: null, inside: true });
});

test.each(["succeed", "fail"] as const)(
  "conditions inside decide for their own blocks when a block around would %s",
  async (how) => {
    const { engine } = createStepEngine();
    const branches = [
      giving("good", 1, { condition: "${blocks.a.succeeded}" }),
      giving("bad", 2, { condition: "${blocks.a.failed}" }),
      giving("reader", "${blocks.a.value}"),
      giving("other", 3),
    ];
    const { state } = await engine.run({ blocks: [ending("a", how), group("g", branches)] });
    const succeeded = how === "succeed";
    expect(endings(state)).toEqual({
      a: succeeded ? "success" : "failure",
      g: "success",
      "g/good": succeeded ? "success" : "skipped",
      "g/bad": succeeded ? "skipped" : "success",
      "g/reader": succeeded ? "success" : "skipped",
      "g/other": "success",
    });
    const declared = await engine.run({ blocks: [ending("a", how), group("g", branches, { depends_on: ["a"] })] });
    expect(endings(declared.state)).toEqual({ ...endings(state), "g/other": succeeded ? "success" : "skipped" });
    // The record of the run is a failure all the same: a block inside never handles a failure outside.
    expect(state.finished).toMatchObject({ outcome: succeeded ? "success" : "failure" });
  },
);

test("a group that runs because of a failure handles it, and reads in it what failed", async () => {
  const { engine } = createStepEngine();
  const { state, response } = await engine.run({
    blocks: [
      ending("a", "fail"),
      group("rescue", [giving("b", "${blocks.a.code}"), group("deep", [giving("c", "${blocks.a.error}")])], {
        condition: "${blocks.a.failed}",
        outputs: { code: "${blocks.b.value}" },
      }),
    ],
    outputs: { code: "${blocks.rescue.code}" },
  });
  expect(endings(state)).toMatchObject({ rescue: "success", "rescue/b": "success", "rescue/deep/c": "success" });
  expect(response).toMatchObject({ status: "success", outputs: { code: 1 } });
  expect(response.handled_failures).toMatchObject([{ block: "a", handled_by: ["rescue"] }]);
});

test("a failure inside is handled inside, or fails the group", async () => {
  const { engine } = createStepEngine();
  const handled = [
    ending("a", "fail"),
    giving("b", 1, { condition: "${blocks.a.failed}" }),
    giving("c", "${blocks.b.value}"),
  ];
  const { state } = await engine.run({
    blocks: [
      group("one", handled, { outputs: { x: "${blocks.b.value}" } }),
      group("two", [ending("d", "fail"), ending("e", "succeed")]),
      group("three", [ending("f", "crash")]),
    ],
  });
  expect(endings(state)).toMatchObject({ one: "success", two: "failure", three: "failed" });
  expect(state.nodes.get("two")?.record.metadata.message).toBe("'d' failed: it went wrong");
});

test("each inside is that of the nearest loop, each.outer that of the loop around, and each.previous the pass before", async () => {
  const { engine } = createStepEngine();
  const { response } = await engine.run({
    blocks: [
      group(
        "g",
        [
          giving("own", "${each.outer.key}${each.value}${each.outer.count}", { for_each: "${each.value}" }),
          group(
            "h",
            [giving("deep", "${each.value} ${each.outer.value[0]} ${default(each.outer.previous.seen, '-')}")],
            {
              for_each: ["x"],
            },
          ),
          giving("plain", "${each.index} ${each.value[0]}"),
        ],
        {
          for_each: { first: ["a", "b"], second: ["c"] },
          for_each_mode: "sequential",
          outputs: {
            seen: "${blocks.plain.value}",
            own: "${blocks.own.results}",
            deep: "${blocks.h.blocks['0'].blocks.deep.value}",
          },
        },
      ),
    ],
    outputs: { all: "${blocks.g.results}" },
  });
  expect(response.outputs?.all).toMatchObject([
    { seen: "0 a", own: [{ value: "firsta2" }, { value: "firstb2" }], deep: "x a -" },
    { seen: "1 c", own: [{ value: "secondc2" }], deep: "x c 0 a" },
  ]);
});

test("a condition inside a loop is judged with the pass, and one of a loop inside by element", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({
    blocks: [
      group(
        "g",
        [
          giving("odd", 1, { condition: "${each.index} == 1" }),
          giving("pairs", 1, { for_each: [0, 1], condition: "${each.outer.index} == ${each.index}" }),
        ],
        { for_each: ["a", "b"] },
      ),
    ],
  });
  expect(endings(state)).toMatchObject({
    "g/0/odd": "skipped",
    "g/1/odd": "success",
    "g/0/pairs/0": "success",
    "g/0/pairs/1": "skipped",
    "g/1/pairs/0": "skipped",
    "g/1/pairs/1": "success",
  });
});

test("a called workflow sees neither the blocks nor the each of the group that calls it", async () => {
  const peeking = (value: string): Written => ({ blocks: [giving("x", value)] });
  const { engine } = createStepEngine({
    workflows: { looks: peeking("${blocks.a.value}"), counts: peeking("${each.index}") },
  });
  for (const name of ["looks", "counts"]) {
    const { diagnostics } = engine.check({
      blocks: [giving("a", 1), group("g", [call("c", name)], { for_each: [1], depends_on: ["a"] })],
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(["broken-workflow"]);
  }
});

test("an attempt at a group is the whole of it", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [
      group("g", [step("a"), step("b", { depends_on: ["a"] })], {
        retry: { attempts: 2, delay: "1s" },
        outputs: { attempt: "${metadata.attempt}", b: "${blocks.b.value}" },
      }),
    ],
    outputs: { attempts: "${blocks.g.metadata.attempts}", b: "${blocks.g.b}", attempt: "${blocks.g.attempt}" },
  });
  await run.idle();
  steps.succeed("g/a");
  await run.idle();
  steps.fail("g/b");
  await run.idle();
  expect(steps.running).toEqual([]);
  clock.advance(1000);
  await run.idle();
  expect(steps.running).toEqual(["g/a"]);
  steps.succeed("g/a");
  await run.idle();
  steps.succeed("g/b", 7);
  const { response, state } = await run.settled;
  expect(response).toMatchObject({ status: "success", outputs: { attempts: 2, b: 7, attempt: 2 } });
  expect(state.nodes.get("g")?.record.metadata.attempt_history).toMatchObject([
    { outcome: "failure", message: "'b' failed: it went wrong" },
    { outcome: "success" },
  ]);
});

test("a group is repeated until what its blocks made is enough", async () => {
  const { engine } = createStepEngine();
  const { state, response } = await engine.run({
    blocks: [
      group("g", [giving("count", "${default(each.previous.blocks.count.value, 0) + 1}")], {
        repeat: { max: 5, until: "${this.blocks.count.value} == 3" },
        outputs: { count: "${blocks.count.value}" },
      }),
    ],
    outputs: { last: "${blocks.g.last.count}", passes: "${blocks.g.count}" },
  });
  expect(response.outputs).toEqual({ last: 3, passes: 3 });
  expect(Object.keys(endings(state))).toHaveLength(7);
});

test("expect judges a group by its record", async () => {
  const { engine } = createStepEngine();
  const counting = (count: number): object =>
    group(`g${count}`, [giving(`a${count}`, count)], {
      outputs: { n: `\${blocks.a${count}.value}` },
      expect: { condition: "${this.n} > 1" },
    });
  const { state } = await engine.run({ blocks: [counting(1), counting(2)] });
  expect(endings(state)).toMatchObject({ g1: "failure", g2: "success" });
});

test("the time limit of a group ends everything in it, at any depth", async () => {
  const clock = createFakeClock();
  const { engine } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [
      group("g", [step("a"), group("h", [step("b")]), step("c", { depends_on: ["a"] })], { timeout: "5s" }),
      ending("d", "succeed"),
    ],
  });
  await run.idle();
  clock.advance(5000);
  const { state } = await run.settled;
  expect(endings(state)).toEqual({
    g: "failed",
    "g/a": "failed",
    "g/h": "failed",
    "g/h/b": "failed",
    "g/c": "skipped",
    d: "success",
  });
  expect(state.nodes.get("g")?.record.metadata.message).toBe("ran longer than its limit of 5s");
  expect(state.nodes.get("g")?.cause).toBe("timeout");
});

test("max_parallel of a group limits the leaves in it, and for_each the passes", async () => {
  const { engine, steps } = createStepEngine();
  const leaves = [step("a"), step("b"), group("h", [step("c")])];
  const run = await engine.start({ blocks: [group("g", leaves, { max_parallel: 2 })] });
  await run.idle();
  expect(steps.running).toEqual(["g/a", "g/b"]);
  steps.succeed("g/a");
  await run.idle();
  expect(steps.running).toEqual(["g/b", "g/h/c"]);
  await run.cancel();
  await run.settled;
  const loop = await engine.start({
    blocks: [group("l", [step("x"), step("y")], { for_each: [1, 2, 3], max_parallel: 2 })],
  });
  await loop.idle();
  expect(steps.running).toEqual(["l/0/x", "l/0/y", "l/1/x", "l/1/y"]);
  await loop.cancel();
  const { state } = await loop.settled;
  expect(state.finished).toMatchObject({ status: "failed", message: "cancelled" });
  expect(endings(state)).toMatchObject({ "l/0": "failed", "l/2": "skipped" });
});

test("on_error: stop withdraws the questions in a group, and skips the passes that have not begun", async () => {
  const { engine, steps } = createStepEngine();
  const asking = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" }, condition: "${each.index} == 0" };
  const run = await engine.start({
    blocks: [group("g", [asking, step("a")], { for_each: [1, 2, 3], max_parallel: 2, on_error: "stop" })],
  });
  await run.idle();
  steps.succeed("g/0/a");
  await run.idle();
  steps.fail("g/1/a");
  await run.idle();
  const rest = steps.running;
  for (const path of rest) steps.succeed(path);
  const { state, response } = await run.settled;
  expect(response.status).toBe("failure");
  expect(endings(state)).toMatchObject({ "g/0": "failed", "g/0/ask": "failed", "g/1": "failure" });
});

test("a group with nothing but questions and sleep left is paused, and whoever answers goes on in it", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const asking = { id: "ask", type: "Prompt", inputs: { prompt: "Go on, ${each.value}?" } };
  const definition = {
    blocks: [group("g", [asking, giving("b", "${blocks.ask.response} ${each.value}")], { for_each: ["x", "y"] })],
    outputs: { said: "${blocks.g.blocks['1'].blocks.b.value}" },
  };
  const started = await first.engine.start(definition);
  expect((await started.settled).response).toMatchObject({ status: "paused" });
  first.engine.process.die();
  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  for (const key of [0, 1]) expect((await run.answer(`g/${key}/ask`, `yes ${key}`)).ok).toBe(true);
  expect((await run.goOn()).response).toMatchObject({ status: "success", outputs: { said: "yes 1 y" } });
});

test("whoever takes over a run goes on in its groups where they were", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({
    blocks: [
      giving("z", 5),
      group("g", [step("a"), group("h", [giving("b", "${blocks.a.value}"), step("c", { depends_on: ["b"] })])], {
        depends_on: ["z"],
      }),
    ],
    outputs: { b: "${blocks.g.blocks.h.blocks.b.value}" },
  });
  await started.idle();
  first.steps.succeed("g/a", 42);
  await started.idle();
  expect(first.steps.running).toEqual(["g/h/c"]);
  first.engine.process.die();
  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(second.steps.begun).toEqual(["g/h/c"]);
  second.steps.succeed("g/h/c");
  expect((await run.settled).response).toMatchObject({ status: "success", outputs: { b: 42 } });
});

test("groups are counted against the limit of nodes, before the run and in it", async () => {
  const { engine } = createStepEngine({ limits: { nodes: 30 } });
  const inner = [ending("a", "succeed"), ending("b", "succeed")];
  const loop = (elements: unknown): Written => ({
    blocks: [giving("n", 20), group("g", inner, { for_each: elements })],
  });
  const problems = engine.check(loop("${range(10)}")).diagnostics.filter(({ level }) => level === "error");
  expect(problems.map(({ message }) => message)).toEqual([
    "A run of 'test' would have 33 nodes (blocks and loop elements); the limit is 30.",
  ]);
  const { state } = await engine.run(loop("${range(blocks.n.value)}"));
  expect(state.finished).toMatchObject({ status: "failed" });
  expect(state.nodes.size).toBeLessThanOrEqual(30);
  expect([...state.nodes.values()].some(({ record }) => record.metadata.message?.includes("FROND_MAX_NODES"))).toBe(
    true,
  );
});

test("groups don't count as nested workflows, and don't hide that a workflow would call itself", async () => {
  const nested = (depth: number, inside: object): object =>
    depth === 0 ? inside : group(`g${depth}`, [nested(depth - 1, inside)]);
  const { engine } = createStepEngine({ maxDepth: 2, workflows: { child: { blocks: [ending("a", "succeed")] } } });
  const { state } = await engine.run({ blocks: [nested(20, call("c", "child"))] });
  expect(state.finished).toMatchObject({ outcome: "success" });
  expect([...state.nodes.values()].at(-1)?.path.split("/")).toHaveLength(22);

  const again = createStepEngine({
    workflows: {
      child: {
        blocks: [
          giving("name", "child"),
          group("g", [{ id: "c", type: "ExecuteWorkflow", inputs: { workflow: "${blocks.name.value}" } }]),
        ],
      },
    },
  });
  const cyclic = await again.engine.run({ blocks: [call("c", "child")] });
  expect(cyclic.state.nodes.get("c/g/c")?.record.metadata.message).toContain(
    "the workflow calls itself: child -> child.",
  );
});

test("secrets of the workflow reach the blocks in a group, and are recorded nowhere", async () => {
  const engine = createTestEngine({ secrets: { TOKEN: "very-secret" } });
  const printing = {
    id: "p",
    type: "Shell",
    inputs: { command: 'printf %s "$T" | wc -c; printf %s "$T"', env: { T: "${secrets.TOKEN}" } },
  };
  const { response, events } = await engine.run({
    blocks: [group("g", [printing], { for_each: [1] })],
    outputs: { said: "${blocks.g.blocks['0'].blocks.p.stdout}" },
  });
  expect(response.outputs?.said).toMatch(/^\s*11\n/);
  expect(JSON.stringify(events)).not.toContain("very-secret");
});

test("a group under finally runs whatever happened, and reads how the run and its blocks went", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({
    blocks: [ending("a", "crash"), giving("b", 1, { depends_on: ["a"] })],
    finally: [
      group(
        "report",
        [giving("how", "${run.status} ${blocks.a.status} ${blocks.b.skipped}"), giving("read", "${blocks.b.value}")],
        {
          for_each: [1],
        },
      ),
    ],
  });
  expect(endings(state)).toMatchObject({ report: "success", "report/0": "success", "report/0/read": "success" });
  expect(state.nodes.get("report/0/how")?.record.outputs.value).toBe("failure failed true");
});

test("a group that may fail does not fail the run", async () => {
  const { engine } = createStepEngine();
  const { response } = await engine.run({
    blocks: [group("g", [ending("a", "fail"), ending("b", "succeed")], { allow_failure: true })],
  });
  expect(response).toMatchObject({ status: "success", handled_failures: [{ block: "g", handled_by: [] }] });
});

test("vars and env of the workflow are known in its groups", async () => {
  const engine = createTestEngine();
  const saying = { id: "say", type: "Shell", inputs: { command: 'printf "%s, %s" "${vars.made}" "$WHO"' } };
  const { response } = await engine.run({
    vars: { made: "${blocks.first.stdout}" },
    env: { WHO: "world" },
    blocks: [
      { id: "first", type: "Shell", inputs: { command: "printf hello" } },
      group("g", [group("h", [saying])], { outputs: { said: "${blocks.h.blocks.say.stdout} after ${vars.made}" } }),
    ],
    outputs: { said: "${blocks.g.said}" },
  });
  expect(response.outputs).toEqual({ said: "hello, world after hello" });
});
