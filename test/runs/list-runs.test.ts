import { expect, test } from "vitest";
import { describeListed, type ListQuery, listRuns } from "../../src/views/list-runs.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { createStepEngine, ending, step } from "../rig/step-engine.ts";

async function idsOf({ engine }: TestEngine, query: ListQuery): Promise<string[]> {
  return (await listRuns(engine.platform, query)).runs.map(({ summary }) => summary.runId);
}

test("a run nobody drives is interrupted, and one somebody drives is running: asked for, each is found alone", async () => {
  const machine = createMachine();
  const dying = createStepEngine({ machine });
  const { runId: lost } = await dying.engine.start({ blocks: [step("a")] });
  dying.engine.process.die();
  const living = createStepEngine({ machine });
  const { runId: driven } = await living.engine.start({ blocks: [step("a")] });
  expect(await idsOf(living.engine, { statuses: ["interrupted"] })).toEqual([lost]);
  expect(await idsOf(living.engine, { statuses: ["running"] })).toEqual([driven]);
  expect(await idsOf(living.engine, { statuses: ["interrupted", "running"] })).toEqual([driven, lost]);
  expect(await idsOf(living.engine, { statuses: ["success", "failure", "paused"] })).toEqual([]);
});

test("a page ends where the next begins, whatever is left out in between", async () => {
  const { engine } = createStepEngine();
  const ids: string[] = [];
  for (const name of ["a", "b", "a", "c", "a", "b"]) {
    const { state } = await engine.run({ name, blocks: [ending("x", "succeed")] });
    ids.unshift(state.started.runId);
  }
  const query = { workflows: ["a", "b"], limit: 2 };
  const first = await listRuns(engine.engine.platform, query);
  const second = await listRuns(engine.engine.platform, { ...query, before: first.next ?? "" });
  const third = await listRuns(engine.engine.platform, { ...query, before: second.next ?? "" });
  const all = [first, second, third].flatMap(({ runs }) => runs.map(({ summary }) => summary.runId));
  expect(all).toEqual([ids[0], ids[1], ids[3], ids[4], ids[5]]);
  expect(third.next).toBeUndefined();
  expect(await idsOf(engine, { workflows: ["c"] })).toEqual([ids[2]]);
});

test("a run as data says why it failed, what it asks and where it comes from", async () => {
  const { engine } = createStepEngine();
  const { state: failed } = await engine.run({ blocks: [ending("bad", "fail")] });
  const { state: paused, response } = await engine.run({ blocks: [ending("go", "pause")] });
  const { runs } = await listRuns(engine.engine.platform, {});
  const common = { workflow: "test", started_at: expect.any(String), workspace: engine.workspace };
  expect(runs.map(describeListed)).toEqual([
    {
      ...common,
      run_id: paused.started.runId,
      status: "paused",
      finished_at: null,
      duration_ms: null,
      pending: [response.pending?.[0]?.checkpoint_id],
    },
    {
      ...common,
      run_id: failed.started.runId,
      status: "failure",
      finished_at: expect.any(String),
      duration_ms: expect.any(Number),
      error: "'bad' failed: it went wrong",
      pending: [],
    },
  ]);
});

test("listing runs starts nothing, claims nothing and writes nothing", async () => {
  const machine = createMachine();
  const dying = createStepEngine({ machine });
  const { runId, idle } = await dying.engine.start({ blocks: [step("a"), step("b", { depends_on: ["a"] })] });
  await idle();
  dying.engine.process.die();
  const looking = createTestEngine({ machine, types: [dying.steps.type] });
  const before = [await machine.journal.find(runId), await machine.journal.read(runId)];
  let changes = 0;
  machine.journal.subscribe(() => changes++);
  expect(await idsOf(looking, {})).toEqual([runId]);
  expect([await machine.journal.find(runId), await machine.journal.read(runId)]).toEqual(before);
  expect(changes).toBe(0);
  expect(dying.steps.begun).toEqual(["a"]);
});
