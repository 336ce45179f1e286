import { expect, test } from "vitest";
import type { TestEngine } from "../rig/engine.ts";
import { call, createStepEngine, ending, step } from "../rig/step-engine.ts";
import { Steps } from "../rig/steps.ts";

test("a block starts the moment its own dependencies are done, whatever else of their wave still runs", async () => {
  const { steps, engine } = createStepEngine();
  const run = await engine.start({
    blocks: [
      step("quick"),
      step("slow"),
      step("after", { depends_on: ["quick"] }),
      step("later", { depends_on: ["after"] }),
    ],
  });
  await run.idle();
  expect(steps.running).toEqual(["quick", "slow"]);
  steps.succeed("quick");
  await run.idle();
  expect(steps.running).toEqual(["slow", "after"]);
  steps.succeed("after");
  await run.idle();
  expect(steps.running).toEqual(["slow", "later"]);
  steps.succeed("later");
  steps.succeed("slow");
  const { state } = await run.settled;
  const waves = Object.values(state.root.record.blocks).map(({ metadata }) => metadata.wave);
  expect(waves).toEqual([0, 0, 1, 2]);
  expect(state.root.record.metadata.execution_waves).toBe(3);
});

test("a block inside a nested workflow starts as soon as its own dependencies there are done", async () => {
  const { steps, engine } = createStepEngine({
    workflows: { child: { blocks: [step("one"), step("two", { depends_on: ["one"] })] } },
  });
  const run = await engine.start({ blocks: [step("beside"), call("nested", "child")] });
  await run.idle();
  expect(steps.running).toEqual(["beside", "nested/one"]);
  steps.succeed("nested/one");
  await run.idle();
  expect(steps.running).toEqual(["beside", "nested/two"]);
});

test("no more blocks run than max_parallel of the run, in the order of the file", async () => {
  const { steps, engine } = createStepEngine();
  const blocks = ["a", "b", "c", "d"].map((id) => step(id));
  const run = await engine.start({ max_parallel: 2, blocks });
  await run.idle();
  expect(steps.running).toEqual(["a", "b"]);
  steps.succeed("b");
  await run.idle();
  expect(steps.running).toEqual(["a", "c"]);
  expect(steps.mostRunning).toBe(2);
});

test("max_parallel said when starting wins over the one in the file", async () => {
  const { steps, engine } = createStepEngine();
  const run = await engine.start(
    { max_parallel: 1, blocks: ["a", "b", "c"].map((id) => step(id)) },
    { maxParallel: 2 },
  );
  await run.idle();
  expect(steps.running).toEqual(["a", "b"]);
});

test("max_parallel of a nested workflow limits what is inside it and nothing else", async () => {
  const { steps, engine } = createStepEngine({
    workflows: { child: { max_parallel: 1, blocks: [step("one"), step("two")] } },
  });
  const run = await engine.start({ blocks: [call("first", "child"), call("second", "child"), step("beside")] });
  await run.idle();
  expect(steps.running.toSorted()).toEqual(["beside", "first/one", "second/one"]);
  steps.succeed("first/one");
  await run.idle();
  expect(steps.running.toSorted()).toEqual(["beside", "first/two", "second/one"]);
});

test("max_parallel of a loop limits its passes and nothing else", async () => {
  const { steps, engine } = createStepEngine();
  const run = await engine.start({
    blocks: [step("loop", { for_each: [1, 2, 3, 4], max_parallel: 3 }), step("beside")],
  });
  await run.idle();
  expect(steps.running.toSorted()).toEqual(["beside", "loop/0", "loop/1", "loop/2"]);
  steps.succeed("loop/1");
  await run.idle();
  expect(steps.running.toSorted()).toEqual(["beside", "loop/0", "loop/2", "loop/3"]);
});

test("only leaves hold places, so nested loops in a run with one place come to their end", async () => {
  const { steps, engine } = createStepEngine({
    workflows: {
      outer: { max_parallel: 1, blocks: [call("inner", "inner", {}, { for_each: [1, 2], max_parallel: 1 })] },
      inner: { max_parallel: 1, blocks: [step("work", { for_each: [1, 2], inputs: { ends: "succeed" } })] },
    },
  });
  const { response } = await engine.run({
    max_parallel: 1,
    blocks: [call("loop", "outer", {}, { for_each: [1, 2, 3] })],
  });
  expect(response.status).toBe("success");
  expect(steps.begun).toHaveLength(12);
  expect(steps.mostRunning).toBe(1);
});

test("a place given up by a block whose condition is false goes to the next that waits", async () => {
  const { steps, engine } = createStepEngine();
  const run = await engine.start({
    max_parallel: 1,
    blocks: [
      step("a"),
      step("no", { condition: "false" }),
      step("b"),
      step("wrong", { condition: "${blocks.a.error}" }),
      step("c"),
    ],
  });
  await run.idle();
  steps.succeed("a");
  await run.idle();
  expect(steps.running).toEqual(["b"]);
  steps.succeed("b");
  await run.idle();
  expect(steps.running).toEqual(["c"]);
});

test("a place that one block can't use, because of another limit, goes to the next that can", async () => {
  const { steps, engine } = createStepEngine({
    workflows: { narrow: { max_parallel: 1, blocks: [step("a"), step("b")] }, wide: { blocks: [step("x")] } },
  });
  const run = await engine.start({
    max_parallel: 2,
    blocks: [step("p"), step("q"), call("narrow", "narrow"), call("wide", "wide")],
  });
  await run.idle();
  steps.succeed("p");
  await run.idle();
  expect(steps.running).toEqual(["q", "narrow/a"]);
  steps.succeed("q");
  await run.idle();
  expect(steps.running).toEqual(["narrow/a", "wide/x"]);
});

test("who waits for a place of the whole run is not overtaken by a nested workflow with a limit of its own", async () => {
  const { steps, engine } = createStepEngine({
    workflows: {
      narrow: { max_parallel: 1, blocks: ["a", "b", "c", "d"].map((id) => step(id)) },
      wide: { blocks: [call("deep", "deep")] },
      deep: { blocks: [step("x")] },
    },
  });
  const run = await engine.start({ max_parallel: 1, blocks: [call("narrow", "narrow"), call("wide", "wide")] });
  await run.idle();
  expect(steps.running).toEqual(["narrow/a"]);
  steps.succeed("narrow/a");
  await run.idle();
  expect(steps.running).toEqual(["wide/deep/x"]);
});

test("a paused block gives its place to others, and takes one again when it goes on", async () => {
  const { steps, engine } = createStepEngine();
  const run = await engine.start({ max_parallel: 1, blocks: [step("asks"), step("works")] });
  await run.idle();
  steps.pause("asks");
  await run.idle();
  expect(steps.running).toEqual(["works"]);
  await run.answer("asks", "yes");
  await run.idle();
  expect(steps.running).toEqual(["works"]);
  steps.succeed("works");
  await run.idle();
  expect(steps.running).toEqual(["asks"]);
  expect(steps.answer("asks")).toBe("yes");
  steps.succeed("asks");
  expect((await run.settled).response.status).toBe("success");
  expect(steps.mostRunning).toBe(1);
});

test("a block that waits for a process leaves its place to one that needs none", async () => {
  const { commands, steps, engine } = createCommandEngine();
  const run = await engine.start({ max_parallel: 2, blocks: [command("first"), command("second"), step("other")] });
  await run.idle();
  expect([commands.running, steps.running]).toEqual([["first"], ["other"]]);
  steps.succeed("other");
  commands.succeed("first");
  await run.idle();
  expect(commands.running).toEqual(["second"]);
  commands.succeed("second");
  expect((await run.settled).response.status).toBe("success");
});

/** An engine with a type that starts commands, which the test releases like steps, and room for one of them. */
function createCommandEngine(): { commands: Steps; steps: Steps; engine: TestEngine } {
  const commands = new Steps();
  return { commands, ...createStepEngine({ types: [commands.command], maxProcesses: 1 }) };
}

function command(id: string, more: object = {}): object {
  return { id, type: "Command", ...more };
}

test("a block that is not to run waits neither for a place nor for a process", async () => {
  const { commands, steps, engine } = createCommandEngine();
  const run = await engine.start({
    max_parallel: 2,
    blocks: [
      command("busy"),
      command("never", { condition: "false" }),
      step("after", { depends_on: [{ block: "never", required: false }] }),
    ],
  });
  await run.idle();
  expect(run.state.root.record.blocks.never?.metadata.status).toBe("skipped");
  expect(steps.running).toEqual(["after"]);
  steps.succeed("after");
  commands.succeed("busy");
  expect((await run.settled).response.status).toBe("success");
});

test("a command that waits for a place does not keep another one from the process it can't use", async () => {
  const commands = new Steps();
  const child = { max_parallel: 1, blocks: [command("waits"), step("holds")] };
  const { steps, engine } = createStepEngine({ types: [commands.command], maxProcesses: 1, workflows: { child } });
  const run = await engine.start({
    blocks: [command("first"), call("nested", "child"), command("last", { depends_on: ["gate"] }), step("gate")],
  });
  await run.idle();
  expect([commands.running, steps.running.sort()]).toEqual([["first"], ["gate", "nested/holds"]]);
  commands.succeed("first");
  await run.idle();
  steps.succeed("gate");
  await run.idle();
  expect(commands.running).toEqual(["last"]);
  steps.succeed("nested/holds");
  commands.succeed("last");
  await run.idle();
  commands.succeed("nested/waits");
  expect((await run.settled).response.status).toBe("success");
});

test.each([
  ["is skipped by its condition", command("odd", { condition: "false" })],
  ["crashes on its condition", command("odd", { condition: "1 / 0 == 1" })],
  ["crashes on its inputs", command("odd", { inputs: { value: "${from_json('{')}" } })],
])("the process of a block that %s is free for the next", async (_, odd) => {
  const { commands, engine } = createCommandEngine();
  const run = await engine.start({ blocks: [odd, command("next")] });
  await run.idle();
  expect(commands.running).toEqual(["next"]);
  commands.succeed("next");
  await run.settled;
});

test("a run that is cancelled does not wait for a process that another run holds", async () => {
  const { commands, engine } = createCommandEngine();
  const other = await engine.start({ blocks: [command("busy")] });
  await other.idle();
  const run = await engine.start({ blocks: [command("waits")] });
  await run.idle();
  await run.cancel();
  const { state } = await run.settled;
  expect(state.root.record.blocks.waits?.metadata.status).toBe("skipped");
  commands.succeed("busy");
  expect((await other.settled).response.status).toBe("success");
});

test("however many wait for a run, it is driven once", async () => {
  const { steps, engine } = createStepEngine();
  const run = await engine.start({ blocks: [step("a")] });
  await run.idle();
  const second = run.goOn();
  steps.succeed("a");
  expect((await second).response.status).toBe("success");
  expect((await run.settled).response.status).toBe("success");
  expect(steps.begun).toEqual(["a"]);
});

/** Of the process, so that nothing depends on what else the machine does. */
function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}

const many = 10_000;
/** Ten times as much as it takes; with a cost that grew with the number of blocks it would take minutes. */
const generousMs = 30_000;

test.each([
  { shape: "flat", more: (): object => ({}) },
  { shape: "a chain", more: (index: number): object => (index === 0 ? {} : { depends_on: [`b${index - 1}`] }) },
])("ten thousand blocks, $shape, cost two events each and end quickly", async ({ more }) => {
  const { engine } = createStepEngine();
  const blocks = Array.from({ length: many }, (_, index) => ending(`b${index}`, "succeed", more(index)));
  const run = await engine.start({ blocks });
  const before = process.cpuUsage();
  const { response, events } = await run.settled;
  expect(microseconds(process.cpuUsage(before)) / 1000).toBeLessThan(generousMs);
  expect(response.status).toBe("success");
  expect(events).toHaveLength(2 * many + 2);
});
