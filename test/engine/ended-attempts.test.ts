import { beforeEach, describe, expect, test } from "vitest";
import { createFakeClock, type FakeClock } from "../rig/fake-clock.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, step } from "../rig/step-engine.ts";

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

const noDelay = { attempts: 3, delay: 0 };

test("what an attempt held does not count for the size of the run once the next one begins", async () => {
  const workflows = { child: { blocks: ["a", "b", "c", "d"].map((id) => step(id)) } };
  const { engine, steps } = createStepEngine({ clock, workflows, limits: { nodes: 8 } });
  const run = await engine.start({ blocks: [call("n", "child", {}, { retry: noDelay })] });
  await run.idle();
  for (const id of ["a", "b", "c", "d"]) steps.fail(`n/${id}`);
  await run.idle();
  for (const id of ["a", "b", "c", "d"]) steps.succeed(`n/${id}`);
  expect((await run.settled).response.status).toBe("success");
});

describe("a loop that stops at the first error", () => {
  const retry = { attempts: 2, delay: "10s", on: ["for now"] };
  const loop = (more: object): object => step("each", { for_each: ["a", "b"], on_error: "stop", retry, ...more });

  test("begins no other attempt, not even one that was woken and waits for its slot", async () => {
    const { engine, steps } = createStepEngine({ clock });
    const run = await engine.start({ blocks: [loop({ max_parallel: 1 })] });
    await run.idle();
    steps.fail("each/0", "for now");
    await run.idle();
    clock.advance(10_000);
    await run.idle();
    steps.fail("each/1", "for ever");
    await run.settled;
    expect(steps.begun).toEqual(["each/0", "each/1"]);
  });

  test("ends as its elements did, whether one of them sleeps when it stops or not", async () => {
    const { engine, steps } = createStepEngine({ clock });
    const run = await engine.start({ blocks: [loop({})] });
    await run.idle();
    steps.fail("each/0", "for now");
    await run.idle();
    steps.fail("each/1", "for ever");
    const { state } = await run.settled;
    const { metadata } = state.nodes.get("each/0")?.record ?? {};
    const message = "for now; not tried again: an earlier element failed and on_error is stop";
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure", message, attempts: 1 });
    expect(metadata?.attempt_history).toHaveLength(1);
    expect(state.nodes.get("each")?.record.metadata).toMatchObject({ status: "completed", outcome: "failure" });
  });
});

test("an element that asks something in its second attempt when its loop stops is withdrawn, not ended as the first was", async () => {
  const { engine, steps } = createStepEngine({ clock });
  const retry = { attempts: 2, delay: 0, on: ["for now"] };
  const run = await engine.start({ blocks: [step("each", { for_each: ["a", "b"], on_error: "stop", retry })] });
  await run.idle();
  steps.fail("each/0", "for now");
  await run.idle();
  steps.pause("each/0");
  await run.idle();
  steps.fail("each/1", "for ever");
  const { state } = await run.settled;
  const { metadata } = state.nodes.get("each/0")?.record ?? {};
  expect(metadata).toMatchObject({ status: "failed", attempts: 2 });
  expect(metadata?.attempt_history).toHaveLength(2);
});

describe("attempts and interruptions", () => {
  test("the idempotency key is the same in every attempt at a block", async () => {
    const { engine, steps } = createStepEngine({ clock });
    const run = await engine.start({ blocks: [step("x", { retry: noDelay })] });
    await run.idle();
    const { idempotencyKey: key } = steps.context("x");
    steps.fail("x");
    await run.idle();
    expect(steps.context("x")).toMatchObject({ attempt: 2, idempotencyKey: key });
    await run.cancel();
  });

  test("an engine that dies between attempts continues the count", async () => {
    const machine = createMachine();
    const first = createStepEngine({ machine, clock });
    const started = await first.engine.start({ blocks: [step("x", { retry: { attempts: 2, delay: "30s" } })] });
    await started.idle();
    first.steps.fail("x");
    await started.idle();
    first.engine.process.die();
    const { engine, steps } = createStepEngine({ machine, clock });
    const run = await engine.takeOver(started.runId);
    await run.idle();
    expect(steps.running).toEqual([]);
    clock.advance(30_000);
    await run.idle();
    expect(steps.context("x").attempt).toBe(2);
    steps.fail("x");
    expect((await run.settled).response.status).toBe("failure");
  });

  test("an engine that dies during a later attempt of what holds blocks goes on with that one", async () => {
    const machine = createMachine();
    const workflows = { child: { blocks: [step("x"), step("y", { depends_on: ["x"] })] } };
    const first = createStepEngine({ machine, clock, workflows });
    const blocks = [call("nested", "child", {}, { retry: { attempts: 3, delay: 0 } })];
    const started = await first.engine.start({ blocks });
    await started.idle();
    first.steps.fail("nested/x");
    await started.idle();
    first.steps.succeed("nested/x");
    await started.idle();
    first.engine.process.die();
    const { engine, steps } = createStepEngine({ machine, clock, workflows });
    const run = await engine.takeOver(started.runId);
    await run.idle();
    expect(steps.running).toEqual(["nested/y"]);
    steps.succeed("nested/y");
    const { state } = await run.settled;
    expect(state.nodes.get("nested")?.record.metadata).toMatchObject({ attempts: 2, outcome: "success" });
  });

  test("an interrupted attempt counts, and running it again may exceed the attempts by one", async () => {
    const machine = createMachine();
    const first = createStepEngine({ machine, clock });
    const started = await first.engine.start({ blocks: [step("x", { retry: { attempts: 1, delay: 0 } })] });
    await started.idle();
    first.engine.process.die();
    const { engine, steps } = createStepEngine({ machine, clock });
    const run = await engine.takeOver(started.runId);
    await run.idle();
    expect(steps.context("x").attempt).toBe(2);
    steps.fail("x");
    const { state } = await run.settled;
    expect(state.nodes.get("x")?.record.metadata).toMatchObject({ attempts: 2, outcome: "failure" });
  });

  test("an interrupted attempt is in the history, in its place", async () => {
    const machine = createMachine();
    const first = createStepEngine({ machine, clock });
    const started = await first.engine.start({ blocks: [step("x", { retry: { attempts: 3, delay: 0 } })] });
    await started.idle();
    first.steps.fail("x", "no luck");
    await started.idle();
    first.engine.process.die();
    const { engine, steps } = createStepEngine({ machine, clock });
    const run = await engine.takeOver(started.runId);
    await run.idle();
    steps.succeed("x");
    const { state } = await run.settled;
    const history = state.nodes.get("x")?.record.metadata.attempt_history;
    expect(history).toMatchObject([
      { message: "no luck" },
      { status: "failed", message: "Frond ended while it ran, so it is not known how far it got" },
      { outcome: "success" },
    ]);
  });

  test("cancelling ends a block between its attempts at once", async () => {
    const { engine, steps } = createStepEngine({ clock });
    const run = await engine.start({ blocks: [step("x", { retry: { attempts: 2, delay: "50s" } })] });
    await run.idle();
    steps.fail("x");
    await run.idle();
    await run.cancel();
    const { response, state } = await run.settled;
    expect(response).toMatchObject({ status: "failure", cancelled: true });
    const { metadata } = state.nodes.get("x")?.record ?? {};
    expect(metadata).toMatchObject({ status: "failed", message: "cancelled", attempts: 1 });
    expect(metadata?.attempt_history).toHaveLength(1);
    expect(state.sleeping.size).toBe(0);
  });

  test("a block that is ended because of something around it is not tried again", async () => {
    const { engine, steps } = createStepEngine({
      clock,
      workflows: { child: { timeout: "5s", blocks: [step("x", { retry: noDelay })] } },
    });
    const run = await engine.start({ blocks: [call("nested", "child")] });
    await run.idle();
    clock.advance(5_000);
    await run.settled;
    expect(steps.begun).toEqual(["nested/x"]);
  });
});
