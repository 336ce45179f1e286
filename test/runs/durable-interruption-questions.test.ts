import { expect, test } from "vitest";
import type { BlockType, WrittenSoFar } from "../../src/block/define-block.ts";
import { cancelRun } from "../../src/runs/cancel-run.ts";
import type { TestRun } from "../rig/engine.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { call, createStepEngine, step } from "../rig/step-engine.ts";
import { Steps } from "../rig/steps.ts";

const asks = { on_interrupted: "ask" };

/** A run whose blocks were running when the engine that ran them died. */
async function interrupt(machine: TestMachine, ...blocks: object[]): Promise<string> {
  const { engine } = createStepEngine({ machine, types: [adopting()] });
  const started = await engine.start({ blocks });
  await started.idle();
  engine.process.die();
  return started.runId;
}

/** A type that can tell what an attempt made, from what it wrote. */
function adopting(seen: WrittenSoFar[] = []): BlockType {
  const { type } = new Steps();
  return {
    ...type,
    type: "Adopting",
    onInterrupted: "ask",
    behaviour: {
      kind: "leaf",
      run(_input, context) {
        context.log("stdout", Buffer.from(`attempt ${context.attempt}`));
        context.log("stderr", Buffer.from("half done"));
        return new Promise(() => {});
      },
      async adopt(_input, soFar) {
        seen.push(soFar);
        return { kind: "succeeded", outputs: { value: soFar.stdout, code: 7 } };
      },
    },
  };
}

function metadataOf(run: TestRun, path: string): unknown {
  return run.state.nodes.get(path)?.record.metadata;
}

test("rerun: the block runs as another attempt", async () => {
  const machine = createMachine();
  const runId = await interrupt(machine, step("a", asks));
  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.takeOver(runId);
  const { response } = await run.settled;
  expect(response).toMatchObject({
    status: "paused",
    pending: [{ block: "a", audience: "llm", choices: ["rerun", "done", "fail"] }],
  });
  expect(response.pending?.[0]?.prompt).toContain("'a' was running when Frond ended");
  expect(await run.answer("a", "rerun")).toMatchObject({ ok: true });
  await run.idle();
  expect(steps.context("a").attempt).toBe(2);
  expect(steps.answer("a")).toBeUndefined();
  steps.succeed("a", "made");
  expect((await run.goOn()).state.root.record.blocks.a?.outputs).toEqual({ value: "made", code: 0 });
});

test("done: without other means, its default outputs with what tells of success; it does not run", async () => {
  const machine = createMachine();
  const runId = await interrupt(machine, step("a", asks), step("after", { depends_on: ["a"] }));
  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.takeOver(runId);
  await run.settled;
  await run.answer("a", "done");
  await run.idle();
  expect(steps.begun).toEqual(["after"]);
  expect(metadataOf(run, "a")).toMatchObject({ status: "completed", succeeded: true, attempts: 1 });
  expect(run.state.root.record.blocks.a?.outputs).toEqual({ value: null, code: 0 });
  steps.succeed("after");
  expect((await run.goOn()).response.status).toBe("success");
});

test("done: a type that can tell makes its outputs from what the latest attempt wrote", async () => {
  const machine = createMachine();
  const runId = await interrupt(machine, { id: "a", type: "Adopting" });
  const second = createStepEngine({ machine, types: [adopting()] });
  const again = await second.engine.takeOver(runId, { onInterrupted: "rerun" });
  await again.idle();
  second.engine.process.die();

  const seen: WrittenSoFar[] = [];
  const { engine } = createStepEngine({ machine, types: [adopting(seen)] });
  const run = await engine.takeOver(runId);
  await run.settled;
  await run.answer("a", "done");
  const { state } = await run.goOn();
  expect(seen).toEqual([{ stdout: "attempt 2", stderr: "half done" }]);
  expect(state.root.record.blocks.a?.outputs).toEqual({ value: "attempt 2", code: 7 });
});

test("fail: the block fails and says why; what handles failures runs", async () => {
  const machine = createMachine();
  const runId = await interrupt(
    machine,
    step("a", asks),
    step("after", { depends_on: ["a"] }),
    step("handler", { condition: "${blocks.a.failed}" }),
  );
  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.takeOver(runId);
  await run.settled;
  await run.answer("a", "fail");
  await run.idle();
  expect(steps.begun).toEqual(["handler"]);
  expect(metadataOf(run, "a")).toMatchObject({
    status: "failed",
    message: "Frond ended while it ran, so it is not known how far it got",
  });
  expect(run.state.root.record.blocks.a?.outputs).toEqual({ value: null, code: -1 });
  expect(metadataOf(run, "after")).toMatchObject({ status: "skipped" });
});

test.each(["yes", "", "DONE", 1, null])("%j is no decision: the question stays, nothing changes", async (answer) => {
  const machine = createMachine();
  const runId = await interrupt(machine, step("a", asks));
  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.takeOver(runId);
  await run.settled;
  const before = await machine.journal.read(runId);
  expect(await run.answer("a", answer)).toMatchObject({ ok: false });
  await run.idle();
  expect(await machine.journal.read(runId)).toEqual(before);
  expect((await machine.journal.find(runId))?.questions).toHaveLength(1);
  expect(steps.begun).toEqual([]);
});

test("while one block is asked about, the others go on", async () => {
  const machine = createMachine();
  const runId = await interrupt(machine, step("a", asks), step("b"), step("after", { depends_on: ["b"] }));
  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.takeOver(runId);
  await run.idle();
  expect(steps.running).toEqual(["b"]);
  expect(run.state.questions.size).toBe(1);
  steps.succeed("b");
  await run.idle();
  expect(steps.running).toEqual(["after"]);
  await run.answer("a", "rerun");
  await run.idle();
  expect(steps.running).toEqual(["after", "a"]);
  expect(run.events.some(({ type }) => type === "run-paused")).toBe(false);
});

test("the question is the same when it is asked before an answer came: it survives any number of deaths", async () => {
  const machine = createMachine();
  const runId = await interrupt(machine, step("a", asks), step("busy"));
  const ids = new Set<string>();
  for (const _ of [1, 2, 3]) {
    const { engine } = createStepEngine({ machine });
    const run = await engine.takeOver(runId);
    await run.idle();
    for (const id of run.state.questions.keys()) ids.add(id);
    engine.process.die();
  }
  expect(ids.size).toBe(1);
  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.takeOver(runId);
  await run.idle();
  await run.answer("a", "rerun");
  await run.idle();
  expect(steps.context("a").attempt).toBe(2);
});

test.each(["rerun", "done"])(
  "a decision (%s) holds when the engine dies before there is room for it",
  async (decision) => {
    const machine = createMachine();
    const first = createStepEngine({ machine });
    const started = await first.engine.start({ blocks: [step("a", asks), step("busy")] }, { maxParallel: 1 });
    await started.idle();
    first.engine.process.die();
    const second = createStepEngine({ machine });
    const next = await second.engine.takeOver(started.runId);
    await next.idle();
    expect(second.steps.running).toEqual(["busy"]);
    await next.answer("a", decision);
    await next.idle();
    expect(second.steps.running).toEqual(["busy"]);
    second.engine.process.die();

    const { engine, steps } = createStepEngine({ machine });
    const run = await engine.takeOver(started.runId);
    for (const _ of ["a", "busy"]) {
      await run.idle();
      expect(run.state.questions.size).toBe(0);
      if (steps.running.length > 0) steps.succeed(steps.running[0] as string);
    }
    expect((await run.settled).response.status).toBe("success");
    expect(steps.begun.toSorted()).toEqual(decision === "rerun" ? ["a", "busy"] : ["busy"]);
  },
);

test("a block that was taken for done is adopted again when the engine dies meanwhile", async () => {
  const machine = createMachine();
  const runId = await interrupt(machine, { id: "a", type: "Adopting" });
  let adopted = 0;
  const slow: BlockType = {
    ...adopting(),
    behaviour: {
      kind: "leaf",
      run: () => new Promise(() => {}),
      adopt() {
        adopted++;
        return new Promise(() => {});
      },
    },
  };
  const second = createStepEngine({ machine, types: [slow] });
  const first = await second.engine.takeOver(runId);
  await first.settled;
  await first.answer("a", "done");
  await first.idle();
  expect(adopted).toBe(1);
  second.engine.process.die();

  const { engine } = createStepEngine({ machine, types: [adopting()] });
  const run = await engine.takeOver(runId);
  const { response } = await run.settled;
  expect(response).toMatchObject({ status: "success", blocks: { a: { outputs: { value: "attempt 1" } } } });
});

test("a block that is rerun by decision and interrupted once more is asked about again, under a new id", async () => {
  const machine = createMachine();
  const runId = await interrupt(machine, step("a", asks));
  const second = createStepEngine({ machine });
  const first = await second.engine.takeOver(runId);
  await first.settled;
  const [id] = [...first.state.questions.keys()];
  await first.answer("a", "rerun");
  await first.idle();
  second.engine.process.die();

  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.takeOver(runId);
  await run.settled;
  const [next] = [...run.state.questions.keys()];
  expect(next).not.toBe(id);
  await run.answer("a", "rerun");
  await run.idle();
  expect(steps.context("a").attempt).toBe(3);
});

test("asked about while it went on with an answer, `rerun` goes on with that answer", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({ blocks: [step("a", asks)] });
  await started.idle();
  first.steps.pause("a");
  await started.settled;
  await started.answer("a", "blue");
  await started.idle();
  first.engine.process.die();

  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.takeOver(started.runId);
  expect((await run.settled).response.pending?.[0]?.prompt).toContain("was running when Frond ended");
  await run.answer("a", "rerun");
  await run.idle();
  expect(steps.answer("a")).toBe("blue");
  expect(steps.context("a").attempt).toBe(2);
});

test("cancelling an interrupted run ends it, and nothing of it starts", async () => {
  const machine = createMachine();
  const workflows = { child: { blocks: [step("x"), step("y", { depends_on: ["x"] })] } };
  const first = createStepEngine({ machine, workflows });
  const started = await first.engine.start({
    max_parallel: 2,
    blocks: [step("a"), call("n", "child"), step("waits"), step("after", { depends_on: ["a"] })],
  });
  await started.idle();
  first.engine.process.die();
  const { engine, steps } = createStepEngine({ machine, workflows });
  const cancelled = await cancelRun(engine.engine, started.runId, { onEvents() {}, onOutput() {} });
  expect(cancelled).toEqual({ ok: true, value: "cancelled" });
  expect(steps.begun).toEqual([]);
  const summary = await machine.journal.find(started.runId);
  expect(summary).toMatchObject({ status: "failure", cancelled: true, error: "cancelled", questions: [] });
  expect(summary?.lease).toBeUndefined();
});

test("a run that was being cancelled when its engine died goes on being cancelled", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({
    blocks: [step("a", asks), step("asks"), step("after", { depends_on: ["a"] })],
  });
  await started.idle();
  first.steps.pause("asks");
  await started.idle();
  first.engine.process.doom("after-append");
  void started.cancel();
  await started.idle();

  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.takeOver(started.runId);
  const { response } = await run.settled;
  expect(response).toMatchObject({ status: "failure", error: "cancelled", cancelled: true });
  expect(steps.begun).toEqual([]);
  expect(run.events.filter(({ type }) => type === "block-paused")).toHaveLength(1);
  expect(metadataOf(run, "a")).toMatchObject({ status: "failed", message: "cancelled" });
  expect(metadataOf(run, "asks")).toMatchObject({ status: "failed", message: "cancelled" });
  expect(metadataOf(run, "after")).toMatchObject({ status: "skipped" });
});

test("an interrupted element of a loop that has stopped is asked about no more, and did not just wait", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({
    blocks: [step("loop", { for_each: [1, 2, 3], max_parallel: 2, on_error: "stop", ...asks })],
  });
  await started.idle();
  first.steps.fail("loop/0");
  await started.idle();
  expect(first.steps.running).toEqual(["loop/1"]);
  first.engine.process.die();

  const { engine } = createStepEngine({ machine });
  const run = await engine.takeOver(started.runId);
  await run.settled;
  expect(metadataOf(run, "loop/1")).toMatchObject({ status: "failed" });
  expect(metadataOf(run, "loop/2")).toMatchObject({ status: "skipped" });
});
