import { expect, onTestFinished, test, vi } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { type Journal, JournalError } from "../../src/journal/journal.ts";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { RunLost } from "../../src/runs/driven-run.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { HeldJournal } from "../rig/held-journal.ts";
import { idle } from "../rig/idle.ts";
import { createMachine } from "../rig/machine.ts";
import { createStepEngine, ending, step } from "../rig/step-engine.ts";
import { Steps } from "../rig/steps.ts";

/** A journal that says which of its calls have changed something. */
function countWrites(): { readonly calls: string[]; readonly journal: Journal } {
  const calls: string[] = [];
  const writing = new Set(["create", "claim", "append", "heartbeat", "release", "abandon", "post", "settle"]);
  const journal = decorateJournal(createMemoryJournal(), ({ name, perform }) => {
    if (writing.has(name)) calls.push(name);
    return perform();
  });
  return { calls, journal };
}

const broken = new JournalError("corrupt", "The journal is broken.");

test("nothing begins before its intent is durable, and nobody hears of it before", async () => {
  const held = new HeldJournal();
  const { engine, steps } = createStepEngine({ machine: createMachine(held.journal) });
  const heard: string[] = [];
  held.hold("create", "append");
  const starting = engine.start(
    { blocks: [step("a"), step("b", { depends_on: ["a"] })] },
    { onEvents: (events) => void heard.push(...events.map(({ type }) => type)) },
  );
  await idle();
  expect(held.waiting).toEqual(["create run-started block-started"]);
  expect(steps.begun).toEqual([]);
  expect(heard).toEqual([]);
  held.letNext();
  const run = await starting;
  await run.idle();
  expect(steps.begun).toEqual(["a"]);
  expect(heard).toEqual(["run-started", "block-started"]);

  // The end of one block and the start of the next share a commit.
  steps.succeed("a");
  await run.idle();
  expect(held.waiting).toEqual(["append block-finished block-started"]);
  expect(steps.begun).toEqual(["a"]);
  expect(heard).toHaveLength(2);
  held.letNext();
  await run.idle();
  expect(steps.begun).toEqual(["a", "b"]);
  steps.succeed("b");
  await run.idle();
  expect(held.waiting).toEqual(["append block-finished run-finished"]);
  let isSettled = false;
  void run.settled.then(() => {
    isSettled = true;
  });
  await run.idle();
  expect(isSettled).toBe(false);
  held.letNext();
  expect((await run.settled).response.status).toBe("success");
  expect(heard.at(-1)).toBe("run-finished");
});

test("a run is made with its first commit, and released with its last", async () => {
  const { calls, journal } = countWrites();
  const { engine, steps } = createStepEngine({ machine: createMachine(journal) });
  const run = await engine.start({ blocks: [step("a")] });
  await run.idle();
  expect((await journal.find(run.runId))?.lease).toBeDefined();
  steps.succeed("a");
  expect((await run.settled).response.status).toBe("success");
  expect((await journal.find(run.runId))?.lease).toBeUndefined();
  expect(calls).toEqual(["create", "append"]);
});

test("a run that comes to rest before its first commit is made without an owner", async () => {
  const { calls, journal } = countWrites();
  const { engine } = createStepEngine({ machine: createMachine(journal) });
  const skipped = { ...step("a"), condition: "false" };
  const { events } = await (await engine.start({ blocks: [skipped] })).settled;
  expect(events.map(({ type }) => type)).toEqual(["run-started", "block-skipped", "run-finished"]);
  expect((await journal.list({}))[0]).toMatchObject({ status: "success", fence: 1 });
  expect((await journal.list({}))[0]).not.toHaveProperty("lease");
  expect(calls).toEqual(["create"]);
});

test("what was asked of a run during its last commit keeps it from being released, and is heard", async () => {
  const held = new HeldJournal();
  const { engine, steps } = createStepEngine({ machine: createMachine(held.journal) });
  const run = await engine.start({ blocks: [step("a")] });
  await run.idle();
  held.hold("append");
  steps.pause("a");
  await run.idle();
  expect(held.waiting).toEqual(["append block-paused run-paused"]);
  expect(await held.journal.post(run.runId, 1, { kind: "cancel", message: "enough" })).toBe(true);
  held.letGo();
  expect((await run.settled).response).toMatchObject({ status: "failure", cancelled: true });
  expect(await held.journal.requests(run.runId)).toEqual([]);
  expect(await held.journal.find(run.runId)).not.toHaveProperty("lease");
});

test("what happens during a commit waits for the next one, and all of it shares that", async () => {
  const held = new HeldJournal();
  const { engine, steps } = createStepEngine({ machine: createMachine(held.journal) });
  const run = await engine.start({ blocks: [step("a"), step("b"), step("c")] });
  await run.idle();
  held.hold("append");
  steps.succeed("a");
  await run.idle();
  steps.fail("b");
  await run.idle();
  steps.pause("c");
  await run.idle();
  expect(held.waiting).toEqual(["append block-finished"]);
  held.letNext();
  await run.idle();
  expect(held.waiting).toEqual(["append block-finished block-paused run-paused"]);
});

test("an answer resolves when it is durable, and what it frees begins only then", async () => {
  const held = new HeldJournal();
  const { engine, steps } = createStepEngine({ machine: createMachine(held.journal) });
  const run = await engine.start({ blocks: [step("a"), step("busy")] });
  await run.idle();
  steps.pause("a");
  await run.idle();
  held.hold("append");
  const settled: string[] = [];
  const answered = run.answer("a", "yes").then(() => settled.push("answered"));
  await run.idle();
  expect(held.waiting).toEqual(["append question-answered block-resumed"]);
  expect(settled).toEqual([]);
  expect(steps.begun).toEqual(["a", "busy"]);
  held.letNext();
  await answered;
  await run.idle();
  expect(steps.begun).toEqual(["a", "busy", "a"]);
});

test("a cancellation resolves when it is durable", async () => {
  const held = new HeldJournal();
  const { engine } = createStepEngine({ machine: createMachine(held.journal) });
  const run = await engine.start({ blocks: [step("a")] });
  await run.idle();
  held.hold("append");
  const settled: string[] = [];
  const cancelled = run.cancel().then(() => settled.push("cancelled"));
  await run.idle();
  expect(held.waiting).toEqual(["append run-cancelling"]);
  expect(settled).toEqual([]);
  held.letNext();
  await cancelled;
  held.letGo();
  expect((await run.settled).response.cancelled).toBe(true);
});

test("a look at the state waits for the commit that is under way, and sees what it made durable", async () => {
  const held = new HeldJournal();
  const { engine, steps } = createStepEngine({ machine: createMachine(held.journal) });
  const run = await engine.start({ blocks: [step("a"), step("b")] });
  await run.idle();
  held.hold("append");
  steps.succeed("a");
  await run.idle();
  let seen: string | undefined;
  const look = run.driven.inspect((state) => {
    seen = state.root.record.blocks.a?.metadata.status;
  });
  await run.idle();
  expect(seen).toBeUndefined();
  held.letNext();
  await look;
  expect(seen).toBe("completed");
});

test("a commit that fails stops the run: nothing begins, nobody hears of it, everybody who waits is told", async () => {
  const held = new HeldJournal();
  const machine = createMachine(held.journal);
  const { engine, steps } = createStepEngine({ machine });
  const heard: RunEvent[] = [];
  const run = await engine.start(
    { blocks: [step("a"), step("asks"), step("busy"), step("after", { depends_on: ["a"] })] },
    { onEvents: (events) => void heard.push(...events) },
  );
  await run.idle();
  steps.pause("asks");
  await run.idle();
  const before = heard.length;
  held.hold("append");
  steps.succeed("a");
  await run.idle();
  const answering = run.answer("asks", "yes");
  const looking = run.driven.inspect(() => "seen");
  const fates = Promise.allSettled([run.settled, answering, looking]);
  held.refuseNext(broken);
  expect((await fates).map((fate) => (fate.status === "rejected" ? fate.reason : fate.value))).toEqual([
    broken,
    broken,
    broken,
  ]);
  await run.idle();
  expect(steps.begun).toEqual(["a", "asks", "busy"]);
  expect(steps.running).toEqual([]);
  expect(heard).toHaveLength(before);
  expect(held.waiting).toEqual([]);
  await expect(run.driven.inspect(() => "seen")).rejects.toBe(broken);
  await expect(run.driven.answer("any", "yes", "test")).rejects.toBe(broken);
  await expect(run.driven.cancel("cancelled")).rejects.toBe(broken);

  // Another process goes on where the journal ends.
  held.letGo();
  engine.process.die();
  const second = createStepEngine({ machine });
  const next = await second.engine.takeOver(run.runId);
  await next.idle();
  expect(second.steps.begun.toSorted()).toEqual(["a", "busy"]);
  expect(next.state.questions.size).toBe(1);
});

test("blocks that run when a commit fails are told to stop, and what they still say counts for nothing", async () => {
  const held = new HeldJournal();
  const machine = createMachine(held.journal);
  const { engine, steps } = createStepEngine({ machine });
  const run = await engine.start({ blocks: [step("a"), step("busy")] });
  await run.idle();
  const { signal } = steps.context("busy");
  held.hold("append");
  steps.succeed("a");
  await run.idle();
  const lost = expect(run.settled).rejects.toBe(broken);
  held.refuseNext(broken);
  await lost;
  expect(signal.aborted).toBe(true);
  expect((await machine.journal.read(run.runId)).map(({ type }) => type)).toEqual([
    "run-started",
    "block-started",
    "block-started",
  ]);
});

test("no time limit outlives a run that has stopped", async () => {
  const clock = createFakeClock({ intervals: true });
  const held = new HeldJournal();
  const { engine, steps } = createStepEngine({ machine: createMachine(held.journal), clock });
  const run = await engine.start({ timeout: "1h", blocks: [step("a", { timeout: "1h" }), step("b")] });
  await run.idle();
  expect(clock.timers).toBeGreaterThan(0);
  held.hold("append");
  steps.succeed("b");
  await run.idle();
  const lost = expect(run.settled).rejects.toBe(broken);
  held.refuseNext(broken);
  await lost;
  expect(clock.timers).toBe(0);
});

test("a run that has stopped keeps no process from other runs", async () => {
  const held = new HeldJournal();
  const machine = createMachine(held.journal);
  const commands = new Steps();
  const { engine, steps } = createStepEngine({ machine, types: [commands.command], maxProcesses: 1 });
  const command = (id: string): object => ({ id, type: "Command" });
  const run = await engine.start({ blocks: [command("first"), command("second"), step("a")] });
  await run.idle();
  expect(commands.running).toEqual(["first"]);
  held.hold("append");
  steps.succeed("a");
  await run.idle();
  const lost = expect(run.settled).rejects.toBe(broken);
  held.refuseNext(broken);
  await lost;
  held.letGo();
  const other = await engine.start({ blocks: [command("other")] });
  await other.idle();
  expect(commands.running).toEqual(["other"]);
});

test("an owner whose run was taken stops at its next append: what it ran is told to stop, nothing of it is kept", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const second = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [step("a"), step("busy"), step("after", { depends_on: ["a"] })] });
  await run.idle();
  const { signal } = first.steps.context("busy");
  // To others it looks dead, but it lives: a machine that slept, a clock that jumped.
  machine.presumeGone(first.engine.process);
  const next = await second.engine.takeOver(run.runId);
  await next.idle();
  expect(second.steps.running.toSorted()).toEqual(["a", "busy"]);
  expect(signal.aborted).toBe(false);

  const lost = expect(run.settled).rejects.toBeInstanceOf(RunLost);
  first.steps.succeed("a", "stale");
  await lost;
  expect(signal.aborted).toBe(true);
  expect(first.steps.running).toEqual([]);
  expect(first.steps.begun).toEqual(["a", "busy"]);
  await expect(run.driven.inspect(() => "seen")).rejects.toBeInstanceOf(RunLost);

  second.steps.succeed("a", "fresh");
  await next.idle();
  second.steps.succeed("busy");
  second.steps.succeed("after");
  const { response, state } = await next.settled;
  expect(response.status).toBe("success");
  expect(state.root.record.blocks.a?.outputs.value).toBe("fresh");
});

test("an owner whose run was taken finds out by its heartbeat, though it has nothing to append", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [step("busy")] });
  await run.idle();
  const { signal } = first.steps.context("busy");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(signal.aborted).toBe(false);
  await machine.journal.claim(run.runId, 1, machine.boot().owners.self);
  const lost = expect(run.settled).rejects.toBeInstanceOf(RunLost);
  await vi.advanceTimersByTimeAsync(10_000);
  await lost;
  expect(signal.aborted).toBe(true);
});

test("an owner whose run was taken while it paused does not give the other's run back", async () => {
  const held = new HeldJournal();
  const machine = createMachine(held.journal);
  const first = createStepEngine({ machine });
  const run = await first.engine.start({ blocks: [ending("a", "pause")] });
  held.hold("append");
  await run.idle();
  expect(held.waiting).toEqual(["append block-paused run-paused"]);
  machine.presumeGone(first.engine.process);
  const second = createStepEngine({ machine });
  const taken = await second.engine.takeOver(run.runId);
  const lost = expect(run.settled).rejects.toBeInstanceOf(RunLost);
  held.letNext();
  await lost;
  expect((await machine.journal.find(run.runId))?.lease?.owner.pid).toBe(2);
  held.letGo();
  await taken.settled;
});

test.each([
  { waits: 2, becomes: "success" },
  { waits: 100, becomes: "The disk is full." },
])("a full journal is waited for, but not for ever: $waits times", async ({ waits, becomes }) => {
  const held = new HeldJournal();
  const clock = createFakeClock();
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const { engine, steps } = createStepEngine({ machine: createMachine(held.journal), clock, onWarning });
  const run = await engine.start({ blocks: [step("a")] });
  await run.idle();
  const end = run.settled.then(
    ({ response }) => response.status,
    (error: Error) => error.message,
  );
  held.hold("append");
  steps.succeed("a");
  await run.idle();
  for (let times = 0; times < waits && held.waiting.length > 0; times++) {
    expect(held.waiting).toEqual(["append block-finished run-finished"]);
    held.refuseNext(new JournalError("full", "The disk is full."));
    await run.idle();
    clock.advance(500);
    await run.idle();
  }
  held.letGo();
  expect(await end).toBe(becomes);
  expect(clock.monotonic()).toBeLessThanOrEqual(31_000);
  expect(warnings).toEqual(["The disk is full. Trying again for 30 s."]);
});
