import { expect, test } from "vitest";
import { answerQuestion } from "../../src/runs/answer-question.ts";
import { cancelRun } from "../../src/runs/cancel-run.ts";
import { continueRun } from "../../src/runs/continue-run.ts";
import { remarkOn } from "../../src/runs/kept-answer.ts";
import { findRun, statusOf } from "../../src/runs/read-run.ts";
import { findLeft } from "../../src/runs/recover-runs.ts";
import { rerunRun } from "../../src/runs/rerun-run.ts";
import { takeWhenDue } from "../../src/runs/take-when-due.ts";
import type { NextSteps } from "../../src/views/response.ts";
import { readShownRun } from "../../src/views/shown-run.ts";
import type { TestEngineOptions } from "../rig/engine.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { FakeDispatch, FakeQueues } from "../rig/fake-dispatch.ts";
import { createMachine } from "../rig/machine.ts";
import { createStepEngine, ending, step } from "../rig/step-engine.ts";
import { unwrap } from "../rig/unwrap.ts";

const nobody = { onEvents() {}, onOutput() {} };

/** Processes of machines that share a journal, and the same paths. */
function createTeam(more: TestEngineOptions = {}): (host: string) => ReturnType<typeof createStepEngine> {
  const [machine, queues] = [createMachine(), new FakeQueues()];
  return (host) => createStepEngine({ machine, host, dispatch: new FakeDispatch(queues), ...more });
}

type Process = ReturnType<typeof createStepEngine>;

async function standing({ engine }: Process, runId: string): Promise<string> {
  const { platform } = engine.engine;
  return statusOf(unwrap(await findRun(platform, runId)), platform);
}

/** What is said to come next, on that machine. */
async function nextOf({ engine }: Process, runId: string): Promise<string | undefined> {
  const { platform, workflows } = engine.engine;
  const { run } = unwrap(await readShownRun(platform, workflows.catalog, runId));
  const nextSteps = { takeOver: (left: string) => `take over ${left}` } as NextSteps;
  return run.describe({ format: "minimal", nextSteps }).message;
}

async function leftBy({ engine }: Process): Promise<{ readonly here: string[]; readonly elsewhere: string[] }> {
  const { here, elsewhere } = await findLeft(engine.engine.platform);
  return { here: here.map(({ runId }) => runId), elsewhere: elsewhere.map(({ runId }) => runId) };
}

test("a run that a machine drove itself is gone on with there alone, and others are told where its files are", async () => {
  const boot = createTeam();
  const first = boot("a");
  const started = await first.engine.start({ blocks: [step("one", { on_interrupted: "rerun" })] });
  await started.idle();
  first.engine.process.die();
  const { runId } = started;

  const other = boot("d");
  const refused = await continueRun(other.engine.engine, runId, nobody);
  expect(refused).toMatchObject({
    ok: false,
    error: {
      code: "other-host",
      message: `The files of ${runId} are on a, and this is d.`,
      fix: "Do this on a. If this is that machine under another name, set FROND_HOST=a.",
    },
  });
  expect(await leftBy(other)).toEqual({ here: [], elsewhere: [runId] });
  expect(await standing(other, runId)).toBe("interrupted");
  expect(await nextOf(other, runId)).toBe(`Its files are on a. take over ${runId}`);

  const again = boot("a");
  expect(await nextOf(again, runId)).toBe(`take over ${runId}`);
  expect(await leftBy(again)).toEqual({ here: [runId], elsewhere: [] });
  const run = await again.engine.takeOver(runId);
  await run.idle();
  again.steps.succeed("one");
  expect((await run.settled).response.status).toBe("success");
  expect(other.steps.begun).toEqual([]);
});

test("an answer is recorded on any machine, and the machine with the files goes on", async () => {
  const boot = createTeam();
  const first = boot("a");
  const started = await first.engine.start({
    blocks: [ending("ask", "pause"), ending("after", "succeed", { depends_on: ["ask"] })],
  });
  await started.settled;
  const { runId } = started;
  const [question] = unwrap(await findRun(first.engine.engine.platform, runId)).questions;

  const other = boot("d");
  const given = { value: "blue", by: "test", isHuman: true };
  // Nor is it counted where it is not driven.
  const { platform } = other.engine.engine;
  const observe = (): never => expect.unreachable();
  const door = { ...other.engine.engine, platform: { ...platform, observers: [{ observe }] } };
  const answered = unwrap(await answerQuestion(door, question?.id ?? "", given, nobody));
  expect(answered).toEqual({ kind: "posted", runId, host: "a" });
  expect(remarkOn(answered)).toBe(`The answer is on record. The files of ${runId} are on a: go on there.`);
  expect([other.steps.begun, await standing(other, runId)]).toEqual([[], "interrupted"]);

  const again = boot("a");
  const run = await again.engine.takeOver(runId);
  const { response, events } = await run.settled;
  expect(response.status).toBe("success");
  expect(events.filter(({ type }) => type === "question-answered")).toEqual([
    expect.objectContaining({ answer: "blue" }),
  ]);
});

test("any machine ends a run; what is under `finally` is left to the machine with the files", async () => {
  const boot = createTeam();
  const first = boot("a");
  const plain = await first.engine.start({ blocks: [ending("ask", "pause")] });
  const cleaning = await first.engine.start({
    blocks: [ending("ask", "pause")],
    finally: [ending("clean", "succeed")],
  });
  await Promise.all([plain.settled, cleaning.settled]);

  const other = boot("d");
  expect(await cancelRun(other.engine.engine, plain.runId, nobody)).toEqual({ ok: true, value: "cancelled" });
  expect(await cancelRun(other.engine.engine, cleaning.runId, nobody)).toEqual({ ok: true, value: "recorded" });
  expect([await standing(other, plain.runId), await standing(other, cleaning.runId)]).toEqual([
    "failure",
    "interrupted",
  ]);
  expect(other.steps.begun).toEqual([]);

  const again = boot("a");
  await (await again.engine.takeOver(cleaning.runId)).settled;
  expect([again.steps.begun, await standing(other, cleaning.runId)]).toEqual([["clean"], "failure"]);
});

test("a run that sleeps is woken on its machine alone", async () => {
  const clock = createFakeClock();
  const boot = createTeam({ clock });
  const first = boot("a");
  const run = await first.engine.start({ blocks: [{ id: "w", type: "Wait", inputs: { duration: "1h" } }] });
  await run.settled;
  clock.advance(3_600_001);
  const other = boot("d");
  expect(await leftBy(other)).toEqual({ here: [], elsewhere: [run.runId] });
  const { signal } = new AbortController();
  expect(await takeWhenDue(other.engine.engine, run.runId, nobody, signal)).toBeUndefined();
  expect(await standing(other, run.runId)).toBe("sleeping");
  expect(await leftBy(boot("a"))).toEqual({ here: [run.runId], elsewhere: [] });
});

test("a rerun begins where the files of the run are; handed to workers, on that machine", async () => {
  const boot = createTeam();
  const first = boot("a");
  const run = await first.engine.start({ blocks: [ending("one", "fail")] });
  await run.settled;
  const other = boot("d");
  const asked = { trust: "any-file", frozen: true, ...nobody } as const;
  const refused = await rerunRun(other.engine.engine, run.runId, asked);
  expect(refused.ok ? [] : refused.error).toEqual([expect.objectContaining({ code: "other-host" })]);
  const rerun = unwrap(await rerunRun(other.engine.engine, run.runId, { ...asked, queues: true }));
  expect(unwrap(await findRun(other.engine.engine.platform, rerun.runId))).toMatchObject({
    host: "a",
    queue: { labels: [], host: "a" },
  });
});

test("without a database the name of the machine counts for nothing", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine, host: "laptop" });
  const started = await first.engine.start({ blocks: [step("one", { on_interrupted: "rerun" })] });
  await started.idle();
  first.engine.process.die();
  const second = createStepEngine({ machine, host: "laptop.local" });
  expect(await leftBy(second)).toEqual({ here: [started.runId], elsewhere: [] });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  second.steps.succeed("one");
  expect((await run.settled).response.status).toBe("success");
});
