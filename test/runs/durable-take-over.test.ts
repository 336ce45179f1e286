import { expect, test } from "vitest";
import type { OnInterrupted } from "../../src/block/define-block.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import { readRun } from "../../src/runs/read-run.ts";
import type { TestEngineOptions, TestRun } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, giving, step } from "../rig/step-engine.ts";
import { Steps } from "../rig/steps.ts";

/** The attempts at a block, as its starts and continuations tell. */
function attemptsAt(events: readonly RunEvent[], path: string): number[] {
  return events.flatMap((event) =>
    (event.type === "block-started" || event.type === "block-resumed") && event.path === path ? [event.attempt] : [],
  );
}

function typesAt(events: readonly RunEvent[], path: string): string[] {
  return events.flatMap((event) => ("path" in event && event.path === path ? [event.type] : []));
}

test("what finished stays finished, what ran goes on, what waited waits on", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({
    blocks: [
      giving("done", 1),
      step("runs", { inputs: { value: "${blocks.done.value}" } }),
      step("after", { depends_on: ["runs"] }),
    ],
    outputs: { done: "${blocks.done.value}" },
  });
  await started.idle();
  expect(first.steps.running).toEqual(["runs"]);
  first.engine.process.die();

  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(second.steps.begun).toEqual(["runs"]);
  expect(second.steps.input("runs")).toMatchObject({ value: 1 });
  second.steps.succeed("runs");
  await run.idle();
  second.steps.succeed("after");
  const { response, state, events } = await run.settled;
  expect(response).toMatchObject({ status: "success", outputs: { done: 1 } });
  expect(second.steps.begun).toEqual(["runs", "after"]);
  expect(typesAt(events, "done")).toEqual(["block-started", "block-finished"]);
  expect(attemptsAt(events, "runs")).toEqual([1, 2]);
  expect(state.root.record.blocks.runs?.metadata).toMatchObject({ attempts: 2, succeeded: true });
});

test("a block has the same idempotency key in every attempt", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({ blocks: [step("a")] });
  await started.idle();
  const { idempotencyKey } = first.steps.context("a");
  first.engine.process.die();

  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(second.steps.context("a")).toMatchObject({ idempotencyKey, attempt: 2 });
});

test("nobody drives a run whose owner has died: looking at it says so, and starts nothing", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const second = createStepEngine({ machine });
  const started = await first.engine.start({ blocks: [step("a")] });
  await started.idle();
  const look = async (): Promise<string> => {
    const read = await readRun(second.engine.engine.platform, second.engine.engine.workflows.catalog, started.runId);
    return read.ok ? read.value.status : read.error.message;
  };
  expect(await look()).toBe("running");
  first.engine.process.die();
  expect(await look()).toBe("interrupted");
  expect(second.steps.begun).toEqual([]);
});

test("a run whose owner lives is left alone", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const second = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [step("a")] });
  await run.idle();
  await expect(second.engine.takeOver(run.runId)).rejects.toThrow(`${run.runId} is running, in process 1.`);
  first.steps.succeed("a");
  expect((await run.settled).response.status).toBe("success");
  await expect(second.engine.takeOver(run.runId)).rejects.toThrow(`${run.runId} has ended.`);
});

test("of several who want to take a run over, one does", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({ blocks: [step("a")] });
  await started.idle();
  first.engine.process.die();
  const others = [createStepEngine({ machine }), createStepEngine({ machine }), createStepEngine({ machine })];
  const taken = await Promise.allSettled(others.map(({ engine }) => engine.takeOver(started.runId)));
  await started.idle();
  expect(taken.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(others.flatMap(({ steps }) => steps.begun)).toEqual(["a"]);
});

const interruptedMessage = "Frond ended while it ran, so it is not known how far it got";

interface Place {
  readonly where: string;
  readonly path: string;
  readonly block: (rule: object) => object;
  readonly library?: (rule: object) => TestEngineOptions["workflows"] & object;
}

const places: readonly Place[] = [
  { where: "beside others", path: "a", block: (rule) => step("a", rule) },
  {
    where: "in a child of a child",
    path: "a/inner/x",
    block: () => call("a", "middle"),
    library: (rule) => ({
      middle: { blocks: [call("inner", "innermost")] },
      innermost: { blocks: [step("x", rule), step("y", { depends_on: ["x"] })] },
    }),
  },
  {
    where: "in one pass of a loop",
    path: "a/1",
    block: (rule) => step("a", { for_each: ["one", "two", "three"], max_parallel: 2, ...rule }),
  },
];

/** A run that goes on after the block at the place was interrupted; another block was interrupted too, and runs again. */
async function interruptAt(
  { path, block, library }: Place,
  rule: OnInterrupted,
): Promise<{ run: TestRun; steps: Steps }> {
  const written = { on_interrupted: rule };
  const workflows = library?.(written) ?? {};
  const machine = createMachine();
  const first = createStepEngine({ machine, workflows });
  const started = await first.engine.start({ blocks: [block(written), step("other")] });
  await started.idle();
  expect(first.steps.running).toContain(path);
  first.engine.process.die();
  const { engine, steps } = createStepEngine({ machine, workflows });
  const run = await engine.takeOver(started.runId);
  await run.idle();
  expect(steps.running).toContain("other");
  expect(typesAt(run.events, path)[1]).toBe("block-interrupted");
  return { run, steps };
}

test.each(places)("on_interrupted: rerun, $where: it runs as another attempt", async (place) => {
  const { run, steps } = await interruptAt(place, "rerun");
  expect(steps.context(place.path).attempt).toBe(2);
  expect(run.state.questions.size).toBe(0);
});

test.each(places)("on_interrupted: ask, $where: it waits for the decision", async (place) => {
  const { run, steps } = await interruptAt(place, "ask");
  expect(steps.begun).not.toContain(place.path);
  expect(run.state.nodes.get(place.path)?.record.metadata.status).toBe("paused");
  expect(await run.answer(place.path, "rerun")).toMatchObject({ ok: true });
  await run.idle();
  expect(steps.context(place.path).attempt).toBe(2);
});

test.each(places)("on_interrupted: fail, $where: it fails, at most once begun", async (place) => {
  const { run, steps } = await interruptAt(place, "fail");
  expect(run.state.nodes.get(place.path)?.record.metadata).toMatchObject({
    status: "failed",
    message: interruptedMessage,
    attempts: 1,
  });
  while (run.state.finished === undefined) {
    for (const running of steps.running) steps.succeed(running);
    await run.idle();
  }
  expect(steps.begun).not.toContain(place.path);
  expect((await run.settled).response.status).toBe("failure");
});

test("whoever takes a run over may decide for every block", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({
    blocks: [step("a", { on_interrupted: "rerun" }), step("b", { on_interrupted: "ask" })],
  });
  await started.idle();
  first.engine.process.die();
  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId, { onInterrupted: "fail" });
  const { state } = await run.settled;
  expect(second.steps.begun).toEqual([]);
  expect(["a", "b"].map((id) => state.root.record.blocks[id]?.metadata.message)).toEqual([
    interruptedMessage,
    interruptedMessage,
  ]);
});

test("a block may be interrupted again and again; no attempt has the number of another", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({ blocks: [step("a"), step("after", { depends_on: ["a"] })] });
  await started.idle();
  first.engine.process.die();
  for (const attempt of [2, 3, 4]) {
    const { engine, steps } = createStepEngine({ machine });
    const run = await engine.takeOver(started.runId);
    await run.idle();
    expect(steps.context("a").attempt).toBe(attempt);
    engine.process.die();
  }
  const last = createStepEngine({ machine });
  const run = await last.engine.takeOver(started.runId);
  await run.idle();
  last.steps.succeed("a");
  await run.idle();
  last.steps.succeed("after");
  const { events, response } = await run.settled;
  expect(attemptsAt(events, "a")).toEqual([1, 2, 3, 4, 5]);
  expect(response.status).toBe("success");
});

test("a block interrupted while it went on with an answer goes on with the same answer", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({ blocks: [step("a"), step("busy")] });
  await started.idle();
  first.steps.pause("a");
  await started.idle();
  await started.answer("a", "blue");
  await started.idle();
  expect(first.steps.answer("a")).toBe("blue");
  first.engine.process.die();

  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(second.steps.answer("a")).toBe("blue");
  expect(attemptsAt(run.events, "a")).toEqual([1, 1, 2]);
  expect(run.state.questions.size).toBe(0);
  // Its next question has an answer of its own.
  second.steps.pause("a");
  await run.idle();
  await run.answer("a", "green");
  await run.idle();
  second.engine.process.die();

  const third = createStepEngine({ machine });
  const again = await third.engine.takeOver(started.runId);
  await again.idle();
  expect(third.steps.answer("a")).toBe("green");
});

test("an answer that was durable when the engine died is not asked for again", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({ max_parallel: 1, blocks: [step("a"), step("busy")] });
  await started.idle();
  first.steps.pause("a");
  await started.idle();
  await started.answer("a", "blue");
  expect(first.steps.running).toEqual(["busy"]);
  first.engine.process.die();

  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(run.state.questions.size).toBe(0);
  const one = second.steps.running[0] as string;
  second.steps.succeed(one);
  await run.idle();
  second.steps.succeed(second.steps.running[0] as string);
  expect((await run.settled).response.status).toBe("success");
  expect(second.steps.begun.toSorted()).toEqual(["a", "busy"]);
  expect(attemptsAt(run.events, "a")).toEqual([1, 1]);
});

test("max_parallel of run and workflow hold after a take-over, for what runs again and for what starts", async () => {
  const workflows = { child: { max_parallel: 1, blocks: [step("x"), step("y")] } };
  const machine = createMachine();
  const first = createStepEngine({ machine, workflows });
  const started = await first.engine.start({
    max_parallel: 3,
    blocks: [call("n", "child"), ...["a", "b", "c", "d"].map((id) => step(id))],
  });
  await started.idle();
  expect(first.steps.running).toHaveLength(3);
  first.engine.process.die();
  const second = createStepEngine({ machine, workflows });
  const run = await second.engine.takeOver(started.runId);
  while (run.state.finished === undefined) {
    await run.idle();
    expect(second.steps.running.filter((path) => path.startsWith("n/")).length).toBeLessThanOrEqual(1);
    const [next] = second.steps.running;
    if (next !== undefined) second.steps.succeed(next);
  }
  expect(second.steps.mostRunning).toBe(3);
  expect((await run.settled).response.status).toBe("success");
});

test.each([
  { mode: "sequential", max: 4, most: 1 },
  { mode: "parallel", max: 2, most: 2 },
])("a $mode loop keeps its limit after a take-over, and each pass ends once", async ({ mode, max, most }) => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({
    blocks: [step("loop", { for_each: [1, 2, 3, 4, 5], for_each_mode: mode, max_parallel: max })],
  });
  await started.idle();
  first.steps.succeed("loop/0");
  await started.idle();
  const ran = first.steps.running;
  expect(ran).toHaveLength(most);
  first.engine.process.die();

  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(second.steps.running.toSorted()).toEqual(ran.toSorted());
  while (run.state.finished === undefined) {
    const [next] = second.steps.running;
    if (next !== undefined) second.steps.succeed(next);
    await run.idle();
  }
  expect(second.steps.mostRunning).toBe(most);
  expect(second.steps.begun.toSorted()).toEqual(["loop/1", "loop/2", "loop/3", "loop/4"]);
  expect((await run.settled).response.status).toBe("success");
});

test("commands wait for a free process after a take-over too", async () => {
  const machine = createMachine();
  const command = (id: string): object => ({ id, type: "Command", on_interrupted: "rerun" });
  const first = new Steps();
  const one = createStepEngine({ machine, types: [first.command], maxProcesses: 2 });
  const started = await one.engine.start({ blocks: ["a", "b", "c"].map(command) });
  await started.idle();
  expect(first.running).toEqual(["a", "b"]);
  one.engine.process.die();

  const second = new Steps();
  const other = createStepEngine({ machine, types: [second.command], maxProcesses: 1 });
  const run = await other.engine.takeOver(started.runId);
  while (run.state.finished === undefined) {
    await run.idle();
    expect(second.running.length).toBeLessThanOrEqual(1);
    const [next] = second.running;
    if (next !== undefined) second.succeed(next);
  }
  expect(second.begun.toSorted()).toEqual(["a", "b", "c"]);
  expect((await run.settled).response.status).toBe("success");
});
