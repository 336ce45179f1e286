import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BlockType } from "../../src/block/define-block.ts";
import { nextSteps } from "../../src/cli/next-steps.ts";
import type { Metadata } from "../../src/engine/execution.ts";
import { describeRun } from "../../src/views/response.ts";
import { createTestEngine, type Outcome } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";
import { Steps } from "../rig/steps.ts";

// Only the two that measure: what the engine waits for otherwise must go on as it is.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function metadataOf({ state }: Outcome, path: string): Metadata {
  const node = state.nodes.get(path);
  if (node === undefined) throw new Error(`There is nothing at ${path}.`);
  return node.record.metadata;
}

const told = giving("tell", "${run.status}: ${join(run.failed_blocks, ' ')}: ${run.message}");

test.each([
  { ends: "succeed", status: "success", said: "success: : " },
  { ends: "fail", status: "failure", said: "failure: a: 'a' failed: it went wrong" },
  { ends: "crash", status: "failure", said: "failure: a: 'a' could not run: it broke" },
] as const)("finally runs when everything else has ended, whatever happened: $ends", async ({ ends, status, said }) => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({ blocks: [step("a"), step("b")], finally: [told] });
  await run.idle();
  steps[ends]("a");
  await run.idle();
  expect(steps.begun).toEqual(["a", "b"]);
  steps.succeed("b");
  const outcome = await run.settled;
  expect(steps.begun).toEqual(["a", "b", "tell"]);
  expect(outcome.state.root.record.blocks.tell?.outputs.value).toBe(said);
  expect(outcome.response.status).toBe(status);
});

test("finally reads every block, also those that were skipped, and is never skipped for that", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({
    blocks: [ending("a", "crash"), giving("b", 1, { depends_on: ["a"] }), giving("c", 2)],
    finally: [giving("all", "${blocks.a.code} ${blocks.b.skipped} ${blocks.c.value}")],
  });
  expect(state.root.record.blocks.all?.outputs.value).toBe("-1 true 2");
});

test("blocks of finally depend on each other as others do", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [ending("a", "succeed")],
    finally: [
      step("first"),
      step("second", { depends_on: ["first"] }),
      step("third", { depends_on: [{ block: "first", required: false }] }),
    ],
  });
  await run.idle();
  expect(steps.running).toEqual(["first"]);
  steps.fail("first");
  await run.idle();
  expect(steps.running).toEqual(["third"]);
  steps.succeed("third");
  const outcome = await run.settled;
  expect(metadataOf(outcome, "second").status).toBe("skipped");
  expect(metadataOf(outcome, "first").wave).toBe(1);
  expect(metadataOf(outcome, "second").wave).toBe(2);
});

test("a failure of finally makes a success a failure; the message of an earlier failure stays", async () => {
  const { engine } = createStepEngine();
  const failing = { finally: [ending("clean", "fail")] };
  const first = await engine.run({ blocks: [giving("a", 1)], ...failing, outputs: { made: "${blocks.a.value}" } });
  expect(first.response).toMatchObject({
    status: "failure",
    error: "finally: 'clean' failed: it went wrong",
    outputs: { made: 1 },
    failed_blocks: [{ block: "clean" }],
  });
  const second = await engine.run({ blocks: [ending("a", "fail")], ...failing });
  expect(second.response).toMatchObject({ status: "failure", error: "'a' failed: it went wrong" });
  expect(second.response.failed_blocks?.map(({ block }) => block)).toEqual(["a", "clean"]);
  const allowed = await engine.run({
    blocks: [giving("a", 1)],
    finally: [ending("clean", "fail", { allow_failure: true })],
  });
  expect(allowed.response).toMatchObject({ status: "success", handled_failures: [{ block: "clean", handled_by: [] }] });
});

test("while finally runs, what was allowed to fail is told as such", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [ending("probe", "fail", { allow_failure: true })],
    finally: [step("clean")],
  });
  await run.idle();
  const response = describeRun(run.state, { format: "minimal", nextSteps });
  expect(response).toMatchObject({ status: "running", handled_failures: [{ block: "probe", handled_by: [] }] });
  expect(response.failed_blocks).toBeUndefined();
  steps.succeed("clean");
  await run.settled;
});

test("finally never answers a failure", async () => {
  const { engine } = createStepEngine();
  const { response } = await engine.run({
    blocks: [ending("a", "fail")],
    finally: [
      ending("alert", "succeed", { condition: "${blocks.a.failed}" }),
      ending("after", "succeed", { depends_on: ["alert"] }),
    ],
  });
  expect(response).toMatchObject({ status: "failure", error: "'a' failed: it went wrong" });
  expect(response.blocks?.alert?.metadata.outcome).toBe("success");
});

describe("cancelling", () => {
  test("runs finally, and says that it was cancelled", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start({
      blocks: [step("a"), step("b", { depends_on: ["a"] })],
      finally: [told, step("clean", { depends_on: ["tell"] })],
    });
    await run.idle();
    await run.cancel();
    await run.idle();
    expect(steps.running).toEqual(["clean"]);
    steps.succeed("clean");
    const outcome = await run.settled;
    expect(outcome.response).toMatchObject({ status: "failure", cancelled: true, error: "cancelled" });
    expect(outcome.state.root.record.blocks.tell?.outputs.value).toBe("failure: a: cancelled");
    expect(metadataOf(outcome, "clean").succeeded).toBe(true);
  });

  test("a run that waits for an answer runs finally: whoever cancels drives it", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start({ blocks: [ending("ask", "pause")], finally: [ending("clean", "succeed")] });
    expect((await run.settled).response.status).toBe("paused");
    await run.cancel();
    const outcome = await run.goOn();
    expect(steps.begun).toEqual(["ask", "clean"]);
    expect(outcome.response).toMatchObject({ status: "failure", cancelled: true });
    expect(metadataOf(outcome, "clean").succeeded).toBe(true);
  });

  test("while finally runs it goes on, for 30 seconds, and what was a success stays one", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start({ blocks: [giving("a", 1)], finally: [step("clean")] });
    await run.idle();
    await run.cancel();
    await run.idle();
    await vi.advanceTimersByTimeAsync(29_000);
    expect(steps.running).toEqual(["clean"]);
    steps.succeed("clean");
    const { response } = await run.settled;
    expect(response.status).toBe("success");
    expect(response.cancelled).toBeUndefined();
  });

  test("ends finally after 30 seconds", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start({ blocks: [step("a")], finally: [step("clean"), step("also")] });
    await run.idle();
    await run.cancel();
    await run.idle();
    expect(steps.running).toEqual(["clean", "also"]);
    await vi.advanceTimersByTimeAsync(30_000);
    const outcome = await run.settled;
    expect(outcome.response).toMatchObject({ status: "failure", error: "cancelled" });
    expect(metadataOf(outcome, "clean").message).toBe("cancelled, because `finally` ran longer than its limit of 30s");
  });

  test("leaves a block of finally its other attempts", async () => {
    const { engine, steps } = createStepEngine();
    const again = { retry: { attempts: 2, delay: 0 } };
    const run = await engine.start({ blocks: [step("a")], finally: [step("clean", again)] });
    await run.idle();
    await run.cancel();
    await run.idle();
    steps.fail("clean");
    await run.idle();
    expect(steps.running).toEqual(["clean"]);
    steps.succeed("clean");
    expect(metadataOf(await run.settled, "clean")).toMatchObject({ succeeded: true, attempts: 2 });
  });

  test("again ends finally at once, also one that has not begun", async () => {
    const child = { blocks: [step("x")], finally: [step("tidy")] };
    const { engine, steps } = createStepEngine({ workflows: { child } });
    const run = await engine.start({ blocks: [call("nested", "child")], finally: [step("clean")] });
    await run.idle();
    await run.cancel();
    await run.idle();
    expect(steps.running).toEqual(["nested/tidy"]);
    await run.cancel();
    const outcome = await run.settled;
    expect(steps.begun).toEqual(["nested/x", "nested/tidy"]);
    expect(metadataOf(outcome, "nested/tidy").message).toBe("cancelled");
    expect(metadataOf(outcome, "clean")).toMatchObject({ status: "skipped", message: "Not started: cancelled." });
    expect(outcome.response).toMatchObject({ status: "failure", cancelled: true });
  });
});

describe("time limits", () => {
  test("a workflow that runs out of time runs finally, outside of its limit", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start({ timeout: 5, blocks: [step("a")], finally: [told, step("clean")] });
    await run.idle();
    await vi.advanceTimersByTimeAsync(5_000);
    await run.idle();
    expect(steps.running).toEqual(["clean"]);
    await vi.advanceTimersByTimeAsync(20_000);
    steps.succeed("clean");
    const outcome = await run.settled;
    const message = "ran longer than its limit of 5s";
    expect(outcome.response).toMatchObject({ status: "failure", error: message });
    expect(outcome.state.root.record.blocks.tell?.outputs.value).toBe(`failure: a: ${message}`);
    expect(metadataOf(outcome, "clean").succeeded).toBe(true);
  });

  test("a run that ran out of time is cancelled twice before finally ends", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start({ timeout: 5, blocks: [step("a")], finally: [step("clean")] });
    await run.idle();
    await vi.advanceTimersByTimeAsync(5_000);
    await run.idle();
    await run.cancel();
    await run.idle();
    expect(steps.running).toEqual(["clean"]);
    await run.cancel();
    const outcome = await run.settled;
    expect(metadataOf(outcome, "clean").message).toBe(
      "cancelled, because the workflow ran longer than its limit of 5s",
    );
    expect(outcome.response.error).toBe("ran longer than its limit of 5s");
  });

  test("a limit of the workflow that is not used up does not hold for finally", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start({ timeout: 5, blocks: [step("a")], finally: [step("clean")] });
    await run.idle();
    await vi.advanceTimersByTimeAsync(4_000);
    steps.succeed("a");
    await run.idle();
    await vi.advanceTimersByTimeAsync(3_600_000);
    steps.succeed("clean");
    expect((await run.settled).response.status).toBe("success");
  });

  test("finally_timeout ends finally, whatever happened before", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start({ finally_timeout: "2s", blocks: [giving("a", 1)], finally: [step("clean")] });
    await run.idle();
    expect(steps.running).toEqual(["clean"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await run.settled).response).toMatchObject({
      status: "failure",
      error: "finally: 'clean' was cancelled: cancelled, because `finally` ran longer than its limit of 2s",
    });
  });

  test("a block of finally for which no time was left makes a success a failure", async () => {
    const steps = new Steps();
    const engine = createTestEngine({ types: [steps.type, steps.command], maxProcesses: 1 });
    const other = await engine.start({ blocks: [{ id: "other", type: "Command" }] });
    await other.idle();
    const clean = { id: "clean", type: "Command" };
    const tell = ending("tell", "succeed", { condition: "${run.status} == 'failure'" });
    const run = await engine.start({ finally_timeout: 2, blocks: [giving("a", 1)], finally: [tell, clean] });
    await run.idle();
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await run.settled).response).toMatchObject({
      status: "failure",
      error: "finally: 'clean' was skipped: Not started: cancelled, because `finally` ran longer than its limit of 2s.",
    });
    steps.succeed("other");
    await other.settled;
  });

  test("a retry delay does not outlast the limit of finally", async () => {
    const { engine } = createStepEngine();
    const again = { retry: { attempts: 3, delay: "10m" } };
    const run = await engine.start({ blocks: [step("a")], finally: [ending("clean", "fail", again)] });
    await run.idle();
    await run.cancel();
    await run.idle();
    await vi.advanceTimersByTimeAsync(30_000);
    const outcome = await run.settled;
    expect(outcome.response).toMatchObject({ status: "failure", error: "cancelled" });
    expect(metadataOf(outcome, "clean").attempts).toBe(1);
  });
});

test("a run whose process died in finally goes on there, and asks nobody", async () => {
  const machine = createMachine();
  const asks = (steps: Steps): BlockType => ({ ...steps.type, type: "Asks", onInterrupted: "ask" });
  const create = (): ReturnType<typeof createStepEngine> => {
    const steps = new Steps();
    return { steps, engine: createTestEngine({ machine, types: [steps.type, asks(steps)] }) };
  };
  const first = create();
  const started = await first.engine.start({
    blocks: [ending("a", "fail")],
    finally: [giving("done", "${run.status}"), { id: "clean", type: "Asks", depends_on: ["done"] }],
  });
  await started.idle();
  expect(first.steps.running).toEqual(["clean"]);
  first.engine.process.die();

  const second = create();
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(second.steps.begun).toEqual(["clean"]);
  second.steps.succeed("clean");
  const { response, events } = await run.settled;
  expect(response).toMatchObject({ status: "failure", error: "'a' failed: it went wrong" });
  expect(events.filter(({ type }) => type === "finally-started")).toHaveLength(1);
});

test("a run whose process died between the last block and finally runs finally", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({ blocks: [step("a")], finally: [step("clean")] });
  await started.idle();
  first.engine.process.die();

  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  second.steps.succeed("a");
  await run.idle();
  expect(second.steps.running).toEqual(["clean"]);
  second.steps.succeed("clean");
  expect((await run.settled).response.status).toBe("success");
});
