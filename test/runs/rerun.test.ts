import { expect, test } from "vitest";
import type { RunState } from "../../src/engine/state.ts";
import type { Value } from "../../src/expression/value.ts";
import type { DrivenRun } from "../../src/runs/driven-run.ts";
import { isNothingRun } from "../../src/views/describe-reuse.ts";
import type { TestEngine } from "../rig/engine.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { rerunHere } from "../rig/rerun-here.ts";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";

const nobody = { onEvents() {}, onOutput() {}, trust: "any-file" as const };

async function rerun(engine: TestEngine, runId: string, from?: string): Promise<DrivenRun> {
  const how = from === undefined ? { all: true } : { from };
  const begun = await rerunHere(engine.engine, runId, { ...nobody, ...how });
  if (!begun.ok) throw new Error(begun.error.map(({ message }) => message).join("\n"));
  return begun.value.run;
}

/** The end of a new run from a block on. */
async function rerunToEnd(engine: TestEngine, runId: string, from?: string): Promise<RunState> {
  const run = await rerun(engine, runId, from);
  expect(await run.settled()).toBe("finished");
  return run.inspect((state) => state);
}

function outputOf(state: RunState, path: string): Value | undefined {
  return state.nodes.get(path)?.record.outputs.value;
}

const diamond = {
  blocks: [
    giving("source", 1),
    giving("left", "${blocks.source.value}", { depends_on: ["source"] }),
    giving("right", "${blocks.source.value}", { depends_on: ["source"] }),
    giving("sink", "${blocks.left.value}${blocks.right.value}", { depends_on: ["left", "right"] }),
  ],
  outputs: { all: "${blocks.sink.value}" },
};

test("without a block everything runs again, with the same inputs and texts, as a run of its own", async () => {
  const { engine, steps } = createStepEngine();
  const first = await engine.run(diamond);
  const state = await rerunToEnd(engine, first.state.started.runId);
  expect(steps.begun).toHaveLength(8);
  expect(state.started).toMatchObject({
    rerunOf: first.state.started.runId,
    definitions: first.state.started.definitions,
    inputs: first.state.started.inputs,
  });
  expect(state.started.runId).not.toBe(first.state.started.runId);
  expect(state.finished).toMatchObject({ outcome: "success", outputs: { all: "11" } });
});

test("from a block on, it and what depends on it run again, and the results of everything else are reused", async () => {
  const { engine, steps } = createStepEngine();
  const first = await engine.run(diamond);
  steps.begun.length = 0;
  const state = await rerunToEnd(engine, first.state.started.runId, "left");
  expect(steps.begun).toEqual(["left", "sink"]);
  expect(outputOf(state, "right")).toBe(1);
  expect(state.finished).toMatchObject({ outcome: "success", outputs: { all: "11" } });
});

test("the block may lie at any depth: what surrounds it is entered anew, and what is beside it there is reused", async () => {
  const inner = { blocks: [giving("one", 1), giving("two", 2), giving("three", "${blocks.two.value}")] };
  const { engine, steps } = createStepEngine({ workflows: { inner } });
  const outer = {
    blocks: [
      giving("beside", 0),
      call("nest", "inner", {}, { for_each: ["x", "y"] }),
      giving("after", "done", { depends_on: ["nest"] }),
    ],
  };
  const first = await engine.run(outer);
  steps.begun.length = 0;
  const state = await rerunToEnd(engine, first.state.started.runId, "nest/1/two");
  expect(steps.begun).toEqual(["nest/1/two", "nest/1/three", "after"]);
  expect(state.nodes.get("nest")?.record.outputs.count).toBe(2);
  expect(state.finished).toMatchObject({ outcome: "success" });
});

test("what a cancelled run did not get to by itself runs again, wherever it is", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [
      giving("before", 1),
      step("cancelled"),
      step("chosen"),
      ending("after", "succeed", { depends_on: ["cancelled"] }),
    ],
  });
  await run.idle();
  await run.cancel();
  await run.settled;
  steps.begun.length = 0;
  const again = await rerun(engine, run.runId, "chosen");
  const settled = again.settled();
  await run.idle();
  expect(steps.running).toEqual(["cancelled", "chosen"]);
  steps.succeed("cancelled");
  steps.succeed("chosen");
  await settled;
  expect(steps.begun).toEqual(["cancelled", "chosen", "after"]);
});

test("elements that a failed one kept from running run when that one runs again", async () => {
  const { engine, steps } = createStepEngine();
  const loop = step("loop", { for_each: ["a", "b", "c"], for_each_mode: "sequential", on_error: "stop" });
  const run = await engine.start({ blocks: [loop] });
  await run.idle();
  steps.succeed("loop/0");
  await run.idle();
  steps.fail("loop/1");
  expect((await run.settled).state.nodes.get("loop/2")?.record.metadata.status).toBe("skipped");
  steps.begun.length = 0;
  const again = await rerun(engine, run.runId, "loop/1");
  const settled = again.settled();
  await run.idle();
  steps.succeed("loop/1");
  await run.idle();
  steps.succeed("loop/2");
  expect(await settled).toBe("finished");
  expect(steps.begun).toEqual(["loop/1", "loop/2"]);
});

test("answers that were given are reused like other results", async () => {
  const { engine } = createStepEngine();
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Name?" } };
  const run = await engine.start({ blocks: [ask, giving("after", "${blocks.ask.response}")] });
  await run.settled;
  await run.answer("ask", "Ada");
  await run.goOn();
  const state = await rerunToEnd(engine, run.runId, "after");
  expect(outputOf(state, "after")).toBe("Ada");
});

test("an unknown block is refused with those that come near, and a run that is still driven with what to do", async () => {
  const { engine } = createStepEngine();
  const first = await engine.run(diamond);
  expect(await rerunHere(engine.engine, first.state.started.runId, { ...nobody, from: "lefd" })).toMatchObject({
    ok: false,
    error: [{ code: "unknown-block", fix: expect.stringContaining("left") }],
  });
  const running = await engine.start({ blocks: [step("a")] });
  await running.idle();
  expect(await rerunHere(engine.engine, running.runId, nobody)).toMatchObject({
    ok: false,
    error: [{ code: "still-running" }],
  });
});

test("what is entered anew has all its attempts before it, and begins with what its latest one had done", async () => {
  const child = { blocks: [ending("a", "succeed"), ending("x", "fail", { depends_on: ["a"] })] };
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const first = await engine.run({ blocks: [call("sub", "child", {}, { retry: { attempts: 2, delay: 0 } })] });
  expect(first.state.nodes.get("sub")?.record.metadata.attempts).toBe(2);
  steps.begun.length = 0;
  const state = await rerunToEnd(engine, first.state.started.runId, "sub/x");
  expect(steps.begun).toEqual(["sub/x", "sub/a", "sub/x"]);
  expect(state.nodes.get("sub")?.record.metadata.attempts).toBe(2);
});

test.each([
  { loop: "repeat", more: { repeat: { max: 4 } } },
  { loop: "a sequential loop", more: { for_each: [0, 1, 2, 3], for_each_mode: "sequential" } },
])("from a pass of $loop on, the passes after it run again too", async ({ more }) => {
  const { engine, steps } = createStepEngine();
  const first = await engine.run({ blocks: [giving("x", 1, more)] });
  steps.begun.length = 0;
  const state = await rerunToEnd(engine, first.state.started.runId, "x/2");
  expect(steps.begun).toEqual(["x/2", "x/3"]);
  expect(state.finished).toMatchObject({ outcome: "success" });
});

test("a time limit of an earlier attempt costs none of the results of the last one", async () => {
  const clock = createFakeClock();
  const workflows = { child: { blocks: [step("a"), step("b", { depends_on: ["a"] })] } };
  const { engine, steps } = createStepEngine({ clock, workflows });
  const retry = { attempts: 2, delay: 0, on: ["timeout"] };
  const first = await engine.start({ blocks: [call("n", "child", {}, { timeout: "5s", retry })] });
  await first.idle();
  clock.advance(5_000);
  await first.idle();
  steps.succeed("n/a", 2);
  await first.idle();
  steps.fail("n/b");
  await first.settled;
  steps.begun.length = 0;
  const again = await rerun(engine, first.runId, "n/b");
  const ended = again.settled();
  await first.idle();
  expect(steps.begun).toEqual(["n/b"]);
  steps.succeed("n/b");
  expect(await ended).toBe("finished");
});

test("finally runs anew in every workflow that runs again, and is reused in one that does not", async () => {
  const tidy = { blocks: [giving("x", 1)], finally: [giving("tidy", 2)] };
  const { engine, steps } = createStepEngine({ workflows: { around: tidy, beside: tidy } });
  const first = await engine.run({
    blocks: [call("around", "around"), call("beside", "beside"), giving("after", 3, { depends_on: ["around"] })],
    finally: [giving("clean", "${run.status}")],
  });
  steps.begun.length = 0;
  const again = await rerunToEnd(engine, first.state.started.runId, "around/x");
  expect(steps.begun).toEqual(["around/x", "around/tidy", "after", "clean"]);
  expect([outputOf(again, "beside/tidy"), outputOf(again, "clean")]).toEqual([2, "success"]);
  steps.begun.length = 0;
  await rerunToEnd(engine, first.state.started.runId, "clean");
  expect(steps.begun).toEqual(["clean"]);
});

test("what depends on the block that a rerun begins with runs, also when something around that block runs every time", async () => {
  const { engine, steps } = createStepEngine();
  const first = await engine.run({
    blocks: [
      { id: "group", blocks: [giving("a", 1), giving("b", 2)], reuse: false },
      giving("after", 3, { depends_on: ["group"] }),
    ],
  });
  steps.begun.length = 0;
  await rerunToEnd(engine, first.state.started.runId, "group/b");
  expect(steps.begun).toEqual(["group/a", "group/b", "after"]);
});

test("what was tried in vain, and was allowed to fail, is not tried again when nothing in it has changed", async () => {
  const { engine, steps } = createStepEngine();
  const group = { id: "group", blocks: [giving("a", 1), ending("b", "fail")], retry: { attempts: 3, delay: 0 } };
  const first = await engine.run({ blocks: [{ ...group, allow_failure: true }, giving("after", 1)] });
  expect(steps.begun.filter((path) => path === "group/b")).toHaveLength(3);
  steps.begun.length = 0;
  const begun = await rerunHere(engine.engine, first.state.started.runId, nobody);
  if (!begun.ok) throw new Error("It is refused.");
  await begun.value.run.settled();
  expect(steps.begun).toEqual([]);
});

test("what had nothing to do does not let finally run again", async () => {
  const { engine, steps } = createStepEngine();
  const empty = giving("empty", 1, { for_each: [] });
  const group = { id: "group", blocks: [giving("skipped", 1, { condition: "1 == 2" })] };
  const first = await engine.run({ blocks: [giving("x", 1), empty, group], finally: [giving("tidy", 2)] });
  steps.begun.length = 0;
  const begun = await rerunHere(engine.engine, first.state.started.runId, nobody);
  if (!begun.ok) throw new Error("It is refused.");
  await begun.value.run.settled();
  expect(steps.begun).toEqual([]);
  expect(await begun.value.run.inspect(isNothingRun)).toBe(true);
});

test("a rerun from a block inside a group keeps what ended beside and before it, and enters the group anew", async () => {
  const { engine, steps } = createStepEngine();
  const inner = [
    giving("a", "${blocks.source.value}${each.value}"),
    giving("b", "${blocks.a.value}!", { depends_on: ["a"] }),
    giving("c", 3),
  ];
  const first = await engine.run({
    blocks: [
      giving("source", 1),
      { id: "g", blocks: inner, for_each: ["x", "y"], outputs: { b: "${blocks.b.value}" }, depends_on: ["source"] },
      giving("sink", "${blocks.g.results}", { depends_on: ["g"] }),
    ],
    outputs: { sink: "${blocks.sink.value}" },
  });
  steps.begun.length = 0;
  const state = await rerunToEnd(engine, first.state.started.runId, "g/1/a");
  expect(steps.begun).toEqual(["g/1/a", "g/1/b", "sink"]);
  expect(state.finished).toMatchObject({ outcome: "success", outputs: { sink: [{ b: "1x!" }, { b: "1y!" }] } });
  steps.begun.length = 0;
  await rerunToEnd(engine, first.state.started.runId, "source");
  expect(steps.begun).toHaveLength(8);
});

test("what is reused keeps its times and says so; what is entered anew takes the time that it takes in the new run", async () => {
  const clock = createFakeClock();
  const workflows = { child: { blocks: [step("a"), step("b", { depends_on: ["a"] })] } };
  const { engine, steps } = createStepEngine({ clock, workflows });
  const first = await engine.start({ blocks: [step("before"), call("nest", "child", {}, { depends_on: ["before"] })] });
  for (const path of ["before", "nest/a", "nest/b"]) {
    await first.idle();
    clock.advance(60_000);
    steps.succeed(path);
  }
  const { state: old } = await first.settled;
  clock.advance(3_600_000);
  const again = await rerun(engine, first.runId, "nest/b");
  const settled = again.settled();
  await first.idle();
  clock.advance(2_000);
  steps.succeed("nest/b");
  await settled;
  const state = await again.inspect((now) => now);
  const metadataOf = (path: string): unknown => state.nodes.get(path)?.record.metadata;
  for (const path of ["before", "nest/a"]) {
    expect(metadataOf(path)).toEqual({ ...old.nodes.get(path)?.record.metadata, reused: true });
  }
  for (const path of ["nest", "nest/b"]) {
    expect(metadataOf(path)).toMatchObject({ started_at: state.started.at, execution_time_ms: 2_000 });
    expect(metadataOf(path)).not.toHaveProperty("reused");
  }
  expect(state.root.record.metadata.execution_time_ms).toBe(2_000);
});
