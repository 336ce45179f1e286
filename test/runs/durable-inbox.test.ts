import { beforeEach, expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import type { Value } from "../../src/expression/value.ts";
import { type Answered, answerQuestion } from "../../src/runs/answer-question.ts";
import { cancelRun } from "../../src/runs/cancel-run.ts";
import { ok } from "../../src/util/result.ts";
import type { TestEngine, TestRun } from "../rig/engine.ts";
import { createFakeClock, type FakeClock } from "../rig/fake-clock.ts";
import { HeldJournal } from "../rig/held-journal.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { createStepEngine, ending, step } from "../rig/step-engine.ts";

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock({ intervals: true });
});

const nobody = { onEvents() {}, onOutput() {} };

function questionAt(run: TestRun, path: string): string {
  const [id] = [...run.state.questions].find(([, node]) => node.path === path) ?? [];
  if (id === undefined) throw new Error(`${path} asks nothing.`);
  return id;
}

async function answer({ engine }: TestEngine, id: string, value: Value): Promise<Answered["kind"] | string> {
  const answered = await answerQuestion(engine, id, { value, by: "elsewhere", isHuman: true }, nobody);
  return answered.ok ? answered.value.kind : answered.error.message;
}

/** The owner looks into the inbox of its run. */
async function lookIntoInbox(run: TestRun): Promise<void> {
  clock.advance(250);
  await run.idle();
}

async function isHeld({ journal }: TestMachine, runId: string): Promise<boolean> {
  return (await journal.find(runId))?.lease !== undefined;
}

test("an answer from another process reaches the run that is held here", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [step("a"), step("busy")] });
  await run.idle();
  first.steps.pause("a");
  await run.idle();
  const second = createStepEngine({ machine });
  expect(await answer(second.engine, questionAt(run, "a"), "blue")).toBe("posted");
  await run.idle();
  expect(first.steps.running).toEqual(["busy"]);
  await lookIntoInbox(run);
  expect(first.steps.running).toEqual(["busy", "a"]);
  expect(first.steps.answer("a")).toBe("blue");
  expect(second.steps.begun).toEqual([]);
  expect(run.events).toContainEqual(
    expect.objectContaining({ type: "question-answered", answer: "blue", by: "elsewhere" }),
  );
  expect(await machine.journal.requests(run.runId)).toEqual([]);
});

test("a cancellation from another process ends the run that is held here", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [step("a")] });
  await run.idle();
  const second = createStepEngine({ machine });
  expect(await cancelRun(second.engine.engine, run.runId, nobody)).toEqual({ ok: true, value: "posted" });
  expect(run.state.finished).toBeUndefined();
  await lookIntoInbox(run);
  expect((await run.settled).response).toMatchObject({ status: "failure", cancelled: true });
  expect(await isHeld(machine, run.runId)).toBe(false);
  expect(await cancelRun(second.engine.engine, run.runId, nobody)).toEqual({ ok: true, value: "ended-before" });
});

test("of two answers to one question the first counts, and the second changes nothing", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [step("a"), step("busy")] });
  await run.idle();
  first.steps.pause("a");
  await run.idle();
  const id = questionAt(run, "a");
  const others = [createStepEngine({ machine }), createStepEngine({ machine })] as const;
  expect(await answer(others[0].engine, id, "one")).toBe("posted");
  expect(await answer(others[1].engine, id, "two")).toBe("answered-before");
  await lookIntoInbox(run);
  expect(first.steps.answer("a")).toBe("one");
  expect(await answer(others[1].engine, id, "three")).toBe("answered-before");
});

test("of an answer that waits in the inbox and one that is given where the run is held, the first is kept, and others are heard", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [step("a"), step("b"), step("busy")] });
  await run.idle();
  first.steps.pause("a");
  first.steps.pause("b");
  await run.idle();
  const [a, b] = [questionAt(run, "a"), questionAt(run, "b")];
  const second = createStepEngine({ machine });
  expect(await answer(second.engine, a, "first")).toBe("posted");
  expect(await answer(second.engine, b, "yes")).toBe("posted");
  expect(await run.driven.answer(a, "here, but late", "here")).toEqual(ok({ value: "first", by: "elsewhere" }));
  await run.idle();
  await lookIntoInbox(run);
  expect(first.steps.answer("a")).toBe("first");
  expect(first.steps.answer("b")).toBe("yes");
  expect(await machine.journal.requests(run.runId)).toEqual([]);
});

test("several requests that change nothing any more are all dealt with, and the run is given back", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [step("a"), step("b")] });
  await run.idle();
  first.steps.pause("a");
  await run.idle();
  const a = questionAt(run, "a");
  const { fence = 0 } = (await machine.journal.find(run.runId)) ?? {};
  const late = (questionId: string) => ({ kind: "answer", questionId, answer: "late", by: "elsewhere" }) as const;
  await run.answer("a", "here first");
  for (const id of [a, "pause_of_nobody"]) expect(await machine.journal.post(run.runId, fence, late(id))).toBe(true);
  await run.idle();
  first.steps.succeed("a");
  first.steps.succeed("b");
  expect((await run.settled).response.status).toBe("success");
  expect(await machine.journal.requests(run.runId)).toEqual([]);
  expect(await isHeld(machine, run.runId)).toBe(false);
});

/** A run whose last commit is under way: it asks something, and nothing else in it is left to do. */
async function atItsLastCommit() {
  const held = new HeldJournal();
  const machine = createMachine(held.journal);
  const first = createStepEngine({ machine });
  const blocks = [ending("a", "pause"), step("busy"), step("after", { depends_on: ["a"] })];
  const run = await first.engine.start({ blocks });
  await run.idle();
  held.hold("append");
  first.steps.succeed("busy");
  await run.idle();
  expect(held.waiting).toEqual(["append block-finished run-paused"]);
  return { held, machine, first, run };
}

test("an answer posted in the moment of the pause is not lost", async () => {
  const { held, machine, first, run } = await atItsLastCommit();
  const second = createStepEngine({ machine });
  expect(await answer(second.engine, questionAt(run, "a"), "yes")).toBe("posted");
  held.letGo();
  await run.idle();
  expect(first.steps.running).toEqual(["after"]);
  first.steps.succeed("after");
  expect((await run.settled).response.status).toBe("success");
  expect(await isHeld(machine, run.runId)).toBe(false);
});

test("a cancellation posted in the moment of the pause is not lost", async () => {
  const { held, machine, run } = await atItsLastCommit();
  const second = createStepEngine({ machine });
  expect(await cancelRun(second.engine.engine, run.runId, nobody)).toEqual({ ok: true, value: "posted" });
  held.letGo();
  expect((await run.settled).response).toMatchObject({ status: "failure", cancelled: true });
});

test("a cancellation asked for here in the moment of the pause finds it at rest, and released", async () => {
  const { held, machine, run } = await atItsLastCommit();
  const cancelled = run.cancel();
  await run.idle();
  held.letGo();
  await cancelled;
  expect((await run.settled).response.status).toBe("paused");
  expect(await isHeld(machine, run.runId)).toBe(false);
});

test("an answer given here in the moment of the pause is not lost, and somebody holds the run that goes on", async () => {
  const { held, machine, first, run } = await atItsLastCommit();
  const id = questionAt(run, "a");
  const answered = answer(first.engine, id, "yes");
  const direct = run.driven.answer(id, "yes", "test").catch(() => "refused");
  await run.idle();
  held.letGo();
  await Promise.all([answered, direct]);
  await run.idle();
  await lookIntoInbox(run);
  expect(first.steps.running).toEqual(["after"]);
  expect(await isHeld(machine, run.runId)).toBe(true);
});

test("an answer that finds the run given back in the moment of posting takes it over", async () => {
  const held = new HeldJournal();
  const machine = createMachine(held.journal);
  const first = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [step("a"), step("busy")] });
  await run.idle();
  first.steps.pause("a");
  await run.idle();
  held.hold("post");
  const second = createStepEngine({ machine });
  const answered = answer(second.engine, questionAt(run, "a"), "yes");
  await run.idle();
  expect(held.waiting).toEqual(["post"]);
  first.steps.succeed("busy");
  await run.settled;
  held.letGo();
  expect(await answered).toBe("driven");
  await run.idle();
  expect(second.steps.answer("a")).toBe("yes");
});

test("a cancellation that finds the run given back in the moment of posting ends it", async () => {
  const held = new HeldJournal();
  const machine = createMachine(held.journal);
  const first = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [step("a")] });
  await run.idle();
  held.hold("post");
  const second = createStepEngine({ machine });
  const cancelled = cancelRun(second.engine.engine, run.runId, nobody);
  await run.idle();
  first.steps.pause("a");
  await run.settled;
  held.letGo();
  expect(await cancelled).toEqual({ ok: true, value: "cancelled" });
  expect(await machine.journal.find(run.runId)).toMatchObject({ status: "failure", cancelled: true });
});

test("what was asked of an owner that died is heard by the next one", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({ blocks: [step("a"), step("busy")] });
  await started.idle();
  first.steps.pause("a");
  await started.idle();
  const third = createStepEngine({ machine });
  expect(await answer(third.engine, questionAt(started, "a"), "blue")).toBe("posted");
  first.engine.process.die();
  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  await lookIntoInbox(run);
  expect(second.steps.answer("a")).toBe("blue");
});

test("the owner says that it lives for as long as it drives the run", async () => {
  const heard: RunEvent[] = [];
  const held = new HeldJournal();
  const machine = createMachine(held.journal);
  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.start({ blocks: [step("a")] }, { onEvents: (events) => void heard.push(...events) });
  await run.idle();
  held.hold("heartbeat");
  clock.advance(10_000);
  expect(held.waiting).toEqual(["heartbeat"]);
  held.letNext();
  steps.succeed("a");
  await run.settled;
  clock.advance(60_000);
  expect(held.waiting).toEqual([]);
});
