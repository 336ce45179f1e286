import { expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { idle } from "../rig/idle.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, step } from "../rig/step-engine.ts";

const workflows = { child: { blocks: [step("a"), step("b", { depends_on: ["a"] })] } };
const retried = { blocks: [call("c", "child", {}, { retry: { attempts: 2, delay: 0 } })] };

function startsOf(events: readonly RunEvent[], path: string): number[] {
  return events.flatMap((event) => (event.type === "block-started" && event.path === path ? [event.attempt] : []));
}

test("whoever takes over a workflow that is tried again goes on where it was", async () => {
  const machine = createMachine();
  const clock = createFakeClock();
  const first = createStepEngine({ machine, workflows, clock });
  const started = await first.engine.start(retried);
  await started.idle();
  first.steps.fail("c/a");
  await started.idle();
  clock.advance(1);
  await started.idle();
  first.steps.succeed("c/a");
  await started.idle();
  expect(first.steps.running).toEqual(["c/b"]);
  first.engine.process.die();

  const second = createStepEngine({ machine, workflows, clock });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(second.steps.running).toEqual(["c/b"]);
  second.steps.succeed("c/b");
  const { response, events } = await run.settled;
  expect(response.status).toBe("success");
  expect(startsOf(events, "c")).toEqual([1, 2]);
  expect(startsOf(events, "c/a")).toEqual([1, 1]);
  expect(startsOf(events, "c/b")).toEqual([1, 2]);
});

test("a workflow that ran longer than its limit is tried again", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ workflows, clock });
  const limited = { timeout: "10s", retry: { attempts: 2, delay: "5s" } };
  const run = await engine.start({ blocks: [call("c", "child", {}, limited)] });
  await run.idle();
  clock.advance(10_000);
  await run.idle();
  expect(steps.running).toEqual([]);
  expect(run.state.root.record.blocks.c?.metadata.status).toBe("running");
  clock.advance(5_000);
  await run.idle();
  for (const path of ["c/a", "c/b"]) {
    steps.succeed(path);
    await idle();
  }
  const { response, events } = await run.settled;
  expect(response.status).toBe("success");
  expect(startsOf(events, "c")).toEqual([1, 2]);
});

test("a repeated block in an element of a loop that stops does not go on", async () => {
  const clock = createFakeClock();
  const repeating = { blocks: [step("r", { repeat: { max: 3, delay: "10s" } })] };
  const { engine, steps } = createStepEngine({ workflows: { repeating }, clock });
  const loop = { for_each: [0, 1], on_error: "stop" };
  const run = await engine.start({ blocks: [call("l", "repeating", {}, loop)] });
  await run.idle();
  steps.succeed("l/0/r/0");
  await run.idle();
  steps.crash("l/1/r/0");
  await run.idle();
  expect(steps.begun).toEqual(["l/0/r/0", "l/1/r/0"]);
  const { events } = await run.settled;
  expect(startsOf(events, "l/0/r/1")).toEqual([]);
});

test("a repeated block that was woken waits for its place in the loop around it, also after a take-over", async () => {
  const machine = createMachine();
  const clock = createFakeClock();
  const repeating = { blocks: [step("r", { repeat: { max: 2, delay: "10s" } })] };
  const options = { machine, clock, workflows: { repeating } };
  const first = createStepEngine(options);
  const loop = { for_each: [0, 1], max_parallel: 1 };
  const started = await first.engine.start({ blocks: [call("l", "repeating", {}, loop)] });
  await started.idle();
  first.steps.succeed("l/0/r/0");
  await started.idle();
  clock.advance(10_000);
  await started.idle();
  expect(first.steps.running).toEqual(["l/1/r/0"]);
  first.engine.process.die();

  const second = createStepEngine(options);
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(second.steps.running).toEqual(["l/1/r/0"]);
  second.steps.succeed("l/1/r/0");
  await run.idle();
  expect(second.steps.running).toEqual(["l/0/r/1"]);
});

test("a repeated block that sleeps is ended once when the run is cancelled and a loop around it stops by that", async () => {
  const clock = createFakeClock();
  const repeating = { blocks: [step("r", { repeat: { max: 2, delay: "10s" } })] };
  const { engine, steps } = createStepEngine({ clock, workflows: { repeating } });
  const loop = { for_each: [0, 1, 2], max_parallel: 2, on_error: "stop" };
  const run = await engine.start({ blocks: [call("l", "repeating", {}, loop)] }, { maxParallel: 1 });
  await run.idle();
  steps.succeed("l/0/r/0");
  await run.idle();
  expect(steps.running).toEqual(["l/1/r/0"]);
  await run.cancel();
  const { response, events } = await run.settled;
  expect(response).toMatchObject({ status: "failure", cancelled: true });
  const ends = events.filter((event) => event.type === "block-finished" && event.path === "l/0/r");
  expect(ends).toHaveLength(1);
});
