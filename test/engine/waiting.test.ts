import { beforeEach, describe, expect, test } from "vitest";
import type { RunEvent, RunStarted } from "../../src/engine/events.ts";
import { createFakeClock, type FakeClock } from "../rig/fake-clock.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, giving, step } from "../rig/step-engine.ts";

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

const hour = 3_600_000;

function wait(id: string, duration: string, more: object = {}): object {
  return { id, type: "Wait", inputs: { duration }, ...more };
}

describe("Wait", () => {
  test("sleeps for its time, and says how long it was", async () => {
    const { engine, steps } = createStepEngine({ clock });
    const run = await engine.start({
      blocks: [wait("nap", "30s"), step("after", { depends_on: ["nap"] })],
      outputs: { waited: "${blocks.nap.waited_ms}" },
    });
    await run.idle();
    clock.advance(29_999);
    await run.idle();
    expect(steps.running).toEqual([]);
    clock.advance(1);
    await run.idle();
    steps.succeed("after");
    expect((await run.settled).response).toMatchObject({ status: "success", outputs: { waited: 30_000 } });
  });

  test("holds no slot while it sleeps", async () => {
    const { engine, steps } = createStepEngine({ clock });
    const run = await engine.start({ blocks: [wait("nap", "30s"), step("other")] }, { maxParallel: 1 });
    await run.idle();
    expect(steps.running).toEqual(["other"]);
    await run.cancel();
  });

  test("does not count for a time limit around it", async () => {
    const workflows = { child: { timeout: "10s", blocks: [wait("nap", "50s"), step("x", { depends_on: ["nap"] })] } };
    const { engine, steps } = createStepEngine({ clock, workflows });
    const run = await engine.start({ blocks: [call("nested", "child")] });
    await run.idle();
    clock.advance(50_000);
    await run.idle();
    expect(steps.running).toEqual(["nested/x"]);
    clock.advance(9_000);
    await run.idle();
    steps.succeed("nested/x");
    expect((await run.settled).response.status).toBe("success");
  });

  test("that is cancelled ends at once", async () => {
    const { engine } = createStepEngine({ clock });
    const run = await engine.start({ blocks: [wait("nap", "50s")] });
    await run.idle();
    await run.cancel();
    expect((await run.settled).response).toMatchObject({ status: "failure", cancelled: true });
  });
});

describe("a run in which all that is left sleeps", () => {
  test("for a minute or more is released, and says until when", async () => {
    const machine = createMachine();
    const { engine } = createStepEngine({ machine, clock });
    const run = await engine.start({ blocks: [giving("a", 1), wait("nap", "2h"), wait("late", "3h")] });
    const { response } = await run.settled;
    const wakeAt = new Date(clock.now().getTime() + 2 * hour).toISOString();
    expect(response).toMatchObject({ status: "sleeping", wake_at: wakeAt });
    const summary = await machine.journal.find(run.runId);
    expect(summary).toMatchObject({ status: "sleeping", wakeAt });
    expect(summary?.lease).toBeUndefined();
    expect(clock.timers).toBe(0);
  });

  test("is not woken before its time, whoever takes it, and once when it has come", async () => {
    const machine = createMachine();
    const first = createStepEngine({ machine, clock });
    const started = await first.engine.start({ blocks: [wait("nap", "2h"), step("after", { depends_on: ["nap"] })] });
    await started.settled;
    const early = createStepEngine({ machine, clock });
    clock.advance(hour);
    await (await early.engine.takeOver(started.runId)).settled;
    expect(await machine.journal.find(started.runId)).toMatchObject({ status: "sleeping" });
    clock.advance(hour);
    const late = createStepEngine({ machine, clock });
    const run = await late.engine.takeOver(started.runId);
    await run.idle();
    expect(late.steps.running).toEqual(["after"]);
    late.steps.succeed("after");
    const { events } = await run.settled;
    expect(events.filter(({ type }) => type === "block-woken")).toHaveLength(1);
    expect(await machine.journal.find(started.runId)).toMatchObject({ status: "success", wakeAt: null });
  });

  test("and asks something as well is paused, and goes on with either", async () => {
    const machine = createMachine();
    const { engine, steps } = createStepEngine({ machine, clock });
    const run = await engine.start({ blocks: [wait("nap", "2h"), step("asks")] });
    await run.idle();
    steps.pause("asks");
    await run.settled;
    const summary = await machine.journal.find(run.runId);
    expect(summary).toMatchObject({ status: "paused", questions: [{ path: "asks" }] });
    expect(summary?.wakeAt).not.toBeNull();
    await run.answer("asks", "yes");
    await run.idle();
    steps.succeed("asks");
    await run.goOn();
    expect(await machine.journal.find(run.runId)).toMatchObject({ status: "sleeping" });
  });

  test("woken late goes on at once", async () => {
    const machine = createMachine();
    const first = createStepEngine({ machine, clock });
    const started = await first.engine.start({
      blocks: [wait("nap", "2h")],
      outputs: { waited: "${blocks.nap.waited_ms}" },
    });
    await started.settled;
    clock.advance(100 * hour);
    const { engine } = createStepEngine({ machine, clock });
    const { response } = await (await engine.takeOver(started.runId)).settled;
    expect(response).toMatchObject({ status: "success", outputs: { waited: 100 * hour } });
  });
});

describe("repeat", () => {
  test("runs a block until its condition holds: passes that were not needed do not exist", async () => {
    const { engine } = createStepEngine({ clock });
    const { response, state } = await engine.run({
      blocks: [giving("count", "${each.index}", { repeat: { max: 10, until: "${this.value} == 2" } })],
      outputs: { all: "${blocks.count.results}", last: "${blocks.count.last.value}", count: "${blocks.count.count}" },
    });
    expect(response).toMatchObject({ status: "success", outputs: { last: 2, count: 3 } });
    expect(Object.keys(state.root.record.blocks.count?.blocks ?? {})).toEqual(["0", "1", "2"]);
  });

  test("that never meets its condition fails, and says so", async () => {
    const { engine } = createStepEngine({ clock });
    const { response } = await engine.run({
      blocks: [giving("count", 1, { repeat: { max: 2, until: "${this.value} == 2" } })],
    });
    expect(response.failed_blocks?.[0]?.message).toBe("not met after 2 passes: ${this.value} == 2");
  });

  test("builds on the pass before", async () => {
    const { engine } = createStepEngine({ clock });
    const { response } = await engine.run({
      blocks: [
        giving("sum", "${default(each.previous.value, 0) + 2}", { repeat: { max: 4 } }),
        giving("row", "${default(each.previous.value, 0) + each.value}", {
          for_each: [1, 2, 3],
          for_each_mode: "sequential",
        }),
      ],
      outputs: { sum: "${blocks.sum.last.value}", row: "${blocks.row.results[2].value}" },
    });
    expect(response).toMatchObject({ status: "success", outputs: { sum: 8, row: 6 } });
  });

  test("goes on after a failed pass, and ends with one that crashed", async () => {
    const { engine, steps } = createStepEngine({ clock });
    const run = await engine.start({ blocks: [step("x", { repeat: { max: 5, until: "${this.succeeded}" } })] });
    await run.idle();
    steps.fail("x/0");
    await run.idle();
    steps.crash("x/1", "broke");
    const { response } = await run.settled;
    expect(steps.begun).toEqual(["x/0", "x/1"]);
    expect(response.failed_blocks).toMatchObject([{ block: "x", message: "'1' could not run: broke" }]);
  });

  test("that succeeds after failed passes is a success, in which nothing failed", async () => {
    const { engine, steps } = createStepEngine({ clock });
    const run = await engine.start({ blocks: [step("x", { repeat: { max: 5, until: "${this.succeeded}" } })] });
    await run.idle();
    steps.fail("x/0");
    await run.idle();
    steps.succeed("x/1");
    const { response } = await run.settled;
    expect(response.status).toBe("success");
    expect(response).not.toHaveProperty("failed_blocks");
  });

  test("waits between passes, durably", async () => {
    const machine = createMachine();
    const first = createStepEngine({ machine, clock });
    const blocks = [step("x", { repeat: { max: 3, until: "${this.value} == 'done'", delay: "10m" } })];
    const started = await first.engine.start({ blocks });
    await started.idle();
    first.steps.succeed("x/0", "not yet");
    await started.settled;
    expect(await machine.journal.find(started.runId)).toMatchObject({ status: "sleeping" });
    clock.advance(600_000);
    const { engine, steps } = createStepEngine({ machine, clock });
    const run = await engine.takeOver(started.runId);
    await run.idle();
    expect(steps.running).toEqual(["x/1"]);
    steps.succeed("x/1", "done");
    expect((await run.settled).response.status).toBe("success");
  });

  test("that is cancelled between passes ends, and the pass to come is skipped", async () => {
    const { engine, steps } = createStepEngine({ clock });
    const run = await engine.start({ blocks: [step("x", { repeat: { max: 3, delay: "30s" } })] });
    await run.idle();
    steps.succeed("x/0");
    await run.idle();
    await run.cancel();
    const { state } = await run.settled;
    expect(state.nodes.get("x/1")?.record.metadata.status).toBe("skipped");
    expect(state.nodes.get("x")?.record.metadata).toMatchObject({ status: "failed", message: "cancelled" });
  });
});

describe("expect", () => {
  const shell = (command: string, expected: object): object => ({
    id: "x",
    type: "Shell",
    inputs: { command },
    expect: expected,
  });

  test.each([
    { what: "another exit code", block: shell("exit 3", { exit_code: [0, 3] }), message: null },
    { what: "no such exit code", block: shell("true", { exit_code: 3 }), message: "exit code 0, expected 3" },
    { what: "a file that is there", block: shell("mkdir d; touch d/f", { file_exists: "d/f" }), message: null },
    {
      what: "a file that is not",
      block: shell("true", { file_exists: "d/f" }),
      message: "expected the file 'd/f', which is not there",
    },
    { what: "a condition", block: shell("echo yes", { condition: "${trim(this.stdout)} == 'yes'" }), message: null },
    {
      what: "a condition that is false",
      block: shell("echo no", { condition: "${trim(this.stdout)} == 'yes'" }),
      message: "not as expected: ${trim(this.stdout)} == 'yes'",
    },
    {
      what: "all of it",
      block: shell("touch f; exit 4", { exit_code: 4, file_exists: "f", condition: "${this.exit_code} == 4" }),
      message: null,
    },
  ])("$what decides whether a completed operation is a success", async ({ block, message }) => {
    const { engine } = createStepEngine();
    const { state } = await engine.run({ blocks: [block] });
    const { metadata } = state.nodes.get("x")?.record ?? {};
    expect(metadata).toMatchObject({ status: "completed", message, outcome: message === null ? "success" : "failure" });
  });

  test("takes no exit code for a success that leaves a required output out", async () => {
    const { engine } = createStepEngine();
    const outputs = { r: { type: "json", path: "missing.json", required: true } };
    const { state } = await engine.run({ blocks: [{ ...shell("exit 3", { exit_code: [0, 3] }), outputs }] });
    const { metadata } = state.nodes.get("x")?.record ?? {};
    expect(metadata).toMatchObject({ outcome: "failure", message: "the file of the output 'r' is missing" });
  });

  test("holds for a block that is found done after a crash", async () => {
    const machine = createMachine();
    const write = {
      id: "x",
      type: "CreateFile",
      inputs: { path: "f", content: "made" },
      expect: { condition: "1 == 2" },
    };
    const first = createStepEngine({ machine });
    const { events } = await first.engine.run({ blocks: [write] });
    const upTo = events.findIndex(({ type }) => type === "file-changed") + 1;
    const [started, ...rest] = events.slice(0, upTo) as [RunStarted, ...RunEvent[]];
    const again = { ...started, runId: "run_again" };
    await machine.journal.create({ events: [again, ...rest], owner: first.engine.process.owners.self });
    first.engine.process.die();
    const run = await createStepEngine({ machine }).engine.takeOver("run_again");
    const { state } = await run.settled;
    expect(state.nodes.get("x")?.record.metadata).toMatchObject({
      outcome: "failure",
      message: "not as expected: 1 == 2",
    });
  });

  test("makes a block be tried again until it is as expected", async () => {
    const { engine } = createStepEngine();
    const block = {
      ...shell("echo x >> n; wc -l < n", { condition: "${trim(this.stdout)} == '3'" }),
      retry: { attempts: 5, delay: 0 },
    };
    const { state } = await engine.run({ blocks: [block] });
    expect(state.nodes.get("x")?.record.metadata).toMatchObject({ attempts: 3, outcome: "success" });
  });

  test("holds for a nested workflow too", async () => {
    const workflows = { child: { blocks: [giving("v", 1)], outputs: { v: "${blocks.v.value}" } } };
    const { engine } = createStepEngine({ workflows });
    const { state } = await engine.run({
      blocks: [call("nested", "child", {}, { expect: { condition: "${this.v} == 2" } })],
    });
    expect(state.nodes.get("nested")?.record.metadata).toMatchObject({
      outcome: "failure",
      message: "not as expected: ${this.v} == 2",
    });
  });
});
