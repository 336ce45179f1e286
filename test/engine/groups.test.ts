import { expect, test } from "vitest";
import { createTestEngine, type Written } from "../rig/engine.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { call, createStepEngine, ending, giving, group, step } from "../rig/step-engine.ts";
import { endings } from "./endings.ts";

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
