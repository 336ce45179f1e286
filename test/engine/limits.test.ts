import { expect, test } from "vitest";
import type { TestEngine } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";

const range = (count: number): object => ({ for_each: `\${range(${count})}` });

/** What a workflow is refused for. */
function problemsOf(engine: TestEngine, blocks: readonly object[]): readonly string[] {
  const errors = engine.check({ blocks }).diagnostics.filter(({ level }) => level === "error");
  return errors.map(({ code, message, fix }) => `${code}: ${message} ${fix}`);
}

test("200 loops of 10,000 elements are refused before anything runs, with the variable that raises the limit", () => {
  const { engine } = createStepEngine();
  const blocks = Array.from({ length: 200 }, (_, index) => ending(`b${index}`, "succeed", range(10_000)));
  expect(problemsOf(engine, blocks)).toEqual([
    "too-many-nodes: A run of 'test' would have 2,000,201 nodes (blocks and loop elements); the limit is 100,000. " +
      "Split the work into several runs, or raise FROND_MAX_NODES.",
  ]);
});

test("42 workflows that each call the next twice are refused, and counting them takes no time", () => {
  const names = Array.from({ length: 42 }, (_, index) => `w${index}`);
  const workflows = Object.fromEntries(
    names.map((name, index) => {
      const next = names[index + 1];
      return [name, { blocks: next === undefined ? [ending("a", "succeed")] : [call("a", next), call("b", next)] }];
    }),
  );
  const { engine } = createStepEngine({ workflows });
  const problems = problemsOf(engine, [call("a", "w0"), call("b", "w0")]);
  expect(problems).toHaveLength(2);
  expect(problems[0]).toMatch(/^too-many-nodes: A run of 'w\d+' would have 1\d\d,\d{3} nodes/);
});

test("loops in loops are counted with everything inside them", () => {
  const workflows = { inner: { blocks: [ending("a", "succeed", range(50)), ending("b", "succeed")] } };
  const { engine } = createStepEngine({ workflows, limits: { nodes: 5_000 } });
  expect(problemsOf(engine, [call("loop", "inner", {}, range(94))])).toEqual([]);
  expect(problemsOf(engine, [call("loop", "inner", {}, range(95))])).toEqual([
    expect.stringContaining("would have 5,037 nodes"),
  ]);
});

test("passes of a repetition are counted as far as their number is sure", () => {
  const workflows = { inner: { blocks: [ending("a", "succeed", range(98))] } };
  const { engine } = createStepEngine({ workflows, limits: { nodes: 5_000 } });
  const repeated = (repeat: object): readonly string[] => problemsOf(engine, [call("again", "inner", {}, { repeat })]);
  expect(repeated({ max: 49 })).toEqual([]);
  expect(repeated({ max: 50 })).toEqual([expect.stringContaining("would have 5,002 nodes")]);
  expect(repeated({ max: 50, until: "${this.succeeded}" })).toEqual([]);
});

test("what a condition or a value decides is not known to be too large, and is limited when it runs", async () => {
  const { engine } = createStepEngine({ limits: { nodes: 50 } });
  const never = { condition: "${inputs.all}" };
  const inputs = { all: { type: "bool", default: false, description: "All" } };
  const skipped = await engine.run({
    inputs,
    blocks: [
      ending("never", "succeed", { ...range(100), ...never }),
      ending("after", "succeed", { ...range(100), depends_on: ["never"] }),
    ],
  });
  expect(skipped.response.status).toBe("success");
  const loop = ending("loop", "succeed", { for_each: "${blocks.list.value}" });
  const { response } = await engine.run({ blocks: [giving("list", "${range(48)}"), loop, ending("c", "succeed")] });
  expect(response.failed_blocks).toEqual([
    {
      block: "loop",
      message:
        "The run would have 52 nodes (blocks and loop elements); the limit is 50. " +
        "Split the work into several runs, or raise FROND_MAX_NODES.",
    },
  ]);
});

test("a child that would make the run too large can't be entered", async () => {
  const workflows = { wide: { blocks: Array.from({ length: 20 }, (_, index) => ending(`b${index}`, "succeed")) } };
  const { engine } = createStepEngine({ workflows, limits: { nodes: 50 } });
  const { response, state } = await engine.run({
    blocks: [
      giving("name", "wide"),
      ...["a", "b", "c"].map((id) => call(id, "${blocks.name.value}", {}, { depends_on: ["name"] })),
    ],
  });
  expect(response.failed_blocks).toMatchObject([{ block: "c", message: expect.stringContaining("FROND_MAX_NODES") }]);
  expect(state.nodes.size).toBeLessThanOrEqual(50);
});

const text = "x".repeat(1_000);

test("a run that would record too much ends as a failure that says why: nothing new starts, and nothing is left open", async () => {
  const { engine, steps } = createStepEngine({ limits: { recordedBytes: 100_000 } });
  const { response, state } = await engine.run({
    blocks: [
      step("open"),
      giving("loop", `${text} \${each.value}`, range(600)),
      ending("after", "succeed", { depends_on: ["loop"] }),
    ],
    outputs: { all: "${blocks.loop.results}" },
  });
  expect(response).toMatchObject({
    status: "failure",
    error:
      "recorded 0.1 MB of inputs and outputs, which is the limit. Keep large data in files, or raise FROND_MAX_RECORDED_MB.",
  });
  expect(
    response.failed_blocks?.some(({ message }) => message.startsWith("The run would record more than 0.1 MB")),
  ).toBe(true);
  expect([...state.nodes.values()].every(({ ended }) => ended)).toBe(true);
  expect(steps.running).toEqual([]);
  expect(steps.begun.length).toBeLessThan(200);
});

test("outputs of the workflow that are too large are left out, and the run fails", async () => {
  const { engine } = createStepEngine({ limits: { recordedBytes: 50_000 } });
  const names = Array.from({ length: 20 }, (_, index) => `o${index}`);
  const { response } = await engine.run({
    blocks: [giving("loop", text, range(10))],
    outputs: Object.fromEntries(names.map((name) => [name, "${blocks.loop.results}"])),
  });
  expect(response.status).toBe("failure");
  expect(response.error).toContain("FROND_MAX_RECORDED_MB");
  expect(new Set(Object.values(response.outputs ?? {}))).toEqual(new Set([null]));
});

test("what a loop gives is recorded once: with its passes", async () => {
  const { engine } = createStepEngine();
  const { events, state } = await engine.run({ blocks: [giving("loop", text, range(20))] });
  const finished = events.find((event) => event.type === "block-finished" && event.path === "loop");
  expect(finished).not.toHaveProperty("outputs");
  expect(state.root.record.blocks.loop?.outputs).toMatchObject({ count: 20, failed_keys: [] });
  expect(state.root.record.blocks.loop?.outputs.results).toHaveLength(20);
});

test("the limits are those of the process that goes on with a run", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const loop = ending("loop", "succeed", { for_each: "${blocks.list.value}", depends_on: ["ask"] });
  const { state } = await first.engine.run({
    blocks: [ending("ask", "pause"), giving("list", "${range(60)}"), loop],
  });
  const second = createStepEngine({ machine, limits: { nodes: 50 } });
  const run = await second.engine.takeOver(state.started.runId);
  await run.settled;
  expect(await run.answer("ask", "yes")).toMatchObject({ ok: true });
  const { response } = await run.goOn();
  expect(response.failed_blocks).toMatchObject([
    { block: "loop", message: expect.stringContaining("the limit is 50") },
  ]);
});

test("a cancel is heard in the middle of a loop with thousands of elements", async () => {
  const { engine } = createStepEngine();
  let committed = 0;
  const run = await engine.start(
    { blocks: [ending("loop", "succeed", { ...range(5_000), condition: "${each.index} < 0" })] },
    {
      onEvents(events) {
        committed += events.length;
      },
    },
  );
  await run.cancel();
  expect(committed).toBeLessThan(2_000);
  const { response, state } = await run.settled;
  expect(response).toMatchObject({ status: "failure", cancelled: true });
  expect([...state.nodes.values()].every(({ ended }) => ended)).toBe(true);
});

test("finally runs in a run that was ended because its record is full", async () => {
  const { engine } = createStepEngine({ limits: { recordedBytes: 6_000 } });
  const { response } = await engine.run({
    blocks: [giving("large", "x".repeat(4_000))],
    finally: [giving("clean", "${run.status}")],
  });
  expect(response.status).toBe("failure");
  expect(response.error).toMatch(/^recorded 0.006 MB/);
  expect(response.blocks?.clean).toMatchObject({ outputs: { value: "failure" }, metadata: { outcome: "success" } });
});
