import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BlockType } from "../../src/block/define-block.ts";
import type { Metadata } from "../../src/engine/execution.ts";
import type { Outcome } from "../rig/engine.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { call, createStepEngine, giving, step } from "../rig/step-engine.ts";
import { Steps } from "../rig/steps.ts";

// Only the two that measure: what the engine waits for otherwise must go on as it is.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function metadataOf({ state }: Outcome, path: string): Metadata {
  const node = state.nodes.get(path);
  if (node === undefined) throw new Error(`There is nothing at ${path}.`);
  return node.record.metadata;
}

const child = { blocks: [step("x"), step("y", { depends_on: ["x"] })] };

test("cancel: running blocks are told to stop, the rest is skipped, questions are withdrawn, the run ends as cancelled", async () => {
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({
    blocks: [
      step("runs"),
      step("asks"),
      step("waits", { depends_on: ["runs"] }),
      call("nested", "child"),
      step("loop", { for_each: [1, 2, 3], max_parallel: 1 }),
      giving("done", 1),
    ],
    outputs: { done: "${blocks.done.value}" },
  });
  await run.idle();
  steps.pause("asks");
  await run.idle();
  await run.cancel();
  const outcome = await run.settled;
  expect(outcome.response).toMatchObject({
    status: "failure",
    error: "cancelled",
    cancelled: true,
    outputs: { done: 1 },
  });
  expect(outcome.state.finished).toMatchObject({ status: "failed", outcome: "n/a", message: "cancelled" });
  expect(steps.running).toEqual([]);
  const shown = ["runs", "asks", "waits", "nested", "nested/x", "nested/y", "loop", "loop/0", "loop/2", "done"].map(
    (path) => `${path}: ${metadataOf(outcome, path).status} ${metadataOf(outcome, path).message ?? ""}`.trim(),
  );
  expect(shown).toEqual([
    "runs: failed cancelled",
    "asks: failed cancelled",
    "waits: skipped Not started: cancelled.",
    "nested: failed cancelled",
    "nested/x: failed cancelled",
    "nested/y: skipped Not started: cancelled.",
    "loop: failed cancelled",
    "loop/0: failed cancelled",
    "loop/2: skipped Not started: cancelled.",
    "done: completed",
  ]);
});

test("what was cancelled before anything in it had begun did not succeed", async () => {
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({
    max_parallel: 1,
    blocks: [step("first"), call("nested", "child"), step("loop", { for_each: [1] })],
  });
  await run.idle();
  expect(steps.running).toEqual(["first"]);
  await run.cancel();
  const outcome = await run.settled;
  for (const path of ["nested", "loop"]) {
    expect(metadataOf(outcome, path)).toMatchObject({ status: "failed", outcome: "n/a", message: "cancelled" });
  }
});

test("a run that waits for answers can be cancelled", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({ blocks: [step("a"), step("b", { depends_on: ["a"] })] });
  await run.idle();
  steps.pause("a");
  expect((await run.settled).response.status).toBe("paused");
  await run.cancel();
  const outcome = await run.goOn();
  expect(outcome.response).toMatchObject({ status: "failure", cancelled: true });
  expect(metadataOf(outcome, "a").message).toBe("cancelled");
});

test("a block that starts in the moment of cancelling is told to stop", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start(
    { blocks: [step("first"), step("second", { depends_on: ["first"] })] },
    {
      onEvents(events) {
        if (events.some((event) => "path" in event && event.path === "second")) void run.cancel();
      },
    },
  );
  await run.idle();
  steps.succeed("first");
  const outcome = await run.settled;
  expect(outcome.response).toMatchObject({ status: "failure", cancelled: true });
  expect(metadataOf(outcome, "second").message).toBe("cancelled");
});

test("cancelling twice, or after the end, changes nothing", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({ blocks: [step("a")] });
  await run.idle();
  await run.cancel();
  await run.cancel("again");
  const { events, response } = await run.settled;
  await run.cancel("too late");
  expect(events.filter(({ type }) => type === "run-cancelling")).toHaveLength(1);
  expect(response.error).toBe("cancelled");
  expect(steps.begun).toEqual(["a"]);
});

test("an answer in the moment of cancelling does not bring the block back", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({ blocks: [step("a"), step("busy")] });
  await run.idle();
  steps.pause("a");
  await run.idle();
  const answering = run.answer("a", "yes");
  await run.cancel();
  await answering;
  const outcome = await run.settled;
  expect(metadataOf(outcome, "a").message).toBe("cancelled");
  expect(steps.begun).toEqual(["a", "busy"]);
  expect(outcome.events.map(({ type }) => type)).not.toContain("block-resumed");
});

test("a block that takes longer than its timeout is stopped and FAILS, and the others go on", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [step("slow", { timeout: 2 }), step("other"), step("after", { depends_on: ["slow"] })],
  });
  await run.idle();
  vi.advanceTimersByTime(1_999);
  await run.idle();
  expect(steps.running).toContain("slow");
  vi.advanceTimersByTime(1);
  await run.idle();
  expect(steps.running).toEqual(["other"]);
  steps.succeed("other");
  const outcome = await run.settled;
  expect(metadataOf(outcome, "slow")).toMatchObject({
    status: "failed",
    outcome: "n/a",
    message: "ran longer than its limit of 2s",
  });
  expect(metadataOf(outcome, "after").skipped).toBe(true);
});

test.each([
  { written: { timeout: "500ms" }, ms: 500, says: "500ms" },
  { written: { timeout: "${inputs.limit}" }, ms: 1_500, says: "1.5s" },
  { written: { timeout: "2m" }, ms: 120_000, says: "2m 0s" },
  { written: { timeout: "30h" }, ms: 108_000_000, says: "30h 0m" },
  { written: { timeout: "600h" }, ms: 2_160_000_000, says: "600h 0m" },
])("a timeout written as $written ends the block after $ms ms", async ({ written, ms, says }) => {
  const { engine, steps } = createStepEngine();
  const inputs = { limit: { type: "json", default: 1.5, description: "?" } };
  const run = await engine.start({ inputs, blocks: [step("slow", written)] });
  await run.idle();
  vi.advanceTimersByTime(ms - 1);
  await run.idle();
  expect(steps.running).toEqual(["slow"]);
  vi.advanceTimersByTime(2);
  expect(metadataOf(await run.settled, "slow").message).toBe(`ran longer than its limit of ${says}`);
});

test.each([{ timeout: 1 }, { inputs: { workflow: "child", timeout_ms: 1_000 } }])(
  "a timeout on a block that runs a workflow ends everything in it: %j",
  async (more) => {
    const { engine, steps } = createStepEngine({ workflows: { child } });
    const run = await engine.start({ blocks: [call("nested", "child", {}, more), step("beside")] });
    await run.idle();
    expect(steps.running).toEqual(["beside", "nested/x"]);
    vi.advanceTimersByTime(1_000);
    await run.idle();
    expect(steps.running).toEqual(["beside"]);
    steps.succeed("beside");
    const outcome = await run.settled;
    expect(metadataOf(outcome, "nested")).toMatchObject({
      status: "failed",
      message: "ran longer than its limit of 1s",
    });
    expect(metadataOf(outcome, "nested/x").message).toBe("cancelled, because 'nested' ran longer than its limit of 1s");
    expect(metadataOf(outcome, "nested/y").message).toBe(
      "Not started: cancelled, because 'nested' ran longer than its limit of 1s.",
    );
    expect(outcome.response.cancelled).toBeUndefined();
  },
);

test("a workflow's own timeout holds when it is called, and the shorter of two counts", async () => {
  const { engine } = createStepEngine({ workflows: { child: { ...child, timeout: 3 } } });
  const run = await engine.start({
    blocks: [
      call("own", "child"),
      call("shorter", "child", {}, { timeout: 1 }),
      call("longer", "child", {}, { timeout: 9 }),
    ],
  });
  await run.idle();
  vi.advanceTimersByTime(3_000);
  const outcome = await run.settled;
  expect(["own", "shorter", "longer"].map((path) => metadataOf(outcome, path).message)).toEqual([
    "ran longer than its limit of 3s",
    "ran longer than its limit of 1s",
    "ran longer than its limit of 3s",
  ]);
});

test("a run's timeout ends it as failed, but not as cancelled by anybody", async () => {
  const { engine } = createStepEngine({ workflows: { child } });
  const run = await engine.start({ timeout: 5, blocks: [call("nested", "child")] });
  await run.idle();
  vi.advanceTimersByTime(5_000);
  const outcome = await run.settled;
  expect(outcome.response).toMatchObject({ status: "failure", error: "ran longer than its limit of 5s" });
  expect(outcome.response.cancelled).toBeUndefined();
  expect(metadataOf(outcome, "nested/x").message).toBe(
    "cancelled, because the workflow ran longer than its limit of 5s",
  );
});

test("a workflow's timeout counts active time: pauses cost nothing, and what is left counts on", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ clock, workflows: { child: { ...child, timeout: 3 } } });
  const run = await engine.start({ timeout: 10, blocks: [call("nested", "child")] });
  await run.idle();
  clock.advance(2_000);
  steps.pause("nested/x");
  expect((await run.settled).response.status).toBe("paused");
  clock.advance(3_600_000);
  await run.answer("nested/x", "yes");
  const end = run.goOn();
  await run.idle();
  clock.advance(999);
  await run.idle();
  expect(steps.running).toEqual(["nested/x"]);
  clock.advance(1);
  const outcome = await end;
  expect(metadataOf(outcome, "nested").message).toBe("ran longer than its limit of 3s");
});

test("a nested workflow that waits for an answer stands still while others run", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ clock, workflows: { child: { ...child, timeout: 3 } } });
  const run = await engine.start({ blocks: [call("nested", "child"), step("beside")] });
  await run.idle();
  steps.pause("nested/x");
  await run.idle();
  clock.advance(60_000);
  await run.idle();
  expect(run.state.questions.size).toBe(1);
  await run.answer("nested/x", "yes");
  await run.idle();
  expect(steps.running).toEqual(["beside", "nested/x"]);
  clock.advance(3_000);
  await run.idle();
  expect(steps.running).toEqual(["beside"]);
});

/** A block that never ends, whatever it is told. */
const deaf: BlockType = {
  ...new Steps().type,
  type: "Deaf",
  behaviour: { kind: "leaf", run: () => new Promise(() => {}) },
};

test.each(["cancel", "timeout"])(
  "a run ends although a block takes no notice of being told to stop (%s)",
  async (how) => {
    const { engine } = createStepEngine({ types: [deaf] });
    const run = await engine.start({ blocks: [{ id: "a", type: "Deaf", timeout: 1 }] });
    await run.idle();
    if (how === "cancel") await run.cancel();
    else vi.advanceTimersByTime(1_000);
    await run.idle();
    expect(run.state.finished).toBeUndefined();
    vi.advanceTimersByTime(10_000);
    const outcome = await run.settled;
    expect(metadataOf(outcome, "a").message).toBe(how === "cancel" ? "cancelled" : "ran longer than its limit of 1s");
  },
);
