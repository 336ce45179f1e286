import { expect, test } from "vitest";
import type { Value } from "../../src/expression/value.ts";
import type { RunSummary } from "../../src/journal/journal.ts";
import { type Answered, answerQuestion } from "../../src/runs/answer-question.ts";
import { cancelRun } from "../../src/runs/cancel-run.ts";
import { queueOf } from "../../src/runs/choose-queue.ts";
import { continueRun } from "../../src/runs/continue-run.ts";
import { driveSegment } from "../../src/runs/drive-segment.ts";
import { findRun, statusOf } from "../../src/runs/read-run.ts";
import { findLeft, findWaiting } from "../../src/runs/recover-runs.ts";
import type { Observation, ObservedRun } from "../../src/runs/run-observer.ts";
import { queueRun } from "../../src/runs/start-run.ts";
import { takeOver } from "../../src/runs/take-over.ts";
import type { TestEngine, Written } from "../rig/engine.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { createFakeWorker, FakeDispatch, type FakeWorker } from "../rig/fake-dispatch.ts";
import { idle } from "../rig/idle.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { createStepEngine, ending, step } from "../rig/step-engine.ts";
import { unwrap } from "../rig/unwrap.ts";
import { waitFor } from "../rig/wait-for.ts";

const nobody = { onEvents() {}, onOutput() {} };

interface Site {
  readonly machine: TestMachine;
  readonly dispatch: FakeDispatch;
  /** A process that starts runs and answers, and drives none of them. */
  readonly door: TestEngine;
  worker(options?: { readonly labels?: readonly string[] }): FakeWorker;
}

function createSite(): Site {
  const machine = createMachine();
  const dispatch = new FakeDispatch();
  const { engine: door } = createStepEngine({ machine, dispatch });
  return { machine, dispatch, door, worker: (options = {}) => createFakeWorker({ machine, dispatch, ...options }) };
}

async function queue({ door }: Site, written: Written, more: object = {}): Promise<string> {
  const plan = door.plan(written);
  const start = { inputs: {}, workspace: door.workspace, queue: queueOf(plan.definition, "here"), ...more };
  return unwrap(await queueRun(door.engine, plan, start));
}

async function summaryOf({ door }: Site, runId: string): Promise<RunSummary> {
  return unwrap(await findRun(door.engine.platform, runId));
}

async function standing(site: Site, runId: string): Promise<string> {
  return statusOf(await summaryOf(site, runId), site.door.engine.platform);
}

async function answer({ door }: Site, questionId: string, value: Value, by = "test"): Promise<Answered> {
  return unwrap(await answerQuestion(door.engine, questionId, { value, by, isHuman: true }, nobody));
}

async function questionOf(site: Site, runId: string, path: string): Promise<string> {
  const asked = (await summaryOf(site, runId)).questions.find((one) => one.path === path);
  if (asked === undefined) throw new Error(`${path} asks nothing.`);
  return asked.id;
}

async function answersIn({ machine }: Site, runId: string): Promise<readonly Value[]> {
  return (await machine.journal.read(runId)).flatMap((event) =>
    event.type === "question-answered" ? [event.answer] : [],
  );
}

test("a run with a queue waits for a worker, and no other process drives it", async () => {
  const site = createSite();
  const runId = await queue(site, { blocks: [ending("a", "succeed")] });
  expect(await standing(site, runId)).toBe("queued");
  const { platform } = site.door.engine;
  expect(await findLeft(platform)).toEqual({ here: [], elsewhere: [] });
  const taken = await takeOver(site.door.engine, runId, nobody);
  expect(taken.ok ? "" : taken.error.message).toBe(`${runId} is not driven here: it is for a worker on here.`);
  expect(await continueRun(site.door.engine, runId, nobody)).toEqual({ ok: true, value: undefined });
  expect(site.dispatch.asked).toEqual([
    expect.objectContaining({ runId, sequence: 1, fence: 1, host: "here", queue: { labels: [], host: "here" } }),
  ]);
  const worker = site.worker();
  expect(await worker.work()).toBe("finished");
  expect(await standing(site, runId)).toBe("success");
  expect(await findWaiting(platform)).toEqual([]);
});

test("only a worker that has all labels, on the machine that has the files, may take a run", async () => {
  const site = createSite();
  const labels = { queue: { labels: ["gpu", "linux"], host: "here" } };
  await queue(site, { blocks: [ending("a", "succeed")] }, labels);
  expect(await site.worker({ labels: ["gpu"] }).work()).toBeUndefined();
  const { machine, dispatch } = site;
  const elsewhere = createFakeWorker({ machine, dispatch, labels: ["gpu", "linux"], host: "there" });
  expect(await elsewhere.work()).toBeUndefined();
  expect(await site.worker({ labels: ["arm", "gpu", "linux"] }).work()).toBe("finished");
});

test("what could not be handed to the workers is found by them", async () => {
  const { machine, dispatch } = createSite();
  const warnings: string[] = [];
  const { engine: door } = createStepEngine({ machine, dispatch, onWarning: (text) => warnings.push(text) });
  const site = { machine, dispatch, door, worker: () => createFakeWorker({ machine, dispatch }) };
  dispatch.isAway = true;
  const runId = await queue(site, { blocks: [ending("a", "succeed")] });
  expect(warnings).toEqual([expect.stringContaining(`${runId} is on record`)]);
  dispatch.isAway = false;
  const worker = site.worker();
  await worker.look();
  await worker.look();
  expect(dispatch.asked).toHaveLength(1);
  expect(await worker.work()).toBe("finished");
});

test("the same idempotency key is the same run, which is driven once", async () => {
  const site = createSite();
  const written = { blocks: [ending("a", "succeed")] };
  const runId = await queue(site, written, { idempotencyKey: "k" });
  const plan = site.door.plan(written);
  const start = { inputs: {}, workspace: site.door.workspace, queue: queueOf(plan.definition, "here") };
  const again = await queueRun(site.door.engine, plan, { ...start, idempotencyKey: "k" });
  expect(again).toEqual({ ok: false, error: { kind: "exists", runId } });
  const worker = site.worker();
  expect([await worker.work(), await worker.work()]).toEqual(["finished", undefined]);
});

test("a run that waits for an answer holds no worker; the answer is taken anywhere, and a worker goes on", async () => {
  const site = createSite();
  const runId = await queue(site, { blocks: [ending("ask", "pause"), step("after", { depends_on: ["ask"] })] });
  const [one, other] = [site.worker(), site.worker()];
  expect(await one.work()).toBe("paused");
  expect(await standing(site, runId)).toBe("paused");
  expect((await answer(site, await questionOf(site, runId, "ask"), "blue")).kind).toBe("posted");
  expect(await standing(site, runId)).toBe("queued");
  const working = other.work();
  await idle();
  other.steps.succeed("after");
  expect(await working).toBe("finished");
  expect([one.steps.begun, other.steps.begun]).toEqual([["ask"], ["ask", "after"]]);
  expect(await answersIn(site, runId)).toEqual(["blue"]);
});

test("of two answers at the same time one is taken, the other is told of it, and one segment follows", async () => {
  const site = createSite();
  const runId = await queue(site, { blocks: [ending("ask", "pause")] });
  const worker = site.worker();
  await worker.work();
  const id = await questionOf(site, runId, "ask");
  const before = site.dispatch.asked.length;
  const told = await Promise.all(["yes", "no"].map((value) => answer(site, id, value, value)));
  expect(told.map(({ kind }) => kind).sort()).toEqual(["answered-before", "posted"]);
  const open = site.dispatch.asked.slice(before);
  const [taken] = await answersIn(site, runId);
  expect(told.find(({ kind }) => kind === "answered-before")).toMatchObject({ kept: { value: taken, by: taken } });
  expect(await worker.work()).toBe("finished");
  expect(await answersIn(site, runId)).toEqual([taken]);
  // Whoever came second may have asked for it again, under a later fence: then there is nothing to do.
  for (const _ of open.slice(1)) expect(await worker.work()).toBe("nothing-to-do");
});

test("what sleeps for long holds no worker, and is found when it is due", async () => {
  const clock = createFakeClock({ intervals: true });
  const machine = createMachine();
  const dispatch = new FakeDispatch();
  const { engine: door } = createStepEngine({ machine, dispatch, clock });
  const site = { machine, dispatch, door, worker: () => createFakeWorker({ machine, dispatch, clock }) };
  const runId = await queue(site, { blocks: [{ id: "w", type: "Wait", inputs: { duration: "1h" } }] });
  const worker = site.worker();
  expect(await worker.work()).toBe("sleeping");
  expect(await findWaiting(door.engine.platform)).toEqual([]);
  clock.advance(3_600_001);
  expect(await findLeft(door.engine.platform)).toEqual({ here: [], elsewhere: [] });
  await worker.look();
  expect(await worker.work()).toBe("finished");
  expect(await standing(site, runId)).toBe("success");
});

test("a run that nobody has is cancelled at once, unless something of it has to run for that: then a worker does", async () => {
  const site = createSite();
  const plain = await queue(site, { blocks: [step("a")] });
  expect(await cancelRun(site.door.engine, plain, nobody)).toEqual({ ok: true, value: "cancelled" });
  expect(await standing(site, plain)).toBe("failure");
  expect(await site.dispatch.waiting()).toEqual(new Map());
  const asking = await queue(site, { blocks: [ending("ask", "pause")], finally: [ending("tidy", "succeed")] });
  const worker = site.worker();
  expect(await worker.work()).toBe("paused");
  expect(await cancelRun(site.door.engine, asking, nobody)).toEqual({ ok: true, value: "posted" });
  expect(await standing(site, asking)).toBe("queued");
  expect(await worker.work()).toBe("finished");
  expect(worker.steps.begun).toEqual(["ask", "tidy"]);
  expect(await summaryOf(site, asking)).toMatchObject({ status: "failure", cancelled: true });
});

test("the run of a worker that is gone is handed on, and what it completed is not run again", async () => {
  const site = createSite();
  const runId = await queue(site, { blocks: [ending("a", "succeed"), step("b", { depends_on: ["a"] })] });
  const [first, second] = [site.worker(), site.worker()];
  void first.work();
  await idle();
  expect(await standing(site, runId)).toBe("running");
  expect(await findWaiting(site.door.engine.platform)).toEqual([]);
  first.engine.process.die();
  expect(await standing(site, runId)).toBe("queued");
  await second.look();
  const working = second.work();
  await idle();
  second.steps.succeed("b");
  expect(await working).toBe("finished");
  expect(second.steps.begun).toEqual(["b"]);
});

test("a worker that is told to stop leaves the run where it is, and another goes on", async () => {
  const site = createSite();
  const runId = await queue(site, { blocks: [step("a")] });
  const [first, second] = [site.worker(), site.worker()];
  const working = first.work();
  await idle();
  first.stopping.abort();
  expect(await working).toBe("stopped");
  expect(await standing(site, runId)).toBe("queued");
  await second.look();
  const again = second.work();
  await idle();
  second.steps.succeed("a");
  expect(await again).toBe("finished");
});

test("secrets that a run needs are those of the worker: where they are missing it ends before anything of it runs", async () => {
  const site = createSite();
  const written = {
    blocks: [
      ending("a", "succeed"),
      { id: "b", type: "Shell", depends_on: ["a"], inputs: { command: "true", env: { TOKEN: "${secrets.TOKEN}" } } },
    ],
  };
  const runId = await queue(site, written);
  const worker = site.worker();
  await expect(worker.work()).rejects.toThrow(/run-ended-here.*lacks a secret.*FROND_SECRET_TOKEN/);
  expect(await summaryOf(site, runId)).toMatchObject({
    status: "failure",
    cancelled: false,
    error: expect.stringContaining("The worker on here lacks a secret."),
  });
  expect(worker.steps.begun).toEqual([]);
});

test("where this process can't reach the workers, it says so and changes nothing", async () => {
  const site = createSite();
  const runId = await queue(site, { blocks: [ending("ask", "pause")] });
  await site.worker().work();
  const { engine: cutOff } = createStepEngine({ machine: site.machine });
  const id = await questionOf(site, runId, "ask");
  const refused = await answerQuestion(cutOff.engine, id, { value: "x", by: "test", isHuman: true }, nobody);
  expect(refused.ok ? "" : refused.error.message).toBe(
    `${runId} is driven by workers, and this process can't reach them.`,
  );
  expect(await standing(site, runId)).toBe("paused");
});

test("who is the first to drive a run begins it, after a rest it goes on, and only what a process left is taken over", async () => {
  const site = createSite();
  const seen: string[] = [];
  const observe = ({ driving }: ObservedRun): Observation => {
    seen.push(driving);
    return { onEvents() {} };
  };
  const runId = await queue(site, { blocks: [ending("ask", "pause"), step("a", { depends_on: ["ask"] })] });
  const workers = [site.worker(), site.worker(), site.worker()] as const;
  const drive = async ({ engine: { engine }, stopping }: FakeWorker): Promise<unknown> => {
    const runtime = { ...engine, platform: { ...engine.platform, observers: [{ observe }] } };
    return unwrap(await driveSegment(runtime, await summaryOf(site, runId), nobody, stopping.signal));
  };
  expect(await drive(workers[0])).toBe("paused");
  await answer(site, await questionOf(site, runId, "ask"), "yes");
  void drive(workers[1]).catch(() => {});
  await waitFor("a goes on", () => workers[1].steps.begun.includes("a"));
  workers[1].engine.process.die();
  void drive(workers[2]).catch(() => {});
  await waitFor("it is taken over", () => seen.length === 3);
  expect(seen).toEqual(["begins", "goes-on", "takes-over"]);
});
