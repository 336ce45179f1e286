import { expect, test } from "vitest";
import type { TestRun } from "../rig/engine.ts";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";
import type { Steps } from "../rig/steps.ts";

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("a list is run once per element, and each says where it is", async () => {
  const { engine } = createStepEngine();
  const { response, state } = await engine.run({
    blocks: [
      giving("loop", ["${each.value}", "${each.key}", "${each.index}", "${each.count}"], { for_each: ["x", "y"] }),
    ],
    outputs: {
      second: "${blocks.loop.blocks['1'].outputs.value}",
      shortcut: "${blocks.loop.blocks['1'].value[0]}",
      results: "${blocks.loop.results[0].value}",
      count: "${blocks.loop.count}",
    },
  });
  expect(plain(response.outputs)).toEqual({ second: ["y", 1, 1, 2], shortcut: "y", results: ["x", 0, 0, 2], count: 2 });
  expect(plain(state.root.record.blocks.loop?.outputs)).toEqual({
    results: [
      { value: ["x", 0, 0, 2], code: 0 },
      { value: ["y", 1, 1, 2], code: 0 },
    ],
    count: 2,
    failed_keys: [],
    failed_elements: [],
  });
});

test("a map is run once per entry, under its keys", async () => {
  const { engine } = createStepEngine();
  const { response } = await engine.run({
    blocks: [giving("loop", "${each.key}=${each.value} ${each.index}/${each.count}", { for_each: { b: 1, a: 2 } })],
    outputs: { a: "${blocks.loop.blocks['a'].value}", all: "${blocks.loop.results}" },
  });
  expect(plain(response.outputs)).toEqual({
    a: "a=2 1/2",
    all: [
      { value: "b=1 0/2", code: 0 },
      { value: "a=2 1/2", code: 0 },
    ],
  });
});

test("the elements can come from an input or another block", async () => {
  const { engine } = createStepEngine();
  const { response } = await engine.run({
    blocks: [giving("list", [1, 2, 3]), giving("loop", "${each.value * 2}", { for_each: "${blocks.list.value}" })],
    outputs: { sum: "${sum([blocks.loop.results[0].value, blocks.loop.results[2].value])}" },
  });
  expect(response.outputs?.sum).toBe(8);
});

test.each([{ for_each: [] }, { for_each: {} }])("a loop over nothing is a success: $for_each", async (loop) => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({ blocks: [step("loop", loop)] });
  expect(state.root.record.blocks.loop).toMatchObject({
    metadata: { status: "completed", outcome: "success" },
    outputs: { results: [], count: 0, failed_keys: [], failed_elements: [] },
    blocks: {},
  });
});

test("keys with / and % are encoded in addresses and kept as they are everywhere else", async () => {
  const { engine, steps } = createStepEngine();
  const { state, response } = await engine.run({
    blocks: [giving("loop", "${each.key}", { for_each: { "src/a b": 1, "50%": 2, "src%2Fa b": 3, __proto__x: 4 } })],
    outputs: { it: "${blocks.loop.blocks['src/a b'].value}" },
  });
  expect(steps.begun.slice(0, 3)).toEqual(["loop/src%2Fa b", "loop/50%25", "loop/src%252Fa b"]);
  expect(Object.keys(state.root.record.blocks.loop?.blocks ?? {})).toContain("src/a b");
  expect(response.outputs?.it).toBe("src/a b");
  expect(state.nodes.get("loop/src%2Fa b")?.record.outputs.value).toBe("src/a b");
});

test("a condition that mentions each is judged for every element", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({
    blocks: [giving("loop", "${each.value}", { for_each: [1, 2, 3], condition: "${each.value} != 2" })],
  });
  const loop = state.root.record.blocks.loop;
  expect(plain(loop?.outputs.results)).toEqual([{ value: 1, code: 0 }, null, { value: 3, code: 0 }]);
  expect(loop?.blocks["1"]?.metadata).toMatchObject({
    status: "skipped",
    message: "The condition is false: ${each.value} != 2",
  });
  expect(loop?.metadata.succeeded).toBe(true);
});

test("a condition that does not mention each is judged once, for the whole loop", async () => {
  const { engine } = createStepEngine();
  const { state, events } = await engine.run({
    blocks: [giving("off", false), step("loop", { for_each: [1, 2], condition: "${blocks.off.value}" })],
  });
  expect(state.root.record.blocks.loop).toMatchObject({ metadata: { status: "skipped" }, blocks: {} });
  expect(events.filter(({ type }) => type === "block-skipped")).toHaveLength(1);
});

test("failed elements are given with their keys, and the others go on", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({
    blocks: [
      { id: "loop", type: "Step", for_each: { a: "fail", b: "succeed", c: "fail" }, inputs: { ends: "${each.value}" } },
      { id: "list", type: "Step", for_each: ["succeed", "fail"], inputs: { ends: "${each.value}" } },
    ],
  });
  expect(state.root.record.blocks.loop?.outputs).toMatchObject({ failed_keys: ["a", "c"], count: 3 });
  expect(state.root.record.blocks.list?.outputs.failed_keys).toEqual([1]);
  expect(state.root.record.blocks.list?.outputs.failed_elements).toEqual(["fail"]);
  expect(state.root.record.blocks.loop?.metadata.message).toBe("'a' failed (and 1 more): it went wrong");
});

test("a sequential loop runs one element after the other, in order, whatever max_parallel says", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [step("loop", { for_each: [1, 2, 3], for_each_mode: "sequential", max_parallel: 9 })],
  });
  for (const expected of ["loop/0", "loop/1", "loop/2"]) {
    await run.idle();
    expect(steps.running).toEqual([expected]);
    steps.succeed(expected);
  }
  expect((await run.settled).response.status).toBe("success");
});

test("on_error stop: elements that have not started are skipped, those that run go on", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [step("loop", { for_each: [1, 2, 3, 4], max_parallel: 2, on_error: "stop" })],
  });
  await run.idle();
  steps.fail("loop/1");
  await run.idle();
  expect(steps.running).toEqual(["loop/0"]);
  steps.succeed("loop/0");
  const { state, events } = await run.settled;
  const loop = state.root.record.blocks.loop;
  expect(Object.values(loop?.blocks ?? {}).map(({ metadata }) => metadata.status)).toEqual([
    "completed",
    "completed",
    "skipped",
    "skipped",
  ]);
  expect(loop?.metadata).toMatchObject({ status: "completed", outcome: "failure" });
  expect(plain(loop?.outputs.results)).toEqual([{ value: null, code: 0 }, { value: null, code: 1 }, null, null]);
  expect(events).toContainEqual(
    expect.objectContaining({
      path: "loop/2",
      reason: { kind: "loop-stopped", message: "Not started: an earlier element failed and on_error is stop." },
    }),
  );
});

test("on_error stop in a sequential loop stops at the first failure", async () => {
  const { engine, steps } = createStepEngine();
  await engine.run({
    blocks: [
      {
        id: "loop",
        type: "Step",
        for_each: ["succeed", "crash", "succeed"],
        for_each_mode: "sequential",
        on_error: "stop",
        inputs: { ends: "${each.value}" },
      },
    ],
  });
  expect(steps.begun).toEqual(["loop/0", "loop/1"]);
});

test("on_error stop withdraws questions that wait, and those asked afterwards", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [step("loop", { for_each: [1, 2, 3], max_parallel: 3, on_error: "stop" })],
  });
  await run.idle();
  steps.pause("loop/0");
  await run.idle();
  steps.fail("loop/1");
  await run.idle();
  expect(run.state.questions.size).toBe(0);
  steps.pause("loop/2");
  const { state, response } = await run.settled;
  expect(response.status).toBe("failure");
  for (const key of ["0", "2"]) {
    expect(state.root.record.blocks.loop?.blocks[key]?.metadata).toMatchObject({
      status: "skipped",
      message: "an earlier element failed and on_error is stop",
    });
  }
  expect(state.root.record.blocks.loop?.metadata).toMatchObject({ status: "completed", outcome: "failure" });
});

/** A stopped loop that is full, in which the question of pass 1 is withdrawn and, before its turn comes, answered. */
async function answerWhileWithdrawn(): Promise<{ run: TestRun; steps: Steps }> {
  const child = { blocks: [step("ask"), step("after", { depends_on: ["ask"], condition: "${blocks.ask.failed}" })] };
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({
    blocks: [call("loop", "child", {}, { for_each: [1, 2, 3], max_parallel: 1, on_error: "stop" })],
  });
  for (const key of ["0", "1"]) {
    await run.idle();
    steps.pause(`loop/${key}/ask`);
  }
  await run.idle();
  steps.crash("loop/2/ask");
  await run.idle();
  steps.succeed("loop/2/after");
  await run.idle();
  expect(steps.running).toEqual(["loop/0/after"]);
  await run.answer("loop/1/ask", "in time");
  await run.idle();
  expect(steps.running).toEqual(["loop/0/after"]);
  steps.succeed("loop/0/after");
  await run.idle();
  expect(steps.running).toEqual(["loop/1/ask"]);
  return { run, steps };
}

test("an answer to a question that is about to be withdrawn counts, once", async () => {
  const { run, steps } = await answerWhileWithdrawn();
  steps.succeed("loop/1/ask");
  const { state } = await run.settled;
  expect(state.root.record.blocks.loop?.blocks["1"]?.metadata.succeeded).toBe(true);
  expect(steps.begun.filter((path) => path === "loop/1/ask")).toHaveLength(2);
});

test("a question asked again after such an answer is withdrawn too, and the run ends", async () => {
  const { run, steps } = await answerWhileWithdrawn();
  steps.pause("loop/1/ask");
  await run.idle();
  steps.succeed("loop/1/after");
  const { response, state } = await run.settled;
  expect(response.status).toBe("failure");
  expect(state.root.record.blocks.loop?.blocks["1"]?.blocks.ask?.metadata.status).toBe("failed");
});

test("a paused element frees its place, and waits for one when it is answered while the loop is full", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({ blocks: [step("loop", { for_each: [1, 2, 3], max_parallel: 1 })] });
  await run.idle();
  steps.pause("loop/0");
  await run.idle();
  expect(steps.running).toEqual(["loop/1"]);
  await run.answer("loop/0", "yes");
  await run.idle();
  expect(steps.running).toEqual(["loop/1"]);
  steps.succeed("loop/1");
  await run.idle();
  expect(steps.running).toEqual(["loop/0"]);
  steps.succeed("loop/0");
  await run.idle();
  steps.succeed("loop/2");
  expect((await run.settled).response.status).toBe("success");
});

test("a sequential loop waits for its paused element, and the run is paused when nothing else can go on", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({ blocks: [step("loop", { for_each: [1, 2], for_each_mode: "sequential" })] });
  await run.idle();
  steps.pause("loop/0");
  const { response } = await run.settled;
  expect(response.status).toBe("paused");
  expect(response.blocks?.loop?.metadata.status).toBe("paused");
  await run.answer("loop/0", "yes");
  const end = run.goOn();
  await run.idle();
  steps.succeed("loop/0");
  await run.idle();
  steps.succeed("loop/1");
  expect((await end).response.status).toBe("success");
});

test("a loop of workflows and loops inside them have one shape at every depth", async () => {
  const child = {
    inputs: { n: { type: "int", description: "?" } },
    blocks: [giving("inner", "${inputs.n * each.value}", { for_each: "${range(inputs.n)}" })],
    outputs: { all: "${blocks.inner.results}" },
  };
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const { response } = await engine.run({
    blocks: [call("outer", "child", { n: "${each.value}" }, { for_each: [2, 3] })],
    outputs: {
      deep: "${blocks.outer.blocks['1'].blocks.inner.blocks['2'].outputs.value}",
      result: "${blocks.outer.results[0].all[1].value}",
    },
  });
  expect(plain(response.outputs)).toEqual({ deep: 6, result: 2 });
  expect(steps.begun.toSorted()).toEqual([
    "outer/0/inner/0",
    "outer/0/inner/1",
    "outer/1/inner/0",
    "outer/1/inner/1",
    "outer/1/inner/2",
  ]);
});

test("a loop of prompts asks all its questions, each on its own", async () => {
  const { engine } = createStepEngine();
  const run = await engine.start({
    blocks: [
      {
        id: "ask",
        type: "Prompt",
        for_each: ["a", "b", "c"],
        max_parallel: 1,
        inputs: { prompt: "Take ${each.value}?" },
      },
    ],
    outputs: { answers: "${blocks.ask.results}" },
  });
  const { response } = await run.settled;
  expect(response.pending?.map(({ block, prompt }) => `${block} ${prompt}`)).toEqual([
    "ask/0 Take a?",
    "ask/1 Take b?",
    "ask/2 Take c?",
  ]);
  for (const key of ["2", "0", "1"]) await run.answer(`ask/${key}`, `answer ${key}`);
  const end = await run.goOn();
  expect(plain(end.response.outputs?.answers)).toEqual([0, 1, 2].map((key) => ({ response: `answer ${key}` })));
});

test.each(["text", 5, null])("for_each over %j FAILS the block and names the value", async (value) => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({ blocks: [giving("d", value), step("loop", { for_each: "${blocks.d.value}" })] });
  expect(state.root.record.blocks.loop?.metadata.status).toBe("failed");
  expect(state.root.record.blocks.loop?.metadata.message).toContain("for_each needs a list or a map, not");
});

test("more than ten thousand elements are refused, ten thousand are not", async () => {
  const { engine } = createStepEngine();
  const loopOver = (id: string, size: number): object =>
    giving(id, 1, { for_each: `\${range(${size})}`, max_parallel: 500 });
  const { state } = await engine.run({ blocks: [loopOver("many", 10_000), loopOver("too_many", 10_001)] });
  expect(state.root.record.blocks.many).toMatchObject({ metadata: { succeeded: true }, outputs: { count: 10_000 } });
  expect(state.root.record.blocks.too_many?.metadata).toMatchObject({
    status: "failed",
    message: "for_each can take 10000 elements at most, not 10001.",
  });
});

test("a dependency of a loop skips the whole loop, and a timeout counts for each element", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({
    blocks: [
      ending("d", "fail"),
      step("skipped", { for_each: [1, 2], depends_on: ["d"] }),
      step("slow", { for_each: [1, 2], for_each_mode: "sequential", timeout: "20ms" }),
    ],
  });
  expect(state.root.record.blocks.skipped?.metadata.skipped).toBe(true);
  const slow = state.root.record.blocks.slow;
  expect(slow?.metadata.status).toBe("failed");
  for (const pass of Object.values(slow?.blocks ?? {}))
    expect(pass.metadata.message).toBe("ran longer than its limit of 20ms");
});
