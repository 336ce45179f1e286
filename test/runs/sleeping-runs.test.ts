import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import type { DrivenRun } from "../../src/runs/driven-run.ts";
import { readRun } from "../../src/runs/read-run.ts";
import { findLeft } from "../../src/runs/recover-runs.ts";
import { takeWhenDue } from "../../src/runs/take-when-due.ts";
import { createTestEngine, type TestEngine, type TestRun } from "../rig/engine.ts";
import { createFakeClock, type FakeClock } from "../rig/fake-clock.ts";
import { idle } from "../rig/idle.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { createStepEngine, step } from "../rig/step-engine.ts";

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

const minute = 60_000;
const twoHours = 120 * minute;
const waiting = { blocks: [{ id: "wait", type: "Wait", inputs: { duration: "2h" } }] };

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await idle();
}

interface Sleeping {
  readonly machine: TestMachine;
  readonly first: TestEngine;
  readonly run: TestRun;
  readonly wakeAt: string;
}

async function startSleeping(): Promise<Sleeping> {
  const machine = createMachine();
  const first = createTestEngine({ machine, clock });
  const wakeAt = new Date(clock.now().getTime() + twoHours).toISOString();
  const run = await first.start(waiting);
  await run.settled;
  return { machine, first, run, wakeAt };
}

/** Processes that each wait for the run, as a server does that has driven it. */
function waitIn(
  engines: readonly TestEngine[],
  runId: string,
): { readonly taken: TestEngine[]; done(): Promise<void> } {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const taken: TestEngine[] = [];
  const listener = { onEvents() {}, onOutput() {} };
  const settled = engines.map(async (engine) => {
    const run: DrivenRun | undefined = await takeWhenDue(engine.engine, runId, listener, stopping.signal);
    if (run === undefined) return;
    taken.push(engine);
    await run.settled();
  });
  return { taken, done: async () => void (await Promise.all(settled)) };
}

function count(events: readonly RunEvent[], type: RunEvent["type"]): number {
  return events.filter((event) => event.type === type).length;
}

test("a run that sleeps for two hours is held by nobody, and its summary says when it is to be woken", async () => {
  const { machine, first, run, wakeAt } = await startSleeping();
  const summary = await machine.journal.find(run.runId);
  expect(summary).toMatchObject({ status: "sleeping", wakeAt });
  expect(summary?.lease).toBeUndefined();
  const { platform, workflows } = first.engine;
  const read = await readRun(platform, workflows.catalog, run.runId);
  expect(read.ok && read.value.status).toBe("sleeping");
  expect((await findLeft(platform)).here).toEqual([]);
  await pass(twoHours + 1);
  expect((await findLeft(platform)).here.map(({ runId }) => runId)).toEqual([run.runId]);
});

test("of three processes that wait for a run, one wakes it, once, when its time has come", async () => {
  const { machine, first, run, wakeAt } = await startSleeping();
  const engines = [first, createTestEngine({ machine, clock }), createTestEngine({ machine, clock })];
  const { taken, done } = waitIn(engines, run.runId);
  await idle();
  for (let passed = 0; passed < twoHours - minute; passed += minute) await pass(minute);
  await pass(minute - 1);
  expect(taken).toEqual([]);
  await pass(1);
  await done();
  expect(taken).toHaveLength(1);
  const events = await machine.journal.read(run.runId);
  expect(count(events, "block-woken")).toBe(1);
  expect(count(events, "run-resumed")).toBe(1);
  expect(events.find(({ type }) => type === "block-woken")?.at).toBe(wakeAt);
  const summary = await machine.journal.find(run.runId);
  expect(summary).toMatchObject({ status: "success", wakeAt: null });
  expect(summary?.lease).toBeUndefined();
});

test("a machine that was asleep itself wakes a run late, and once", async () => {
  const { machine, first, run } = await startSleeping();
  const engines = [first, createTestEngine({ machine, clock }), createTestEngine({ machine, clock })];
  const { taken, done } = waitIn(engines, run.runId);
  await idle();
  await pass(10 * twoHours);
  await done();
  expect(taken).toHaveLength(1);
  const events = await machine.journal.read(run.runId);
  expect(count(events, "block-woken")).toBe(1);
  expect(events.at(-1)).toMatchObject({ type: "run-finished", outcome: "success" });
});

test("whoever takes a sleeping run before its time gives it back as it is", async () => {
  const { machine, run, wakeAt } = await startSleeping();
  const before = (await machine.journal.read(run.runId)).length;
  await pass(twoHours - 1000);
  const other = createTestEngine({ machine, clock });
  await (await other.takeOver(run.runId)).settled;
  const summary = await machine.journal.find(run.runId);
  expect(summary).toMatchObject({ status: "sleeping", wakeAt, sequence: before });
  expect(summary?.lease).toBeUndefined();
});

test("a process that dies when it has woken a run leaves the rest to another, which does not wake it again", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine, clock });
  const retried = { blocks: [step("a", { retry: { attempts: 2, delay: "2h" } })] };
  const run = await first.engine.start(retried);
  await idle();
  first.steps.fail("a");
  await run.settled;
  expect(await machine.journal.find(run.runId)).toMatchObject({ status: "sleeping" });
  await pass(twoHours);
  const second = createStepEngine({ machine, clock });
  second.engine.process.doom("after-append");
  // It does not live to see the end of it.
  void second.engine.takeOver(run.runId);
  await idle();
  expect(second.engine.process.isDead).toBe(true);
  const third = createStepEngine({ machine, clock });
  const last = await third.engine.takeOver(run.runId);
  await idle();
  third.steps.succeed("a");
  const { response, events } = await last.settled;
  expect(response.status).toBe("success");
  expect(count(events, "block-woken")).toBe(1);
  expect(events.flatMap((event) => (event.type === "block-started" ? [event.attempt] : []))).toEqual([1, 2, 3]);
});

test("a process that waits for a run waits on when another one has gone on with it, and wakes it when it sleeps again", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine, clock });
  const blocks = [step("asks"), { id: "wait", type: "Wait", inputs: { duration: "2h" } }];
  const run = await first.engine.start({ blocks });
  await run.idle();
  first.steps.pause("asks");
  await run.settled;
  const patient = createStepEngine({ machine, clock });
  const { taken, done } = waitIn([patient.engine], run.runId);
  await idle();
  await run.answer("asks", "yes");
  await run.idle();
  await pass(minute);
  first.steps.succeed("asks");
  await run.goOn();
  expect(await machine.journal.find(run.runId)).toMatchObject({ status: "sleeping" });
  for (let passed = 0; passed <= twoHours; passed += minute) await pass(minute);
  await done();
  expect(taken).toHaveLength(1);
  expect(await machine.journal.find(run.runId)).toMatchObject({ status: "success" });
});
