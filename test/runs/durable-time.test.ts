import { beforeEach, expect, test } from "vitest";
import type { TestRun } from "../rig/engine.ts";
import { createFakeClock, type FakeClock } from "../rig/fake-clock.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, step } from "../rig/step-engine.ts";

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

const hour = 3_600_000;
const workflows = { child: { timeout: "1h", blocks: [step("x"), step("y", { depends_on: ["x"] })] } };

function messageOf(run: TestRun, path: string): string | null | undefined {
  return run.state.nodes.get(path)?.record.metadata.message;
}

/** Lets the time pass to just before the limit, then over it. */
async function expectLimitAfter(ms: number, run: TestRun, path: string): Promise<void> {
  clock.advance(ms - 1000);
  await run.idle();
  expect(messageOf(run, path)).toBeNull();
  clock.advance(2000);
  await run.idle();
  expect(messageOf(run, path)).toBe("ran longer than its limit of 1h 0m");
}

test("a time limit counts on over a pause that another process ends", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine, clock, workflows });
  const started = await first.engine.start({ blocks: [call("n", "child")] });
  await started.idle();
  clock.advance(0.75 * hour);
  first.steps.pause("n/x");
  await started.settled;
  clock.advance(100 * hour);
  const { engine } = createStepEngine({ machine, clock, workflows });
  const run = await engine.takeOver(started.runId);
  await run.settled;
  await run.answer("n/x", "yes");
  await run.idle();
  await expectLimitAfter(0.25 * hour, run, "n");
});

test.each([
  { limit: "of a workflow", root: { blocks: [call("n", "child")] }, path: "n" },
  { limit: "of a block", root: { blocks: [call("n", "free", {}, { timeout: "1h" })] }, path: "n" },
  { limit: "of the run", root: { timeout: "1h", blocks: [call("n", "free")] }, path: "" },
])(
  "a time limit $limit counts what was used before the engine died, up to the last that is known",
  async ({ root, path }) => {
    const library = { ...workflows, free: { blocks: workflows.child.blocks } };
    const machine = createMachine();
    const first = createStepEngine({ machine, clock, workflows: library });
    const started = await first.engine.start(root);
    await started.idle();
    clock.advance(0.75 * hour);
    first.steps.succeed("n/x");
    await started.idle();
    first.engine.process.die();
    clock.advance(100 * hour);
    const { engine, steps } = createStepEngine({ machine, clock, workflows: library });
    const run = await engine.takeOver(started.runId);
    await run.idle();
    expect(steps.running).toEqual(["n/y"]);
    await expectLimitAfter(0.25 * hour, run, path);
  },
);

test("the time in which nobody drove the run counts for nothing, in any later process", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine, clock, workflows });
  const started = await first.engine.start({ blocks: [call("n", "child"), step("other")] });
  await started.idle();
  clock.advance(0.25 * hour);
  first.steps.succeed("other");
  await started.idle();
  first.engine.process.die();
  clock.advance(100 * hour);

  const second = createStepEngine({ machine, clock, workflows });
  const next = await second.engine.takeOver(started.runId);
  await next.idle();
  clock.advance(0.25 * hour);
  await next.idle();
  expect(second.steps.running).toEqual(["n/x"]);
  second.steps.succeed("n/x");
  await next.idle();
  second.engine.process.die();
  clock.advance(100 * hour);

  const third = createStepEngine({ machine, clock, workflows });
  const run = await third.engine.takeOver(started.runId);
  await run.idle();
  expect(messageOf(run, "n")).toBeNull();
  expect(third.steps.running).toEqual(["n/y"]);
  clock.advance(0.4 * hour);
  await run.idle();
  expect(third.steps.running).toEqual(["n/y"]);
  clock.advance(0.4 * hour);
  await run.idle();
  expect(messageOf(run, "n")).toBe("ran longer than its limit of 1h 0m");
});

test("the time in which nobody drove the run counts for nothing, also when another block begins first", async () => {
  const child = { timeout: "1h", max_parallel: 1, blocks: [step("a", { depends_on: ["z"] }), step("z"), step("b")] };
  const machine = createMachine();
  const first = createStepEngine({ machine, clock, workflows: { child } });
  const started = await first.engine.start({ blocks: [call("n", "child")] });
  await started.idle();
  first.steps.succeed("n/z");
  await started.idle();
  expect(first.steps.running).toEqual(["n/b"]);
  first.engine.process.die();
  clock.advance(100 * hour);

  const second = createStepEngine({ machine, clock, workflows: { child } });
  const next = await second.engine.takeOver(started.runId);
  await next.idle();
  expect(second.steps.running).toHaveLength(1);
  second.engine.process.die();

  const third = createStepEngine({ machine, clock, workflows: { child } });
  const run = await third.engine.takeOver(started.runId);
  await run.idle();
  clock.advance(0.9 * hour);
  await run.idle();
  expect(third.steps.running).toHaveLength(1);
});

test("a limit that waits with its workflow stands still in the process that takes the run over", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine, clock, workflows });
  const started = await first.engine.start({ blocks: [call("n", "child"), step("busy")] });
  await started.idle();
  first.steps.pause("n/x");
  await started.idle();
  first.engine.process.die();
  const { engine, steps } = createStepEngine({ machine, clock, workflows });
  const run = await engine.takeOver(started.runId);
  await run.idle();
  clock.advance(100 * hour);
  await run.idle();
  expect(messageOf(run, "n")).toBeNull();
  await run.answer("n/x", "yes");
  await run.idle();
  expect(steps.running).toEqual(["busy", "n/x"]);
  await expectLimitAfter(hour, run, "n");
});

test("a workflow that was being ended when the engine died is ended by the next", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine, clock, workflows });
  const started = await first.engine.start({ blocks: [call("n", "child"), step("other")] });
  await started.idle();
  first.engine.process.doom("after-append");
  clock.advance(hour);
  await started.idle();
  expect(first.engine.process.isDead).toBe(true);
  const { engine, steps } = createStepEngine({ machine, clock, workflows });
  const run = await engine.takeOver(started.runId);
  await run.idle();
  expect(steps.running).toEqual(["other"]);
  expect(messageOf(run, "n")).toBe("ran longer than its limit of 1h 0m");
  expect(messageOf(run, "n/x")).toBe("cancelled, because 'n' ran longer than its limit of 1h 0m");
  expect(run.state.nodes.get("n/y")?.record.metadata.skipped).toBe(true);
});

test("the time of a block is that of its attempts, not that in which nobody ran it", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine, clock, workflows });
  const started = await first.engine.start({ blocks: [step("a"), step("b")] });
  await started.idle();
  clock.advance(2000);
  first.steps.pause("a");
  await started.idle();
  first.engine.process.die();
  clock.advance(100 * hour);
  const { engine, steps } = createStepEngine({ machine, clock, workflows });
  const run = await engine.takeOver(started.runId);
  await run.idle();
  await run.answer("a", "yes");
  await run.idle();
  clock.advance(3000);
  steps.succeed("a");
  steps.succeed("b");
  const { state } = await run.settled;
  expect(state.root.record.blocks.a?.metadata.execution_time_ms).toBe(5000);
  expect(state.root.record.blocks.b?.metadata.execution_time_ms).toBe(3000);
});

test.each(["done", "fail"])("a block that is ended by a decision (%s) took no time for it", async (decision) => {
  const machine = createMachine();
  const first = createStepEngine({ machine, clock, workflows });
  const started = await first.engine.start({ blocks: [step("a", { on_interrupted: "ask" })] });
  await started.idle();
  first.engine.process.die();
  clock.advance(100 * hour);
  const { engine } = createStepEngine({ machine, clock, workflows });
  const run = await engine.takeOver(started.runId);
  await run.settled;
  clock.advance(100 * hour);
  await run.answer("a", decision);
  const { state } = await run.goOn();
  expect(state.root.record.blocks.a?.metadata.execution_time_ms).toBe(0);
});

test("a question that is withdrawn adds nothing to the time of its block", async () => {
  const { engine, steps } = createStepEngine({ clock, workflows });
  const run = await engine.start({ blocks: [step("a"), step("busy")] });
  await run.idle();
  clock.advance(2000);
  steps.pause("a");
  await run.idle();
  clock.advance(hour);
  await run.cancel();
  const { state } = await run.settled;
  expect(state.root.record.blocks.a?.metadata.execution_time_ms).toBe(2000);
});
