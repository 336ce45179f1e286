import { expect, test } from "vitest";
import { createFakeClock } from "../rig/fake-clock.ts";
import { HeldJournal } from "../rig/held-journal.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, step } from "../rig/step-engine.ts";

const child = { blocks: [step("x"), step("y")] };
const loop = call("loop", "child", {}, { for_each: [0, 1], max_parallel: 1 });

test("a pass that gets its place in the loop back goes on with everything that was answered in it", async () => {
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({ blocks: [loop] });
  await run.idle();
  steps.pause("loop/0/x");
  steps.pause("loop/0/y");
  await run.idle();
  expect(steps.running).toEqual(["loop/1/x", "loop/1/y"]);
  await run.answer("loop/0/x", "yes");
  await run.answer("loop/0/y", "yes");
  await run.idle();
  expect(steps.running).toEqual(["loop/1/x", "loop/1/y"]);
  steps.succeed("loop/1/x");
  steps.pause("loop/1/y");
  await run.idle();
  expect(steps.running).toEqual(["loop/0/x", "loop/0/y"]);
});

test("the time limit of a pass stands still while it waits for its place in the loop", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ clock, workflows: { child: { ...child, timeout: "1h" } } });
  const run = await engine.start({ blocks: [loop] });
  await run.idle();
  clock.advance(1_800_000);
  steps.pause("loop/0/x");
  steps.pause("loop/0/y");
  await run.idle();
  await run.answer("loop/0/x", "yes");
  await run.idle();
  clock.advance(2_700_000);
  await run.idle();
  steps.succeed("loop/1/x");
  steps.succeed("loop/1/y");
  await run.idle();
  expect(steps.running).toEqual(["loop/0/x"]);
  clock.advance(1_790_000);
  await run.idle();
  expect(steps.running).toEqual(["loop/0/x"]);
  clock.advance(20_000);
  await run.idle();
  expect(run.state.nodes.get("loop/0")?.record.metadata.message).toBe("ran longer than its limit of 1h 0m");
});

test("a pass that times out in the moment of its pause ends although its place in the loop is taken", async () => {
  const clock = createFakeClock();
  const held = new HeldJournal();
  const workflows = { child: { ...child, timeout: "1h" } };
  const { engine, steps } = createStepEngine({ machine: createMachine(held.journal), clock, workflows });
  const run = await engine.start({ blocks: [loop, step("other")] });
  await run.idle();
  held.hold("append");
  steps.succeed("other");
  await run.idle();
  steps.pause("loop/0/x");
  steps.pause("loop/0/y");
  await run.idle();
  clock.advance(3_600_000);
  held.letGo();
  await run.idle();
  expect(steps.running).toEqual(["loop/1/x", "loop/1/y"]);
  expect(run.state.questions.size).toBe(0);
  expect(run.state.nodes.get("loop/0")?.record.metadata).toMatchObject({
    status: "failed",
    message: "ran longer than its limit of 1h 0m",
  });
});

test("the elements that a stopped loop has not begun are skipped at once, whatever still runs in it", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [step("loop", { for_each: [0, 1, 2, 3], max_parallel: 1, on_error: "stop" })],
  });
  await run.idle();
  steps.pause("loop/0");
  await run.idle();
  await run.answer("loop/0", "yes");
  steps.fail("loop/1");
  await run.idle();
  expect(steps.running).toEqual(["loop/0"]);
  const { blocks } = run.state.root.record.blocks.loop ?? {};
  expect(["2", "3"].map((key) => blocks?.[key]?.metadata.status)).toEqual(["skipped", "skipped"]);
});

test("a question withdrawn after a take-over does not let more passes go on than its loop allows", async () => {
  const workflows = {
    outer: { blocks: [call("inner", "inner", {}, { for_each: [0, 1], max_parallel: 1 })] },
    inner: { blocks: [step("x"), step("y", { depends_on: ["x"], condition: "${blocks.x.failed}" })] },
  };
  const machine = createMachine();
  const first = createStepEngine({ machine, workflows });
  const started = await first.engine.start({
    blocks: [call("loop", "outer", {}, { for_each: [0, 1], max_parallel: 2, on_error: "stop" })],
  });
  await started.idle();
  first.steps.pause("loop/0/inner/0/x");
  await started.idle();
  for (const pass of ["loop/1/inner/0", "loop/1/inner/1"]) {
    first.steps.crash(`${pass}/x`);
    await started.idle();
    first.steps.succeed(`${pass}/y`);
    await started.idle();
  }
  expect(first.steps.running).toEqual(["loop/0/inner/1/x"]);
  first.engine.process.die();

  const { engine, steps } = createStepEngine({ machine, workflows });
  const run = await engine.takeOver(started.runId);
  await run.idle();
  expect(steps.running).toEqual(["loop/0/inner/1/x"]);
  steps.succeed("loop/0/inner/1/x");
  await run.idle();
  expect(steps.running).toEqual(["loop/0/inner/0/y"]);
});

test.each(["asleep", "awake"])(
  "a run is cancelled in order while a repeated block is %s and has lost its place in a loop",
  async (how) => {
    const clock = createFakeClock();
    const child = { blocks: [step("again", { repeat: { max: 3, delay: "1s" } })], finally: [step("tidy")] };
    const { engine, steps } = createStepEngine({ clock, workflows: { child } });
    const run = await engine.start({ blocks: [call("loop", "child", {}, { for_each: [1, 2], max_parallel: 1 })] });
    await run.idle();
    steps.succeed("loop/0/again/0");
    await run.idle();
    expect(steps.running).toEqual(["loop/1/again/0"]);
    if (how === "awake") clock.advance(1000);
    await run.idle();
    await run.cancel();
    await run.idle();
    for (const pass of ["loop/1", "loop/0"]) {
      expect(steps.running).toEqual([`${pass}/tidy`]);
      steps.succeed(`${pass}/tidy`);
      await run.idle();
    }
    const { state } = await run.settled;
    expect(state.finished).toMatchObject({ status: "failed", message: "cancelled" });
  },
);
