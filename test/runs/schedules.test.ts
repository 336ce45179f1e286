import { expect, test } from "vitest";
import type { Journal, RunSummary } from "../../src/journal/journal.ts";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { runSchedules } from "../../src/runs/run-schedules.ts";
import type { Runtime } from "../../src/runs/runtime.ts";
import { createTestEngine, type TestEngine, type TestEngineOptions, type Written } from "../rig/engine.ts";
import { createFakeClock, type FakeClock } from "../rig/fake-clock.ts";
import { FakeDispatch } from "../rig/fake-dispatch.ts";
import { idle } from "../rig/idle.ts";
import { createMachine } from "../rig/machine.ts";

interface Ground {
  readonly journal: Journal;
  readonly dispatch: FakeDispatch;
  /** 2030-03-17T17:46:40Z when it begins. */
  readonly clock: FakeClock;
  isAway: boolean;
}

function createGround(): Ground {
  return { journal: createMemoryJournal(), dispatch: new FakeDispatch(), clock: createFakeClock(), isAway: false };
}

/** A worker on a machine of its own, which only looks what is due. */
function startWorker(ground: Ground, workflows: Readonly<Record<string, Written>>, more: TestEngineOptions = {}) {
  const machine = createMachine(ground.journal);
  const { clock, dispatch } = ground;
  const engine: TestEngine = createTestEngine({ machine, clock, dispatch, workflows, ...more });
  const stopping = new AbortController();
  const journal = async (): Promise<Journal> => {
    if (ground.isAway) throw new Error("The database is away.");
    return ground.journal;
  };
  const platform = { ...engine.engine.platform, journal };
  const openRuntime = (): Runtime => ({ ...engine.engine, platform });
  const options = { platform, workspace: engine.workspace, openRuntime };
  const ended = runSchedules(options, stopping.signal);
  return {
    engine,
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
    },
  };
}

async function minutes(clock: FakeClock, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await idle();
    clock.advance(60_000);
  }
  await idle();
}

async function startsIn({ journal }: Ground): Promise<readonly (readonly [string, string, string | null])[]> {
  const runs = await journal.list({});
  const tell = ({ workflow, startedAt, startedBy }: RunSummary) =>
    [workflow, startedAt.slice(11, 16), startedBy] as const;
  return runs.map(tell).sort(([, one], [, other]) => (one < other ? -1 : 1));
}

const blocks = [{ id: "say", type: "Shell", inputs: { command: "echo hi" } }];

test("a due time is one run, whatever the number of workers", async () => {
  const ground = createGround();
  const workflows = { often: { schedule: "*/5 * * * *", workspace: "none", runs_on: "gpu", blocks } };
  const workers = [1, 2, 3].map((number) => startWorker(ground, workflows, { host: `box-${number}` }));
  await minutes(ground.clock, 14);
  await Promise.all(workers.map((worker) => worker.stop()));
  const by = "schedule '*/5 * * * *'";
  // The first was due when nobody was there, a minute and a half before.
  const expected = ["17:46", "17:50", "17:55", "18:00"].map((time) => ["often", time, by]);
  expect(await startsIn(ground)).toEqual(expected);
  expect(ground.dispatch.asked.map(({ queue, host }) => [queue.labels, host])).toEqual(
    expected.map(() => [["gpu"], null]),
  );
  expect(ground.clock.timers).toBe(0);
});

test("what was missed for longer than ten minutes is left out, and of the rest the latest stands for all", async () => {
  const ground = createGround();
  const late = { schedule: ["30 17 * * *", "35 17 * * *", "* * * * *"], workspace: "none", blocks };
  const worker = startWorker(ground, { late });
  await idle();
  await worker.stop();
  expect(await startsIn(ground)).toEqual([["late", "17:46", "schedule '* * * * *'"]]);
});

test("of the times at which the database was away, however long that was, the latest is made up for, once", async () => {
  const ground = createGround();
  const workflows = {
    often: { schedule: "*/5 * * * *", workspace: "none", blocks },
    hourly: { schedule: "10 * * * *", workspace: "none", blocks },
    daily: { schedule: "0 3 * * *", workspace: "none", blocks },
  };
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const workers = [1, 2].map((number) => startWorker(ground, workflows, { host: `box-${number}`, onWarning }));
  await minutes(ground.clock, 2);
  ground.isAway = true;
  // Until 21:01, and what is looked at again ten seconds later.
  await minutes(ground.clock, 192);
  expect((await startsIn(ground)).map(([name, time]) => [name, time])).toEqual([["often", "17:46"]]);
  ground.isAway = false;
  await minutes(ground.clock, 1);
  await Promise.all(workers.map((worker) => worker.stop()));
  const runs = await ground.journal.list({});
  expect(runs.map(({ workflow }) => workflow).sort()).toEqual(["hourly", "often", "often"]);
  expect(warnings).toHaveLength(2);
});

test("a workflow without a workspace of its own is started once for each directory, on the machine that was first", async () => {
  const ground = createGround();
  const workflows = { here: { schedule: { cron: "50 17 * * *" }, blocks } };
  const workers = [startWorker(ground, workflows, { host: "a" }), startWorker(ground, workflows, { host: "b" })];
  await minutes(ground.clock, 6);
  await Promise.all(workers.map((worker) => worker.stop()));
  const runs = await ground.journal.list({});
  expect(runs.map(({ workspace, host }) => [workspace, host]).sort()).toEqual(
    workers.map(({ engine }) => [engine.workspace, engine.engine.platform.host]).sort(),
  );
});

test("times are those of the zone, also when its clocks are changed, and runs get the inputs of the schedule", async () => {
  const ground = createGround();
  const inputs = { level: { type: "string", description: "d", default: "quick" } };
  const schedule = [
    { cron: "30 2 31 3 *", timezone: "Europe/Berlin", inputs: { level: "full" } },
    { cron: "30 2 31 3 *", timezone: "Europe/Berlin" },
  ];
  // On 31 March 2030 clocks in Berlin go from 02:00 to 03:00 at 01:00Z.
  ground.clock.advance(Date.parse("2030-03-31T00:58:00Z") - ground.clock.now().getTime());
  const worker = startWorker(ground, { zoned: { schedule, inputs, workspace: "none", blocks } });
  await minutes(ground.clock, 4);
  await worker.stop();
  expect((await startsIn(ground)).map(([, time]) => time)).toEqual(["01:00", "01:00"]);
  const [one, other] = await Promise.all(
    (await ground.journal.list({})).map(async ({ runId }) => (await ground.journal.read(runId))[0]),
  );
  const levels = [one, other].map((event) => event?.type === "run-started" && event.inputs.level);
  expect(levels.sort()).toEqual(["full", "quick"]);
});

test("a database that is away makes a time late, not lost, and what can't be started is told", async () => {
  const ground = createGround();
  const warnings: string[] = [];
  const broken = {
    schedule: "50 17 * * *",
    workspace: { git: "${inputs.at}" },
    inputs: { at: anyText("nowhere") },
    blocks,
  };
  const fine = { schedule: "50 17 * * *", workspace: "none", blocks };
  const worker = startWorker(ground, { broken, fine }, { onWarning: (message) => void warnings.push(message) });
  ground.isAway = true;
  await minutes(ground.clock, 5);
  ground.isAway = false;
  await minutes(ground.clock, 2);
  await worker.stop();
  expect((await startsIn(ground)).map(([name]) => name)).toEqual(["fine"]);
  expect(ground.dispatch.asked).toHaveLength(1);
  expect(warnings).toContainEqual(
    "Schedules can't be looked at: The database is away. What is due meanwhile is started later.",
  );
  expect(warnings).toContainEqual(
    expect.stringMatching(/^broken, due at 2030-03-17T17:50:00.000Z, can't be started: .*nowhere/),
  );
});

function anyText(value: string): object {
  return { type: "string", description: "d", default: value };
}

test("of a workflow that has a schedule and is not trusted the worker says, once, that it is not started", async () => {
  const ground = createGround();
  const { clock, dispatch } = ground;
  const { engine, workspace } = createTestEngine({ machine: createMachine(ground.journal), clock, dispatch });
  const warnings: string[] = [];
  const platform = { ...engine.platform, warn: (text: string) => void warnings.push(text) };
  const entry = { name: "tick", file: "/project/tick.yaml", trusted: false, head: () => ({ schedule: [{}] }) };
  const workflows = { library: { entries: () => [entry] } };
  const openRuntime = (): Runtime => ({ ...engine, platform, workflows }) as unknown as Runtime;
  const stopping = new AbortController();
  const ended = runSchedules({ platform, workspace, openRuntime }, stopping.signal);
  await minutes(clock, 3);
  stopping.abort();
  await ended;
  expect(warnings).toEqual([
    "tick has a schedule and is not started: it is not trusted. Look at /project/tick.yaml, then trust it.",
  ]);
  expect(await startsIn(ground)).toEqual([]);
});
