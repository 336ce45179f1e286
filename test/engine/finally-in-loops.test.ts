import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { call, createStepEngine, ending, step } from "../rig/step-engine.ts";
import { Steps } from "../rig/steps.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const oneByOne = { for_each: [1, 2, 3], for_each_mode: "parallel", max_parallel: 1 };

test("after cancelling, no more elements run their finally at the same time than the loop allows", async () => {
  const child = { blocks: [ending("ask", "pause")], finally: [step("tidy")] };
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({ blocks: [step("busy"), call("each", "child", {}, oneByOne)] });
  await run.idle();
  // An element that waits for its answer lets the next one begin.
  expect(steps.begun.slice(1)).toEqual(["each/0/ask", "each/1/ask", "each/2/ask"]);
  await run.cancel();
  for (const key of [0, 1, 2]) {
    await run.idle();
    expect(steps.running).toEqual([`each/${key}/tidy`]);
    steps.succeed(`each/${key}/tidy`);
  }
  expect((await run.settled).response).toMatchObject({ status: "failure", cancelled: true });
});

test("cancelling again ends the finally of elements that have not had their turn", async () => {
  const child = { blocks: [ending("ask", "pause")], finally: [step("tidy")] };
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({ blocks: [step("busy"), call("each", "child", {}, oneByOne)] });
  await run.idle();
  await run.cancel();
  await run.idle();
  expect(steps.running).toEqual(["each/0/tidy"]);
  await run.cancel();
  await run.settled;
  expect(steps.begun.filter((path) => path.endsWith("tidy"))).toEqual(["each/0/tidy"]);
});

test("finally of an element that ran out of time is tried again when the loop has room for it", async () => {
  const again = { retry: { attempts: 2, delay: 0 } };
  const child = { blocks: [step("x")], finally: [step("tidy", again)] };
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({
    blocks: [call("each", "child", {}, { ...oneByOne, for_each: [1, 2], timeout: 20 })],
  });
  await run.idle();
  await vi.advanceTimersByTimeAsync(20_000);
  await run.idle();
  steps.fail("each/0/tidy");
  await run.idle();
  expect(steps.running).toEqual(["each/1/x"]);
  steps.succeed("each/1/x");
  await run.idle();
  steps.succeed("each/1/tidy");
  await run.idle();
  expect(steps.running).toEqual(["each/0/tidy"]);
  steps.succeed("each/0/tidy");
  expect((await run.settled).response.status).toBe("failure");
});

test("finally of an element that waits for room ends when its time is over", async () => {
  const again = { retry: { attempts: 2, delay: 0 } };
  const child = { blocks: [step("x")], finally: [step("tidy", again)] };
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({
    blocks: [call("each", "child", {}, { ...oneByOne, for_each: [1, 2], timeout: 60 })],
  });
  await run.idle();
  await vi.advanceTimersByTimeAsync(60_000);
  await run.idle();
  steps.fail("each/0/tidy");
  await run.idle();
  expect(steps.running).toEqual(["each/1/x"]);
  expect(run.state.nodes.get("each/0")?.ended).toBe(false);
  await vi.advanceTimersByTimeAsync(30_000);
  await run.idle();
  expect(run.state.nodes.get("each/0")?.ended).toBe(true);
  expect(steps.running).toEqual(["each/1/x"]);
  steps.succeed("each/1/x");
  await run.idle();
  steps.succeed("each/1/tidy");
  await run.settled;
});

test("a block of finally that is repeated goes on after cancelling, when it is time for its next pass", async () => {
  const clock = createFakeClock();
  const steps = new Steps();
  const engine = createTestEngine({ clock, types: [steps.type] });
  const run = await engine.start({
    blocks: [step("a")],
    finally: [step("poll", { repeat: { max: 2, delay: "2s" } }), step("beside")],
  });
  await run.idle();
  steps.succeed("a");
  await run.idle();
  steps.succeed("poll/0");
  await run.idle();
  await run.cancel();
  await run.idle();
  expect(steps.running).toEqual(["beside"]);
  clock.advance(2_000);
  await run.idle();
  expect(steps.running).toEqual(["beside", "poll/1"]);
  steps.succeed("poll/1");
  steps.succeed("beside");
  expect((await run.settled).response.status).toBe("success");
});
